-- +goose Up
-- Gains were measured without a limiter and without the peak that one needs. They are measured again with the next
-- generation of each voice.
DELETE FROM voice_gains;
ALTER TABLE voice_gains ADD COLUMN peak_db REAL NOT NULL DEFAULT 0;
