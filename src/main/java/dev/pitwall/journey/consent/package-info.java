/**
 * Whether a cluster lets the changes of a step be made: what the person may do there, and whose the fields are. Both are
 * told before anything is written, for the changes of every step in one place.
 */
package dev.pitwall.journey.consent;
