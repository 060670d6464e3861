-- +goose Up
-- Why this build cannot speak with the voice of the profile; empty for one that it can.
ALTER TABLE profiles ADD COLUMN reason TEXT NOT NULL DEFAULT '';
