-- +goose Up
-- The words of both indexes, in order. They store nothing: fts5vocab reads the index.
CREATE VIRTUAL TABLE history_search_words USING fts5vocab(history_search, 'instance');
CREATE VIRTUAL TABLE transcript_search_words USING fts5vocab(transcript_search, 'instance');
