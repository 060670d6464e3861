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

// How a longer start of a word is divided.
const (
	maxBegun    = 16     // words that begin with it, as each of them costs time in every row
	maxBranches = 32     // characters that it goes on with
	manyRows    = 10_000 // rows with start as a word, from which on it costs less to divide them by characters than to collect them
)

// matching returns the terms as a query of the index. The pieces contain only letters, digits and marks, so quotes are safe.
//
// For a start that is longer than the lists of the index, FTS5 would collect all rows of all words that begin with it before it
// returns the first one. So it is divided where that costs less: then the scan ends where the limit does. collects reports
// whether a start is left for which it does.
func (q searchQuery) matching(ctx context.Context, tx *sql.Tx) (query string, collects bool, err error) {
	parts := make([]string, len(q.terms))
	for i, t := range q.terms {
		parts[i] = `"` + strings.Join(t.Pieces, " ") + `"`
		if !t.Prefix {
			continue
		}
		parts[i] += "*"
		if last := t.Pieces[len(t.Pieces)-1]; utf8.RuneCountInString(last) <= indexedStart {
			continue
		}
		var divided []string
		if len(t.Pieces) == 1 {
			if divided, err = q.divide(ctx, tx, t.Pieces[0]); err != nil {
				return "", false, err
			}
		}
		switch {
		case len(divided) == 0:
			collects = true
		case len(divided) > 2 && divided[0] == `"`+t.Pieces[0]+`"`:
			// Most rows have the word itself. FTS5 looks at each part of an OR for every row, unless another operator stands
			// between; no word is a line separator.
			parts[i] = "(" + divided[0] + " OR ((" + strings.Join(divided[1:], " OR ") + ") NOT \"\u2028\"))"
		default:
			parts[i] = "(" + strings.Join(divided, " OR ") + ")"
		}
	}
	return strings.Join(parts, " AND "), collects, nil
}

// divide returns queries for the words that begin with start, none if they are better collected: start as a word and its
// continuations by one character, if many rows have the word; else the words themselves where they are few.
func (q searchQuery) divide(ctx context.Context, tx *sql.Tx, start string) ([]string, error) {
	word := `"` + start + `"`
	many, err := q.common(ctx, tx, word)
	if err != nil {
		return nil, err
	}
	if many {
		const longer = `substr(word, 1, length(?1) + 1)`
		parts, err := jump(ctx, tx, q.index, start, maxBranches,
			`CASE word WHEN ?1 THEN word || char(1) ELSE `+longer+` || char(0x10FFFF) END`,
			`CASE word WHEN ?1 THEN '"' || word || '"' ELSE '"' || `+longer+` || '"*' END`)
		if err != nil || len(parts) <= maxBranches {
			return parts, err
		}
	}
	parts, err := jump(ctx, tx, q.index, start, maxBegun, `word || char(1)`, `'"' || word || '"'`)
	if len(parts) > maxBegun {
		return nil, err
	}
	return parts, err
}

// common estimates from the newest rows whether manyRows have a word.
func (q searchQuery) common(ctx context.Context, tx *sql.Tx, word string) (bool, error) {
	const newest = 500
	found, err := collect(ctx, tx, scanOne[bool], fmt.Sprintf(`SELECT count(*) * (SELECT ifnull(max(seq), 0) FROM %s) >= ? FROM %s
		WHERE %[2]s MATCH ? AND rowid > (SELECT max(seq) FROM %[1]s) - ?`, q.table, q.index), manyRows*newest, word, newest)
	return err == nil && found[0], err
}

// jump returns part of up to limit+1 words of an index that begin with start, each the first one from after of the former one on;
// part and after are SQL of word. It reads none of their rows. No word contains the characters that the bounds end with.
func jump(ctx context.Context, tx *sql.Tx, index, start string, limit int, after, part string) ([]string, error) {
	const next = `SELECT term FROM %s_words WHERE term >= %s AND term < ?1 || char(0x10FFFF) LIMIT 1`
	return collect(ctx, tx, scanOne[string], fmt.Sprintf(`WITH RECURSIVE found (word) AS (
		SELECT (`+next+`) UNION ALL SELECT (`+next+`) FROM found WHERE word IS NOT NULL LIMIT %d)
		SELECT %s FROM found WHERE word IS NOT NULL`, index, "?1", index, after, limit+1, part), start)
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
