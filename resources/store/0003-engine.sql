-- What people have decided about the models of a site, and what loads took, each as JSON.
CREATE TABLE engine (
    site_id   TEXT PRIMARY KEY,
    decisions TEXT CHECK (json_valid(decisions)),
    loads     TEXT CHECK (json_valid(loads))
);

CREATE TABLE engine_entry (
    site_id  TEXT NOT NULL,
    number   INTEGER NOT NULL,
    -- Milliseconds since 1970.
    at       INTEGER NOT NULL,
    document TEXT NOT NULL CHECK (json_valid(document)),
    PRIMARY KEY (site_id, number)
);
