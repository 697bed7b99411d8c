/** The tower of operands of one node, live. */
package dev.pitwall.ui.operand;
