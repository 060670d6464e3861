-- +goose Up
-- The wide columns stand last, as in generations.
CREATE TABLE transcripts (
    seq           INTEGER PRIMARY KEY AUTOINCREMENT, -- the order of acceptance
    id            TEXT    NOT NULL UNIQUE,
    status        TEXT    NOT NULL,
    progress      REAL    NOT NULL,
    source        TEXT    NOT NULL,
    model_name    TEXT    NOT NULL,
    language      TEXT    NOT NULL,
    duration      REAL    NOT NULL, -- seconds
    file_name     TEXT    NOT NULL,
    generation_id TEXT, -- no foreign key: transcripts outlive their generation
    audio_path    TEXT    NOT NULL,
    title         TEXT    NOT NULL,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    error         TEXT, -- JSON, as warnings, request and segments
    warnings      TEXT    NOT NULL,
    request       TEXT    NOT NULL,
    text          TEXT    NOT NULL,
    segments      TEXT    NOT NULL
) STRICT;
CREATE INDEX transcripts_by_status ON transcripts (status, seq);
CREATE INDEX transcripts_by_time   ON transcripts (created_at);

-- What undoes an edit or a rerun, the newest last.
CREATE TABLE transcript_edits (
    seq        INTEGER PRIMARY KEY AUTOINCREMENT,
    transcript INTEGER NOT NULL REFERENCES transcripts (seq) ON DELETE CASCADE,
    undo       TEXT    NOT NULL -- JSON
) STRICT;
CREATE INDEX transcript_edits_by_transcript ON transcript_edits (transcript, seq);

-- As history_search.
CREATE VIRTUAL TABLE transcript_search USING fts5 (
    title, text, speakers,
    content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '1 2 3 4'
);
