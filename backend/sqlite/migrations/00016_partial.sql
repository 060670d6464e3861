-- +goose Up
-- The finished chunks of a generation that was stopped or failed, as JSON. Their audio is the file audio/partial/<id>.journal.
ALTER TABLE generations ADD COLUMN partial TEXT;
