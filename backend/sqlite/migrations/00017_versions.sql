-- +goose Up
-- The version of a generation before its text was last changed, so that the change can be taken back once.
CREATE TABLE generation_versions (
    generation_id TEXT PRIMARY KEY REFERENCES generations (id) ON DELETE CASCADE,
    audio_path    TEXT NOT NULL,
    content       TEXT NOT NULL -- JSON
) STRICT;
-- The version of a generation, from 0: the names of its takes begin with it.
ALTER TABLE generations ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
