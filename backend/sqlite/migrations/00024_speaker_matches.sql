-- +goose Up
-- Which speakers of a transcript sound like known ones: a JSON list of names, ids and cosines.
ALTER TABLE transcripts ADD COLUMN matches TEXT NOT NULL DEFAULT '[]';
