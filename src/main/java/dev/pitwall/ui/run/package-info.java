/** The wizard of an open site as the window works with it: everything in the background, one run at a time. */
package dev.pitwall.ui.run;
