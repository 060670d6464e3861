package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/voicewright/voicewright/backend"
)

// ErrEmpty is the cause of an error about a library that holds nothing, not even what was deleted from it.
var ErrEmpty = errors.New("the library is empty")

// CheckRows reads everything in the library as the program does. Errors: database_corrupt for an empty library, with the cause
// ErrEmpty, and for rows that cannot be read.
func (db *DB) CheckRows(ctx context.Context) error {
	rows := 0
	err := db.view(ctx, "check the rows", func(tx *sql.Tx) error {
		for _, table := range db.readers() {
			err := each(ctx, tx, func(r *sql.Rows) error {
				rows++
				return table.scan(r)
			}, table.query)
			if err != nil {
				return db.rejectedError(ctx, table.query, err)
			}
		}
		return nil
	})
	if err == nil && rows == 0 {
		err = db.fail("check the rows", db.errCorrupt(ErrEmpty))
	}
	return err
}

// tableReader reads the rows of a table.
type tableReader struct {
	query string
	scan  func(*sql.Rows) error
}

// readers returns how each table is read.
func (db *DB) readers() []tableReader {
	generation := func(r *sql.Rows) error {
		g, err := db.scanGeneration(r)
		return errors.Join(err, checkKnown(g.Status))
	}
	transcript := func(r *sql.Rows) error {
		t, err := db.scanTranscript(r)
		return errors.Join(err, checkKnown(t.Status))
	}
	return []tableReader{
		{generationSelect, generation},
		{`SELECT content FROM generation_versions`, validJSON},
		{transcriptSelect, transcript},
		{`SELECT undo FROM transcript_edits`, validJSON},
		{profileSelect, only(scanProfile)},
		{sampleSelect, only(sampleColumns.scan)},
		{selectAll(allDrafts(backend.Page{})), onlyAt(scanDraft)},
		{selectAll(allScripts(backend.Page{})), onlyAt(db.scanScript)},
		{selectAll(allBooks(backend.Page{})), onlyAt(scanBook)},
		{`SELECT content FROM book_chapters`, only(scanJSON[backend.BookChapter])},
		{`SELECT content FROM book_states`, only(scanJSON[backend.BookState])},
		{`SELECT blocks FROM book_texts`, only(scanJSON[[]backend.Block])},
		{`SELECT generation_id FROM book_generations`, only(scanOne[string])},
		{hostedPartSelect, only(hostedPartWhole.scan)},
		{`SELECT word FROM pronunciations`, only(scanOne[string])},
		{`SELECT voice_id FROM deleted_presets`, only(scanOne[string])},
		{`SELECT value FROM marks WHERE key = '` + profileDeleted + `'`, only(scanOne[string])},
		{`SELECT value FROM settings`, only(scanOne[string])}, // one that is wrong counts as unset
	}
}

// selectAll returns the query for all rows of a list.
func selectAll(s selection) string { return `SELECT ` + s.columns + ` FROM ` + s.table }

func only[T any](scan func(*sql.Rows) (T, error)) func(*sql.Rows) error {
	return func(r *sql.Rows) error {
		_, err := scan(r)
		return err
	}
}

func onlyAt[T any](scan func(*sql.Rows) (T, cursor, error)) func(*sql.Rows) error {
	return func(r *sql.Rows) error {
		_, _, err := scan(r)
		return err
	}
}

// checkKnown returns an error for a status that no row can have.
func checkKnown(s backend.Status) error {
	if s == backend.StatusTranscribing || slices.Contains(backend.Statuses(), s) {
		return nil
	}
	return fmt.Errorf("the status %q is unknown", string(s))
}

// validJSON reads a column that is JSON.
func validJSON(r *sql.Rows) error {
	text, err := scanOne[string](r)
	if err == nil && !json.Valid([]byte(text)) {
		err = fmt.Errorf("%.100q is not JSON", text)
	}
	return err
}

// StoredSettings returns the settings in the library file at path, as DB.Settings does, without changing the file. Errors: those of
// DB.Settings, database_corrupt, and fs.ErrNotExist where there is no file.
func StoredSettings(ctx context.Context, path string) (map[string]json.RawMessage, error) {
	db := &library{path: path}
	if err := db.checkHeader(); err != nil {
		return nil, err
	}
	pool, err := sql.Open("sqlite", dsn(path, "mode=ro", "_pragma=trusted_schema(0)", "_pragma=busy_timeout(5000)"))
	if err != nil {
		return nil, err
	}
	defer func() { _ = pool.Close() }() // it only reads
	db.read = pool
	return settings{db}.Settings(ctx)
}
