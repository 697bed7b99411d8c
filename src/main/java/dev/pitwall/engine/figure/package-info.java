/** What was measured of cards and model servers over time: taken in, kept, and put into a curve. */
package dev.pitwall.engine.figure;
