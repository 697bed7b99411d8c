/** How a change of a system is shown: differences, risks, what stops, and the same as commands to type. */
package dev.pitwall.ui.change;
