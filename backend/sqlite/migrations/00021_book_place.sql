-- +goose Up
-- Where somebody listens to a book. Columns of their own, as a change of a book writes the rest.
ALTER TABLE books ADD COLUMN place_chapter TEXT NOT NULL DEFAULT ''; -- the id of a chapter that may be gone, '' for none
ALTER TABLE books ADD COLUMN place_seconds REAL NOT NULL DEFAULT 0; -- from the beginning of the chapter
