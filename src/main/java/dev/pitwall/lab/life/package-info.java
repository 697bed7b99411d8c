/**
 * What changes in a lab by itself.
 */
package dev.pitwall.lab.life;
