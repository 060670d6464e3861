-- +goose Up
-- The generation whose paid audio a part is a copy of; it cost nothing then.
ALTER TABLE hosted_parts ADD COLUMN copied_from TEXT NOT NULL DEFAULT ''; -- '' for what was paid
