package dev.pitwall.journey.consent;

/**
 * Somebody who declares fields elsewhere, and writes them here again and again.
 *
 * @param tool  as people call it, for example {@code Argo CD}
 * @param where it takes the fields from, for example {@code the source of its Application}
 */
record Keeper(String tool, String where) {
}
