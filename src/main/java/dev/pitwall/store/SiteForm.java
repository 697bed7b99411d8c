package dev.pitwall.store;

/**
 * A site has two written forms of one format.
 */
enum SiteForm {
    /** In the database: paths as they are, the names of secrets. */
    KEPT,
    /** In a site file: paths relative to it, secrets in it when read, and neither they nor their names when written. */
    FILE
}
