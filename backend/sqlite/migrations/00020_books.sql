-- +goose Up
CREATE TABLE books (
    seq        INTEGER PRIMARY KEY AUTOINCREMENT,
    id         TEXT    NOT NULL UNIQUE,
    title      TEXT    NOT NULL,
    created_at INTEGER NOT NULL, -- milliseconds UTC
    updated_at INTEGER NOT NULL,
    content    TEXT    NOT NULL -- JSON: the rest of the book but its chapters
) STRICT;

CREATE TABLE book_chapters (
    book_id  TEXT    NOT NULL REFERENCES books (id) ON DELETE CASCADE,
    position INTEGER NOT NULL, -- from 0
    content  TEXT    NOT NULL, -- JSON
    PRIMARY KEY (book_id, position)
) STRICT, WITHOUT ROWID;

-- The texts of chapters, by the key of their content, so that a list of chapters reads none and a former state repeats none.
CREATE TABLE book_texts (
    book_id TEXT NOT NULL REFERENCES books (id) ON DELETE CASCADE,
    key     TEXT NOT NULL,
    blocks  TEXT NOT NULL, -- JSON
    PRIMARY KEY (book_id, key)
) STRICT;

-- Former states of a book, to which changes are undone.
CREATE TABLE book_states (
    seq     INTEGER PRIMARY KEY AUTOINCREMENT,
    book_id TEXT NOT NULL REFERENCES books (id) ON DELETE CASCADE,
    content TEXT NOT NULL -- JSON
) STRICT;
CREATE INDEX book_states_by_book ON book_states (book_id, seq);

-- The generations that were made for a book. No foreign key to the history: an entry can be deleted there.
CREATE TABLE book_generations (
    generation_id TEXT NOT NULL PRIMARY KEY,
    book_id       TEXT NOT NULL REFERENCES books (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX book_generations_by_book ON book_generations (book_id);
