-- +goose Up
-- What the studio holds before it is spoken.
CREATE TABLE drafts (
    seq        INTEGER PRIMARY KEY AUTOINCREMENT,
    id         TEXT    NOT NULL UNIQUE,
    name       TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    content    TEXT    NOT NULL -- JSON
) STRICT;
CREATE INDEX drafts_by_update ON drafts (updated_at);

CREATE TABLE pronunciations (
    seq          INTEGER PRIMARY KEY AUTOINCREMENT,
    id           TEXT    NOT NULL UNIQUE,
    word         TEXT    NOT NULL,
    respelling   TEXT    NOT NULL,
    language     TEXT    NOT NULL, -- BCP 47, empty for all
    word_key     TEXT    NOT NULL, -- the word folded in case
    language_key TEXT    NOT NULL, -- the language in lower case
    sort_key     TEXT    NOT NULL, -- the word, folded
    search_key   TEXT    NOT NULL, -- word and respelling, folded
    UNIQUE (word_key, language_key)
) STRICT;
CREATE INDEX pronunciations_by_word     ON pronunciations (sort_key);
CREATE INDEX pronunciations_by_language ON pronunciations (language_key);

CREATE TABLE scripts (
    seq         INTEGER PRIMARY KEY AUTOINCREMENT,
    id          TEXT    NOT NULL UNIQUE,
    title       TEXT    NOT NULL,
    gap_ms      INTEGER NOT NULL,
    audio_path  TEXT    NOT NULL,
    duration    REAL    NOT NULL, -- seconds
    sample_rate INTEGER NOT NULL, -- Hz
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    turns       TEXT    NOT NULL  -- JSON list of generation ids
) STRICT;

-- One engine sorted by length; the columns behind it let combined filters be read without the wide rows.
CREATE INDEX generations_by_engine_duration
    ON generations (engine, duration, seq, profile_id, status, source, favorite, created_at);
