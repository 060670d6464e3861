-- +goose Up
-- Which sound of each turn is in the joined file: a JSON list of SHA-256, NULL where that was not written down.
ALTER TABLE scripts ADD COLUMN joined TEXT;
