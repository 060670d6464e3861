-- +goose Up
CREATE TABLE voice_gains (
    model       TEXT    NOT NULL,
    voice       TEXT    NOT NULL,
    gain_db     REAL    NOT NULL,
    measured_at INTEGER NOT NULL,
    PRIMARY KEY (model, voice)
) STRICT, WITHOUT ROWID;
