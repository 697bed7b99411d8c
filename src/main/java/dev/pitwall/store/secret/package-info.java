/**
 * Where secrets live: the operating system's keyring, reached through the system's own library, or an encrypted file.
 * No secret is ever part of a message, a log line or a {@code toString}.
 */
package dev.pitwall.store.secret;
