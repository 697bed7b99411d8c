-- Curves of cards and model servers: samples for an hour, then means of minutes for a day and of quarters for a month.
CREATE TABLE figure_series (
    id      INTEGER PRIMARY KEY,
    site_id TEXT NOT NULL,
    -- The card's id; for tokens a second the name of the model server.
    subject TEXT NOT NULL,
    figure  TEXT NOT NULL,
    UNIQUE (site_id, subject, figure)
);

CREATE TABLE figure_point (
    series  INTEGER NOT NULL REFERENCES figure_series (id) ON DELETE CASCADE,
    -- Milliseconds that the point stands for, 0 for one sample.
    grain   INTEGER NOT NULL,
    -- When it begins, milliseconds since 1970.
    at      INTEGER NOT NULL,
    samples INTEGER NOT NULL,
    mean    REAL NOT NULL,
    least   REAL NOT NULL,
    most    REAL NOT NULL,
    PRIMARY KEY (series, grain, at)
) WITHOUT ROWID;

-- How fast models were where they were measured, as JSON.
ALTER TABLE engine ADD COLUMN speeds TEXT CHECK (json_valid(speeds));
