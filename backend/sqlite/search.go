package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxTerms is the maximum number of words of a search; the others are ignored.
const maxTerms = 32

// term is one word of a search as folded pieces, which must follow each other; the last one may be the start
// of a word.
type term struct {
	pieces []string
	prefix bool
}

// parseSearch returns the words that a user typed; there is no syntax. words is false if there is no letter or digit, which
// matches nothing.
func parseSearch(typed string) (terms []term, words bool) {
	for field := range strings.FieldsSeq(typed) {
		var t term
		for sp := range spans(field) {
			t.pieces = append(t.pieces, sp.folded...)
		}
		if len(t.pieces) == 0 || len(terms) == maxTerms {
			continue
		}
		_, single := nextWord(t.pieces[len(t.pieces)-1])
		t.prefix = !single
		terms = append(terms, t)
	}
	return terms, len(terms) > 0
}

// indexedStart is up to how many characters of the start of a word the index has a list of rows for, see the migrations.
const indexedStart = 4

// maxBegun is up to how many words are written out for a longer start, as each of them costs time in every row.
const maxBegun = 16

// match returns the terms as a query of an FTS5 index. The pieces contain only letters, digits and marks, so quotes are safe.
//
// For a start that is longer than the lists of the index, FTS5 would collect all rows of all words that begin with it before it
// returns the first one. So these words are written out where they are few: then the scan ends where the limit does.
func match(ctx context.Context, tx *sql.Tx, index string, terms []term) (string, error) {
	parts := make([]string, len(terms))
	for i, t := range terms {
		parts[i] = `"` + strings.Join(t.pieces, " ") + `"`
		if !t.prefix {
			continue
		}
		parts[i] += "*"
		if len(t.pieces) > 1 || utf8.RuneCountInString(t.pieces[0]) <= indexedStart {
			continue
		}
		words, err := begun(ctx, tx, index, t.pieces[0])
		if err != nil {
			return "", err
		}
		if len(words) > 0 && len(words) <= maxBegun {
			parts[i] = `("` + strings.Join(words, `" OR "`) + `")`
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

// The size of a highlight in code points: about how much in all, and how much before the first hit.
const (
	highlightSize = 160
	highlightLead = 50
)

// highlight returns the part of the text (else of the title) around the first hit, HTML-escaped, with <mark>
// around every hit in it. It is empty without terms and without a hit.
func highlight(title, text string, terms []term) string {
	if len(terms) == 0 {
		return ""
	}
	if s := excerpt(text, terms); s != "" {
		return s
	}
	return excerpt(title, terms)
}

func excerpt(s string, terms []term) string {
	hits, from, to := findHits(s, terms)
	if len(hits) == 0 {
		return ""
	}
	var b strings.Builder
	if from > 0 {
		b.WriteString("…")
	}
	at := from
	for _, h := range hits {
		b.WriteString(escape(s[at:h.start]))
		b.WriteString("<mark>" + escape(s[h.start:h.end]) + "</mark>")
		at = h.end
	}
	b.WriteString(escape(s[at:to]))
	if to < len(s) {
		b.WriteString("…")
	}
	return b.String()
}

// escape returns a text with HTML characters escaped.
func escape(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(s)
}

// hit is a found range of bytes.
type hit struct{ start, end int }

// findHits returns the hits around the first one and the range [from, to) of s to show. It reads s no further
// than necessary.
func findHits(s string, terms []term) (hits []hit, from, to int) {
	f := finder{terms: terms}
	to = len(s)
	for sp := range spans(s) {
		if len(hits) > 0 && sp.end > to {
			break
		}
		start, ok := f.next(sp)
		if !ok {
			continue
		}
		if len(hits) == 0 {
			from, to = window(s, start, sp.end)
		}
		h := hit{start: max(start, from), end: sp.end}
		for len(hits) > 0 && hits[len(hits)-1].end > h.start { // a longer phrase around an earlier hit
			h.start = min(h.start, hits[len(hits)-1].start)
			hits = hits[:len(hits)-1]
		}
		hits = append(hits, h)
	}
	return hits, from, to
}

// finder finds the terms in the words of a text, which are passed one after another.
type finder struct {
	terms  []term
	recent []piece
}

// piece is a folded piece and the byte where its word starts.
type piece struct {
	start  int
	folded string
}

// next processes one word and returns the start of the longest term that ends with it.
func (f *finder) next(sp span) (start int, ok bool) {
	start = sp.end
	for _, folded := range sp.folded {
		f.recent = append(f.recent, piece{sp.start, folded})
		for _, t := range f.terms {
			if at, hit := t.endsAt(f.recent); hit {
				start, ok = min(start, at), true
			}
		}
	}
	if n := len(f.recent) - longest(f.terms); n > 1024 {
		f.recent = slices.Delete(f.recent, 0, n)
	}
	return start, ok
}

// endsAt reports whether the last pieces are the term, and where they start.
func (t term) endsAt(recent []piece) (start int, ok bool) {
	n := len(t.pieces)
	if n > len(recent) {
		return 0, false
	}
	tail := recent[len(recent)-n:]
	for i, p := range t.pieces {
		same := tail[i].folded == p
		if i == n-1 && t.prefix {
			same = strings.HasPrefix(tail[i].folded, p)
		}
		if !same {
			return 0, false
		}
	}
	return tail[0].start, true
}

// longest returns the number of pieces of the longest term.
func longest(terms []term) int {
	n := 0
	for _, t := range terms {
		n = max(n, len(t.pieces))
	}
	return n
}

// window returns the range of s to show around a first hit, cut between words where there are spaces.
func window(s string, start, end int) (from, to int) {
	from = start
	for range highlightLead {
		_, size := utf8.DecodeLastRuneInString(s[:from])
		from -= size
	}
	if space := strings.IndexFunc(s[from:start], unicode.IsSpace); from > 0 && space >= 0 {
		from += space + 1
	}
	to = from
	for range highlightSize {
		_, size := utf8.DecodeRuneInString(s[to:])
		to += size
	}
	to = max(to, end)
	if space := strings.LastIndexFunc(s[end:to], unicode.IsSpace); to < len(s) && space >= 0 {
		to = end + space
	}
	return from, to
}

// index adds the words of a generation to the full-text index.
func index(ctx context.Context, tx *sql.Tx, seq int64, title, text string) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO history_search (rowid, title, text) VALUES (?, ?, ?)`,
		seq, fold(title), fold(text))
	return err
}

// reindex replaces the words of a generation in the full-text index.
func reindex(ctx context.Context, tx *sql.Tx, seq int64, title, text string) error {
	_, err := tx.ExecContext(ctx, `UPDATE history_search SET title = ?, text = ? WHERE rowid = ?`,
		fold(title), fold(text), seq)
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
	if err != nil || have == foldVersion {
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
		return setMark(ctx, tx, "fold_version", foldVersion)
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
