-- +goose Up
CREATE TABLE profiles (
    seq             INTEGER PRIMARY KEY AUTOINCREMENT,
    id              TEXT    NOT NULL UNIQUE,
    name            TEXT    NOT NULL,
    name_key        TEXT    NOT NULL UNIQUE, -- the name folded in case
    description     TEXT    NOT NULL,
    language        TEXT    NOT NULL,
    voice_type      TEXT    NOT NULL,
    preset_engine   TEXT    NOT NULL,
    preset_voice_id TEXT    NOT NULL,
    model_name      TEXT    NOT NULL,
    hosted_voice_id TEXT    NOT NULL,
    hosted_model_id TEXT    NOT NULL,
    speed           REAL    NOT NULL,
    favorite        INTEGER NOT NULL,
    created_at      INTEGER NOT NULL, -- milliseconds UTC, as all times here
    updated_at      INTEGER NOT NULL
) STRICT;
CREATE INDEX profiles_by_preset ON profiles (preset_engine, preset_voice_id);

-- Preset voices whose profile the user deleted: a new download does not bring them back.
CREATE TABLE deleted_presets (
    engine   TEXT NOT NULL,
    voice_id TEXT NOT NULL,
    PRIMARY KEY (engine, voice_id)
) STRICT, WITHOUT ROWID;

-- The wide columns stand last, so that filters read only the first page of a row.
CREATE TABLE generations (
    seq          INTEGER PRIMARY KEY AUTOINCREMENT, -- the order of acceptance
    id           TEXT    NOT NULL UNIQUE,
    profile_id   TEXT    NOT NULL, -- no foreign key: history outlives its profile
    profile_name TEXT    NOT NULL,
    status       TEXT    NOT NULL,
    progress     REAL    NOT NULL,
    source       TEXT    NOT NULL,
    engine       TEXT    NOT NULL,
    model_name   TEXT    NOT NULL,
    voice        TEXT    NOT NULL,
    language     TEXT    NOT NULL,
    speed        REAL    NOT NULL,
    seed         INTEGER NOT NULL,
    favorite     INTEGER NOT NULL,
    credits      INTEGER,
    parent_id    TEXT,
    format       TEXT    NOT NULL,
    sample_rate  INTEGER NOT NULL, -- Hz
    channels     INTEGER NOT NULL,
    duration     REAL    NOT NULL, -- seconds
    characters   INTEGER NOT NULL, -- code points of text
    created_at   INTEGER NOT NULL,
    audio_path   TEXT    NOT NULL,
    title        TEXT    NOT NULL,
    error        TEXT, -- JSON, as the next three
    request      TEXT    NOT NULL,
    chunks       TEXT    NOT NULL,
    receipt      TEXT,
    text         TEXT    NOT NULL
) STRICT;
-- seq as the second column gives the order of the history; the columns behind it let combined filters be
-- counted without reading the wide rows.
CREATE INDEX generations_by_profile  ON generations (profile_id, seq, status, engine, source, favorite, created_at);
CREATE INDEX generations_by_engine   ON generations (engine, seq, status, source, favorite, created_at);
CREATE INDEX generations_by_status   ON generations (status, seq, engine, source, favorite, created_at);
CREATE INDEX generations_by_source   ON generations (source, seq, engine, status, favorite, created_at);
CREATE INDEX generations_by_time     ON generations (created_at);
CREATE INDEX generations_by_duration ON generations (duration);
CREATE INDEX generations_favorites   ON generations (favorite) WHERE favorite = 1;

CREATE TABLE settings (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL -- JSON
) STRICT, WITHOUT ROWID;

-- What the store itself remembers, such as that the first profile was made once.
CREATE TABLE marks (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
