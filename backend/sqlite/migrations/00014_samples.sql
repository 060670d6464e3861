-- +goose Up
-- The recordings from which a profile's voice is cloned, and the statement that this is allowed. The audio of a sample is the
-- file voices/<profile_id>/<id>.wav.
CREATE TABLE samples (
    seq         INTEGER PRIMARY KEY AUTOINCREMENT, -- the order in which they are joined
    id          TEXT    NOT NULL UNIQUE,
    profile_id  TEXT    NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
    name        TEXT    NOT NULL,
    seconds     REAL    NOT NULL,
    sample_rate INTEGER NOT NULL,
    level_lufs  REAL    NOT NULL,
    noise_db    REAL    NOT NULL,
    clipped     INTEGER NOT NULL,
    speakers    INTEGER NOT NULL,
    warnings    TEXT    NOT NULL, -- JSON list
    transcript  TEXT    NOT NULL,
    sha256      TEXT    NOT NULL,
    created_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX samples_by_profile ON samples (profile_id, seq);
ALTER TABLE profiles ADD COLUMN consent_kind TEXT NOT NULL DEFAULT ''; -- '' without samples
ALTER TABLE profiles ADD COLUMN consent_by TEXT NOT NULL DEFAULT '';
ALTER TABLE profiles ADD COLUMN consent_at INTEGER NOT NULL DEFAULT 0;
