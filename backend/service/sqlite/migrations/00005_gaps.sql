-- +goose Up
-- When the heartbeats of a process began again after a gap; 0 where there was none.
ALTER TABLE instances ADD COLUMN resumed INTEGER NOT NULL DEFAULT 0;
