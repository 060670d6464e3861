-- +goose Up
-- The version before the last revision of a script, the turns that belong to neither version but may be used by the next one,
-- and how the joined file was levelled. All are JSON, NULL where there is none.
ALTER TABLE scripts ADD COLUMN previous TEXT;
ALTER TABLE scripts ADD COLUMN spare TEXT;
ALTER TABLE scripts ADD COLUMN receipt TEXT;
