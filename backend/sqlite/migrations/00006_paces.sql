-- +goose Up
-- How fast a model was on this machine, by the number of chunks spoken at once.
CREATE TABLE paces (
    model       TEXT    NOT NULL,
    callers     INTEGER NOT NULL, -- how many the engine takes, which goes by the machine's cores
    width       INTEGER NOT NULL, -- chunks at once
    rate        REAL    NOT NULL, -- characters per second
    measured_at INTEGER NOT NULL,
    PRIMARY KEY (model, callers, width)
) STRICT, WITHOUT ROWID;
