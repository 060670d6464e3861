package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend/sqlite/internal/words"
)

// indexedStart is up to how many characters of the start of a word the index has a list of rows for, see the migrations.
const indexedStart = 4

// maxBegun is up to how many words are written out for a longer start, as each of them costs time in every row.
const maxBegun = 16

// match returns the terms as a query of an FTS5 index. The pieces contain only letters, digits and marks, so quotes are safe.
//
// For a start that is longer than the lists of the index, FTS5 would collect all rows of all words that begin with it before it
// returns the first one. So these words are written out where they are few: then the scan ends where the limit does.
func match(ctx context.Context, tx *sql.Tx, index string, terms []words.Term) (string, error) {
	parts := make([]string, len(terms))
	for i, t := range terms {
		parts[i] = `"` + strings.Join(t.Pieces, " ") + `"`
		if !t.Prefix {
			continue
		}
		parts[i] += "*"
		if len(t.Pieces) > 1 || utf8.RuneCountInString(t.Pieces[0]) <= indexedStart {
			continue
		}
		found, err := begun(ctx, tx, index, t.Pieces[0])
		if err != nil {
			return "", err
		}
		if len(found) > 0 && len(found) <= maxBegun {
			parts[i] = `("` + strings.Join(found, `" OR "`) + `")`
		}
	}
	return strings.Join(parts, " AND "), nil
}

// begun returns up to maxBegun+1 words of an index that begin with start. It jumps from one to the next, and reads none of
// their rows. No word contains the characters that the bounds end with.
func begun(ctx context.Context, tx *sql.Tx, index, start string) ([]string, error) {
	const next = `SELECT term FROM %s_words WHERE term >= %s AND term < ?1 || char(0x10FFFF) LIMIT 1`
	return collect(ctx, tx, scanOne[string], fmt.Sprintf(`WITH RECURSIVE found (word) AS (
		SELECT (`+next+`) UNION ALL SELECT (`+next+`) FROM found WHERE word IS NOT NULL LIMIT %d)
		SELECT word FROM found WHERE word IS NOT NULL`, index, "?1", index, "word || char(1)", maxBegun+1), start)
}

// index adds the words of a generation to the full-text index.
func index(ctx context.Context, tx *sql.Tx, seq int64, title, text string) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO history_search (rowid, title, text) VALUES (?, ?, ?)`,
		seq, words.Fold(title), words.Fold(text))
	return err
}

// reindex replaces the words of a generation in the full-text index.
func reindex(ctx context.Context, tx *sql.Tx, seq int64, title, text string) error {
	_, err := tx.ExecContext(ctx, `UPDATE history_search SET title = ?, text = ? WHERE rowid = ?`,
		words.Fold(title), words.Fold(text), seq)
	return err
}

// refold rebuilds all folded columns and the search index if another version of the folding wrote them.
func (db *DB) refold(ctx context.Context) error {
	const op = "fill search index"
	var have string
	err := db.view(ctx, op, func(tx *sql.Tx) (err error) {
		have, err = mark(ctx, tx, "fold_version")
		return err
	})
	if err != nil || have == words.FoldVersion {
		return err
	}
	return db.update(ctx, op, func(tx *sql.Tx) error {
		if err := refoldHistory(ctx, tx); err != nil {
			return err
		}
		if err := db.refoldTranscripts(ctx, tx); err != nil {
			return err
		}
		if err := refoldProfiles(ctx, tx); err != nil {
			return err
		}
		return setMark(ctx, tx, "fold_version", words.FoldVersion)
	})
}

func refoldHistory(ctx context.Context, tx *sql.Tx) error {
	if _, err := tx.ExecContext(ctx, `INSERT INTO history_search (history_search) VALUES ('delete-all')`); err != nil {
		return err
	}
	return each(ctx, tx, func(rows *sql.Rows) error {
		var seq int64
		var title, text string
		if err := rows.Scan(&seq, &title, &text); err != nil {
			return err
		}
		return index(ctx, tx, seq, title, text)
	}, `SELECT seq, title, text FROM generations ORDER BY seq`)
}

func refoldProfiles(ctx context.Context, tx *sql.Tx) error {
	profiles, err := collect(ctx, tx, scanProfile, profileSelect)
	if err != nil {
		return err
	}
	for _, row := range profiles {
		if err := storeProfile(ctx, tx, row.Profile); err != nil {
			return err
		}
	}
	return nil
}
