-- +goose Up
-- The index holds words folded in Go, separated by spaces; the ascii tokenizer takes every byte above
-- 127 as part of a word, so the words are exactly those that were written. It is filled at open
-- whenever the folding that filled it (marks.fold_version) is not the present one.
CREATE VIRTUAL TABLE history_search USING fts5 (
    title, text,
    content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '1 2 3 4'
);

ALTER TABLE profiles ADD COLUMN sort_key   TEXT NOT NULL DEFAULT ''; -- the name, folded
ALTER TABLE profiles ADD COLUMN search_key TEXT NOT NULL DEFAULT ''; -- name, description and language, folded
CREATE INDEX profiles_by_name ON profiles (sort_key);
