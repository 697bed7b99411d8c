-- Times are milliseconds since 1970, UTC.

CREATE TABLE site (
    id       TEXT PRIMARY KEY,
    name     TEXT NOT NULL UNIQUE,
    -- The format of site files, with the names of secrets in place of secrets.
    document TEXT NOT NULL CHECK (json_valid(document))
);

CREATE TABLE setting (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

-- The last good answer of every source, so that "was ..." can be said after a restart. Not bound to the table of
-- sites: a site may come from a file.
CREATE TABLE observation (
    site_id  TEXT NOT NULL,
    kind     TEXT NOT NULL,
    source   TEXT NOT NULL,
    at       INTEGER NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (site_id, kind, source)
);

CREATE TABLE run (
    -- AUTOINCREMENT: a run's number is never given twice.
    number  INTEGER PRIMARY KEY AUTOINCREMENT,
    site_id TEXT NOT NULL,
    title   TEXT NOT NULL,
    -- What the run works on: a Proxmox host, a machine, or the site's cluster by the site's name.
    host    TEXT NOT NULL,
    -- Id and short name of the card; both empty for runs of the whole cluster.
    card_id TEXT,
    card    TEXT,
    by_whom TEXT NOT NULL,
    started INTEGER NOT NULL,
    ended   INTEGER,
    state   TEXT NOT NULL,
    note    TEXT
);

CREATE INDEX run_of_site ON run (site_id, number DESC);

CREATE TABLE change (
    run     INTEGER NOT NULL REFERENCES run (number),
    -- From 1, in the order in which the changes are made.
    position INTEGER NOT NULL,
    kind    TEXT NOT NULL,
    target  TEXT NOT NULL,
    summary TEXT NOT NULL,
    risk    TEXT NOT NULL,
    -- The bytes that were there, the bytes written, and how the change is taken back.
    before  BLOB,
    after   BLOB,
    undo    TEXT,
    state   TEXT NOT NULL,
    message TEXT,
    started INTEGER,
    ended   INTEGER,
    PRIMARY KEY (run, position)
);
