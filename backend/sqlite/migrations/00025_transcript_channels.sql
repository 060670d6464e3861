-- +goose Up
-- Of a stereo source: whether each channel has one speaker (a JSON object), and when each of them speaks (a JSON list of two lists).
ALTER TABLE transcripts ADD COLUMN channels TEXT;
ALTER TABLE transcripts ADD COLUMN channel_turns TEXT NOT NULL DEFAULT '[]';
