-- A change is kept whole, so that it can be gone on with and taken back. No version before this one wrote a change.

ALTER TABLE run ADD COLUMN undoes INTEGER;

-- What the run is to reach, as JSON: the choices and the last step wanted.
ALTER TABLE run ADD COLUMN aim TEXT CHECK (json_valid(aim));

DROP TABLE change;

CREATE TABLE change (
    run      INTEGER NOT NULL REFERENCES run (number) ON DELETE CASCADE,
    -- From 1, in the order in which the changes are made.
    position INTEGER NOT NULL,
    step     TEXT NOT NULL,
    -- The change with what was there and what will be; bytes in base64.
    document TEXT NOT NULL CHECK (json_valid(document)),
    state    TEXT NOT NULL,
    -- What was noted of the system before the change was made, to tell later whether it was.
    mark     TEXT,
    message  TEXT,
    started  INTEGER,
    ended    INTEGER,
    PRIMARY KEY (run, position)
);
