-- +goose Up
-- The names of the speakers of the turns: a JSON list, NULL where none was given.
ALTER TABLE scripts ADD COLUMN speakers TEXT;
