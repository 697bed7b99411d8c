/** The dialog that puts a site together: addresses, trust, tests hop by hop, and saving. */
package dev.pitwall.ui.connect;
