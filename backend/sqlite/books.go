package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/voicewright/voicewright/backend"
)

// bookRow is a book as it is stored.
type bookRow struct {
	backend.Book
	seq int64
}

// The columns of a book, and the statements. The content has all fields of a book; those with a column of their own win.
var (
	bookColumns = columns[bookRow]{
		{"content", func(b *bookRow) any { return asJSON(&b.Book) }},
		{"id", func(b *bookRow) any { return &b.ID }},
		{"title", func(b *bookRow) any { return &b.Title }},
		{"created_at", func(b *bookRow) any { return asMillis(&b.CreatedAt) }},
		{"updated_at", func(b *bookRow) any { return asMillis(&b.UpdatedAt) }},
	}
	bookRead = join(columns[bookRow]{
		{"seq", func(b *bookRow) any { return &b.seq }},
		{"(SELECT count(*) FROM book_states WHERE book_id = books.id)", func(b *bookRow) any { return &b.Undos }},
		{"place_chapter", func(b *bookRow) any { return &b.Place.ChapterID }},
		{"place_seconds", func(b *bookRow) any { return &b.Place.Seconds }},
	}, bookColumns)

	bookInsert = bookColumns.insert("books")
	bookUpdate = bookColumns.update("books", "id")
)

// allBooks selects all books, last changed first.
func allBooks(page backend.Page) selection {
	return selection{table: "books", columns: bookRead.names(), order: order{column: "updated_at", desc: true}, page: page}
}

func scanBook(rows *sql.Rows) (backend.Book, cursor, error) {
	var b bookRow
	var undos int
	fields := bookRead.fields(&b)
	fields[1] = &undos // the content has a number too
	if err := rows.Scan(fields...); err != nil {
		return b.Book, cursor{}, fmt.Errorf("read book %s: %w", b.ID, err)
	}
	b.Undos = undos
	return b.Book, cursor{Number: float64(millis(b.UpdatedAt)), Seq: b.seq}, nil
}

func scanJSON[T any](rows *sql.Rows) (value T, err error) {
	err = rows.Scan(asJSON(&value))
	return value, err
}

func chaptersOf(ctx context.Context, tx *sql.Tx, id string) ([]backend.BookChapter, error) {
	return collect(ctx, tx, scanJSON[backend.BookChapter], `SELECT content FROM book_chapters WHERE book_id = ? ORDER BY position`, id)
}

// CreateBook stores a new book with its chapters and their texts. It sets an empty ID and the times.
func (db books) CreateBook(ctx context.Context, b backend.Book, texts []backend.BookText) (backend.Book, error) {
	if b.ID == "" {
		b.ID = db.newID()
	}
	b.CreatedAt = fromMillis(millis(db.now()))
	b.UpdatedAt, b.Undos = b.CreatedAt, 0
	err := db.update(ctx, "create book", func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, bookInsert, bookColumns.fields(&bookRow{Book: b})...); err != nil {
			return err
		}
		return saveChapters(ctx, tx, b, texts)
	})
	if err != nil {
		return backend.Book{}, err
	}
	return b, nil
}

// Book returns the book with this id and its chapters, else backend.CodeNotFound. It reads no text.
func (db books) Book(ctx context.Context, id string) (backend.Book, error) {
	var b backend.Book
	err := db.view(ctx, "read book", func(tx *sql.Tx) (err error) {
		if b, err = find(ctx, tx, allBooks(backend.Page{}), id, scanBook, errUnknownBook(id)); err == nil {
			b.Chapters, err = chaptersOf(ctx, tx, id)
		}
		return err
	})
	return b, err
}

// Books returns a page of the books with their chapters, last changed first. A wrong cursor or limit is a *backend.ValidationError.
func (db books) Books(ctx context.Context, page backend.Page) (backend.List[backend.Book], error) {
	list, err := list(ctx, db.library, allBooks(page), scanBook)
	if err != nil {
		return list, err
	}
	return list, db.view(ctx, "list chapters", func(tx *sql.Tx) (err error) {
		for i := range list.Items {
			if list.Items[i].Chapters, err = chaptersOf(ctx, tx, list.Items[i].ID); err != nil {
				return err
			}
		}
		return nil
	})
}

// SaveBook replaces a book and its chapters, whose texts are stored or among texts. before, which may be nil, becomes the state to
// which the change is undone. It sets updated_at, which increases with every change. Error: backend.CodeNotFound.
func (db books) SaveBook(
	ctx context.Context, b backend.Book, texts []backend.BookText, before *backend.BookState,
) (backend.Book, error) {
	err := db.update(ctx, "change book", func(tx *sql.Tx) error {
		if before != nil {
			if err := pushState(ctx, tx, b.ID, *before); err != nil {
				return err
			}
		}
		return db.save(ctx, tx, &b, texts)
	})
	return b, err
}

// save writes a book that has a row.
func (db books) save(ctx context.Context, tx *sql.Tx, b *backend.Book, texts []backend.BookText) error {
	stored, err := find(ctx, tx, allBooks(backend.Page{}), b.ID, scanBook, errUnknownBook(b.ID))
	if err != nil {
		return err
	}
	b.CreatedAt, b.Undos = stored.CreatedAt, stored.Undos
	b.UpdatedAt = fromMillis(max(millis(db.now()), millis(stored.UpdatedAt)+1))
	if _, err := tx.ExecContext(ctx, bookUpdate, append(bookColumns.fields(&bookRow{Book: *b}), b.ID)...); err != nil {
		return err
	}
	return saveChapters(ctx, tx, *b, texts)
}

// saveChapters writes the texts, and those chapters that differ, and removes texts that nothing has any longer.
func saveChapters(ctx context.Context, tx *sql.Tx, b backend.Book, texts []backend.BookText) error {
	for _, text := range texts {
		_, err := tx.ExecContext(ctx, `INSERT INTO book_texts (book_id, key, blocks) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
			b.ID, text.Key, asJSON(&text.Blocks))
		if err != nil {
			return err
		}
	}
	stored, err := collect(ctx, tx, scanOne[string], `SELECT content FROM book_chapters WHERE book_id = ? ORDER BY position`, b.ID)
	if err != nil {
		return err
	}
	for i, chapter := range b.Chapters {
		content, err := json.Marshal(chapter)
		if err != nil {
			return err
		}
		if i < len(stored) && stored[i] == string(content) {
			continue
		}
		_, err = tx.ExecContext(ctx, `INSERT OR REPLACE INTO book_chapters (book_id, position, content) VALUES (?, ?, ?)`,
			b.ID, i, string(content))
		if err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM book_chapters WHERE book_id = ? AND position >= ?`, b.ID, len(b.Chapters)); err != nil {
		return err
	}
	if len(texts) == 0 {
		return nil
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM book_texts WHERE book_id = ?1 AND key NOT IN (
		SELECT json_extract(content, '$.text') FROM book_chapters WHERE book_id = ?1
		UNION SELECT json_extract(p.value, '$.text') FROM book_chapters, json_each(content, '$.parts') p WHERE book_id = ?1
		UNION SELECT json_extract(p.value, '$.text') FROM book_chapters, json_each(content, '$.pending') p WHERE book_id = ?1
		UNION SELECT json_extract(c.value, '$.text') FROM book_states, json_each(content, '$.chapters') c WHERE book_id = ?1
		UNION SELECT json_extract(p.value, '$.text')
			FROM book_states, json_each(book_states.content, '$.chapters') c, json_each(c.value, '$.parts') p WHERE book_id = ?1)`, b.ID)
	return err
}

// pushState stores a state, and forgets the oldest one above backend.MaxBookStates.
func pushState(ctx context.Context, tx *sql.Tx, id string, state backend.BookState) error {
	if _, err := tx.ExecContext(ctx, `INSERT INTO book_states (book_id, content) VALUES (?, ?)`, id, asJSON(&state)); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `DELETE FROM book_states WHERE book_id = ?1 AND seq NOT IN (
		SELECT seq FROM book_states WHERE book_id = ?1 ORDER BY seq DESC LIMIT ?2)`, id, backend.MaxBookStates)
	return err
}

// UndoBook calls restore with the book and its last state, which is then no longer stored, and stores the result.
// Errors: backend.CodeNotFound, CodeNothingToUndo.
func (db books) UndoBook(ctx context.Context, id string, restore func(b *backend.Book, to backend.BookState)) (backend.Book, error) {
	var b backend.Book
	err := db.update(ctx, "undo a change of a book", func(tx *sql.Tx) (err error) {
		if b, err = find(ctx, tx, allBooks(backend.Page{}), id, scanBook, errUnknownBook(id)); err != nil {
			return err
		}
		if b.Chapters, err = chaptersOf(ctx, tx, id); err != nil {
			return err
		}
		states, err := collect(ctx, tx, scanJSON[backend.BookState],
			`SELECT content FROM book_states WHERE book_id = ? ORDER BY seq DESC LIMIT 1`, id)
		if err != nil {
			return err
		}
		if len(states) == 0 {
			return backend.E(backend.CodeNothingToUndo, "No change of this book can be undone.",
				fmt.Sprintf("The last %d changes of a book can be undone.", backend.MaxBookStates)).With("id", id)
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM book_states WHERE seq = (SELECT max(seq) FROM book_states WHERE book_id = ?)`, id)
		if err != nil {
			return err
		}
		restore(&b, states[0])
		return db.save(ctx, tx, &b, nil)
	})
	return b, err
}

// BookTexts returns those of the texts of a book that are stored, by key.
func (db books) BookTexts(ctx context.Context, id string, keys []string) (map[string][]backend.Block, error) {
	texts := map[string][]backend.Block{}
	wanted, err := json.Marshal(append([]string{}, keys...))
	if err != nil {
		return nil, err
	}
	err = db.view(ctx, "read the text of a book", func(tx *sql.Tx) error {
		return each(ctx, tx, func(rows *sql.Rows) error {
			var key string
			var blocks []backend.Block
			err := rows.Scan(&key, asJSON(&blocks))
			texts[key] = blocks
			return err
		}, `SELECT key, blocks FROM book_texts WHERE book_id = ? AND key IN (SELECT value FROM json_each(?))`, id, string(wanted))
	})
	return texts, err
}

// DeleteBook deletes a book, but not its generations. Error: backend.CodeNotFound.
func (db books) DeleteBook(ctx context.Context, id string) error {
	return db.remove(ctx, "delete book", "books", id, errUnknownBook(id))
}

// WantedBooks returns the ids of the books with chapters that are to be generated, oldest first.
func (db books) WantedBooks(ctx context.Context) ([]string, error) {
	return db.ids(ctx, `SELECT id FROM books WHERE EXISTS (
		SELECT 1 FROM book_chapters WHERE book_id = books.id AND json_extract(content, '$.wanted')) ORDER BY seq`)
}

// AddBookGeneration records that a generation was made for a book. The history keeps it as long as the book needs it.
func (db books) AddBookGeneration(ctx context.Context, book, generation string) error {
	return db.update(ctx, "add a generation of a book", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO book_generations (generation_id, book_id) VALUES (?, ?)`, generation, book)
		return err
	})
}

// BookGenerations returns the ids of the generations of a book, oldest first.
func (db books) BookGenerations(ctx context.Context, book string) ([]string, error) {
	return db.ids(ctx, `SELECT generation_id FROM book_generations WHERE book_id = ? ORDER BY generation_id`, book)
}

// GenerationsOfBooks returns the ids of the generations of all books.
func (db books) GenerationsOfBooks(ctx context.Context) ([]string, error) {
	return db.ids(ctx, `SELECT generation_id FROM book_generations`)
}

func (db books) ids(ctx context.Context, query string, args ...any) (ids []string, err error) {
	err = db.view(ctx, "find books or their generations", func(tx *sql.Tx) (err error) {
		ids, err = collect(ctx, tx, scanOne[string], query, args...)
		return err
	})
	return ids, err
}

// BookTextBytes returns how large the manuscripts of all books are, with the texts of former states.
func (db books) BookTextBytes(ctx context.Context) (bytes int64, err error) {
	err = db.view(ctx, "measure the texts of books", func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, `SELECT coalesce(sum(octet_length(blocks)), 0) FROM book_texts`).Scan(&bytes)
	})
	return bytes, err
}

// spareOfBook is the condition for generations of a book that neither its chapters nor its former states have.
const spareOfBook = `book_id = ?1 AND generation_id NOT IN (
	SELECT json_extract(p.value, '$.generation') FROM book_chapters, json_each(content, '$.parts') p WHERE book_id = ?1
	UNION SELECT json_extract(p.value, '$.generation') FROM book_chapters, json_each(content, '$.pending') p WHERE book_id = ?1
	UNION SELECT json_extract(p.value, '$.generation')
		FROM book_states, json_each(book_states.content, '$.chapters') c, json_each(c.value, '$.parts') p WHERE book_id = ?1)`

// SpareBookGenerations returns the ids of the generations that neither the chapters nor the former states of a book have.
func (db books) SpareBookGenerations(ctx context.Context, book string) ([]string, error) {
	return db.ids(ctx, `SELECT generation_id FROM book_generations WHERE `+spareOfBook, book)
}

// DropBookGenerations takes those of the ids that are spare from a book and deletes them from the history, as ExpireGenerations does.
func (db books) DropBookGenerations(ctx context.Context, book string, ids []string) ([]backend.Generation, error) {
	return generations(db).deleteGenerations(ctx, ids, expendable+notOfBooks, func(tx *sql.Tx, list string) error {
		_, err := tx.ExecContext(ctx,
			`DELETE FROM book_generations WHERE `+spareOfBook+` AND generation_id IN (SELECT value FROM json_each(?2))`, book, list)
		return err
	})
}

func errUnknownBook(id string) error {
	return backend.E(backend.CodeNotFound, "No book has this id.", "It may have been deleted; check the list of books.").With("id", id)
}

// SetBookPlace stores where somebody listens to a book, which is no change of it. Error: backend.CodeNotFound.
func (db books) SetBookPlace(ctx context.Context, id string, place backend.BookPlace) error {
	return db.update(ctx, "set the place in a book", func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, `UPDATE books SET place_chapter = ?, place_seconds = ? WHERE id = ?`, place.ChapterID, place.Seconds, id)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 1 {
			return err
		}
		return errUnknownBook(id)
	})
}

// BookCovers returns the names of the files of covers by book. Books without one are left out.
func (db books) BookCovers(ctx context.Context) (map[string]string, error) {
	covers := map[string]string{}
	err := db.view(ctx, "list the covers of books", func(tx *sql.Tx) error {
		return each(ctx, tx, func(rows *sql.Rows) error {
			var id, name string
			err := rows.Scan(&id, &name)
			covers[id] = name
			return err
		}, `SELECT id, json_extract(content, '$.cover') FROM books WHERE json_extract(content, '$.cover') <> ''`)
	})
	return covers, err
}
