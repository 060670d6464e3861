-- +goose Up
-- How well a transcription model understood a generation, and why it could not be heard; the chunks have theirs in their JSON.
ALTER TABLE generations ADD COLUMN verify TEXT;
ALTER TABLE generations ADD COLUMN verify_error TEXT;
