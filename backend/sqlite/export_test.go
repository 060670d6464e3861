package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/sqlite/internal/words"
)

// Fill stores many generations in one step, for tests that need a long history.
func (db *DB) Fill(ctx context.Context, generations []backend.Generation) error {
	return db.update(ctx, "fill", func(tx *sql.Tx) error {
		for _, g := range generations {
			if err := insertGeneration(ctx, tx, g); err != nil {
				return err
			}
		}
		return nil
	})
}

// FillTranscripts is Fill for transcripts.
func (db *DB) FillTranscripts(ctx context.Context, transcripts []backend.Transcript) error {
	return db.update(ctx, "fill", func(tx *sql.Tx) error {
		for _, t := range transcripts {
			if err := insertTranscript(ctx, tx, t); err != nil {
				return err
			}
		}
		return nil
	})
}

// ForgetFolding leaves the library as if it had been filled by another version of the folding.
func (db *DB) ForgetFolding(ctx context.Context) error {
	return db.update(ctx, "forget", func(tx *sql.Tx) error {
		for _, index := range []string{"history_search", "transcript_search"} {
			if _, err := tx.ExecContext(ctx, `INSERT INTO `+index+` (`+index+`) VALUES ('delete-all')`); err != nil {
				return err
			}
		}
		return setMark(ctx, tx, "fold_version", "0")
	})
}

// LimitPages makes the file full soon, like a disk without room.
func (db *DB) LimitPages(ctx context.Context) error {
	var pages int
	if err := db.write.QueryRowContext(ctx, `PRAGMA page_count`).Scan(&pages); err != nil {
		return err
	}
	_, err := db.write.ExecContext(ctx, fmt.Sprintf(`PRAGMA max_page_count = %d`, pages+2))
	return err
}

// Exec runs a statement of a test.
func (db *DB) Exec(ctx context.Context, statement string) error {
	_, err := db.write.ExecContext(ctx, statement)
	return err
}

// Fold is how texts are kept for searching.
func Fold(s string) string { return words.Fold(s) }

// Highlight is the marked part of a text for what a user typed.
func Highlight(title, text, typed string) string {
	terms, _ := words.Parse(typed)
	return words.Highlight(title, text, terms)
}

// Count returns the number of rows of a table.
func (db *DB) Count(ctx context.Context, table string) (n int, err error) {
	err = db.read.QueryRowContext(ctx, `SELECT count(*) FROM `+table).Scan(&n)
	return n, err
}

// MaxEdits is the number of edits that can be undone.
const MaxEdits = maxEdits

// MigrateTo brings a library file to a schema version as an older program would have.
func MigrateTo(ctx context.Context, path string, version int64) error {
	db := &library{path: path}
	if err := errors.Join(db.touch(), db.connect()); err != nil {
		return err
	}
	provider, err := db.provider()
	if err == nil {
		_, err = provider.UpTo(ctx, version)
	}
	return errors.Join(err, db.disconnect())
}

// MigrateWithin is Open of a library whose file may grow by so many pages only, as on a disk without room.
func MigrateWithin(ctx context.Context, path string, pages int) error {
	db := &library{path: path, now: time.Now}
	if err := errors.Join(db.touch(), db.connect()); err != nil {
		return err
	}
	db.write.SetMaxOpenConns(1)
	var have int
	err := db.write.QueryRowContext(ctx, `PRAGMA page_count`).Scan(&have)
	if err == nil {
		_, err = db.write.ExecContext(ctx, fmt.Sprintf(`PRAGMA max_page_count = %d`, have+pages))
	}
	if err == nil {
		provider, failed := db.provider()
		if err = failed; err == nil {
			_, err = provider.Up(ctx)
		}
	}
	return errors.Join(db.fail("migrate", err), db.disconnect())
}
