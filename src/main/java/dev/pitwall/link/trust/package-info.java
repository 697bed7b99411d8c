/** Whom the links talk to and what is said when it fails: pinned certificates, places, and the sentences for people. */
package dev.pitwall.link.trust;
