/** The steps that prove a card with a pod of its own and give it a model server, and the roll call of all cards. */
package dev.pitwall.journey.proof;
