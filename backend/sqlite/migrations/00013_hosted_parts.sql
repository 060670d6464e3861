-- +goose Up
-- One row for each paid call of a hosted generation, written before the call.
CREATE TABLE hosted_parts (
    seq           INTEGER PRIMARY KEY AUTOINCREMENT, -- the order of the calls
    generation_id TEXT    NOT NULL REFERENCES generations (id) ON DELETE CASCADE,
    n             INTEGER NOT NULL, -- the part's place in the text, from 0
    kind          TEXT    NOT NULL,
    state         TEXT    NOT NULL,
    hash          TEXT    NOT NULL, -- SHA-256 of what was sent
    characters    INTEGER NOT NULL, -- code points that were sent
    quoted        INTEGER,
    credits       INTEGER,
    credits_left  INTEGER,
    url           TEXT    NOT NULL, -- '' once the audio is stored
    format        TEXT    NOT NULL,
    file          TEXT    NOT NULL,
    sha256        TEXT    NOT NULL,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL
) STRICT;
CREATE INDEX hosted_parts_by_generation ON hosted_parts (generation_id, seq);
CREATE INDEX hosted_parts_by_state      ON hosted_parts (state);
