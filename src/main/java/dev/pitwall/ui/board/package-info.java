/** The Board: the engine of a site, live. What is on which card, by a person's hand and by the policy's. */
package dev.pitwall.ui.board;
