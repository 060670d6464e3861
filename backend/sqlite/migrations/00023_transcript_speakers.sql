-- +goose Up
-- Why the speakers of a transcript were not found, and who was heard when (a JSON list).
ALTER TABLE transcripts ADD COLUMN speakers_error TEXT;
ALTER TABLE transcripts ADD COLUMN turns TEXT NOT NULL DEFAULT '[]';
