package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/sqlite/internal/words"
)

// Generations returns a page of the history, newest first unless said otherwise, and the total, which is exact up
// to backend.TotalCap. A wrong cursor, limit or sort is a *backend.ValidationError; Search has no syntax.
func (db generations) Generations(
	ctx context.Context, f backend.GenerationFilter,
) (backend.List[backend.GenerationHit], error) {
	if f.Sort == "" {
		f.Sort = backend.HistoryNewest
	}
	o, ok := historyOrder(f.Sort)
	if !ok {
		return backend.List[backend.GenerationHit]{Items: []backend.GenerationHit{}},
			backend.Invalid("enum", "Input should be 'newest', 'oldest', 'longest' or 'shortest'", "query", "sort")
	}
	q := searchQuery{
		list: "history", sort: string(f.Sort), table: "generations", index: "history_search", filter: conditions(f.Conditions()),
		order: o, engine: f.Engine != "", brief: f.Brief,
	}
	item := func(row generationRow, terms []words.Term) (backend.GenerationHit, cursor) {
		at := cursor{Seq: row.seq}
		if o.column != "" {
			at.Number = row.Duration
		}
		return backend.GenerationHit{Generation: row.Generation, Highlight: words.Highlight(row.Title, row.Text, terms)}, at
	}
	return search(ctx, db.library, q, f.Search, f.Page, db.generationPage, item)
}

// search returns a page of the rows that match what a user typed: read reads those with the given seqs, and item returns what is
// listed of one, and its position without list and sort.
func search[R, T any](
	ctx context.Context, db *library, q searchQuery, typed string, page backend.Page,
	read func(context.Context, *sql.Tx, searchQuery, []int64) ([]R, error), item func(R, []words.Term) (T, cursor),
) (backend.List[T], error) {
	list := backend.List[T]{Items: []T{}}
	limit, err := pageLimit(page.Limit)
	if err != nil {
		return list, err
	}
	after, err := parseCursor(page.Cursor, q.list, q.sort)
	if err != nil {
		return list, err
	}
	var some bool
	if q.terms, some = words.Parse(typed); !some && strings.TrimSpace(typed) != "" {
		return list, nil // punctuation is not indexed
	}
	err = db.view(ctx, "list "+q.list, func(tx *sql.Tx) error {
		total, seqs, err := q.find(ctx, tx, after, limit+1)
		if err != nil {
			return err
		}
		list.Total, list.TotalCapped = min(total, backend.TotalCap), total > backend.TotalCap
		rows, err := read(ctx, tx, q, seqs[:min(limit, len(seqs))])
		for i, row := range rows {
			found, at := item(row, q.terms)
			list.Items = append(list.Items, found)
			if i == limit-1 && len(seqs) > limit {
				at.List, at.Sort = q.list, q.sort
				next := at.String()
				list.NextCursor = &next
			}
		}
		return err
	})
	return list, err
}

func historyOrder(sort backend.GenerationSort) (o order, ok bool) {
	switch sort {
	case backend.HistoryNewest:
		return order{desc: true}, true
	case backend.HistoryOldest:
		return order{}, true
	case backend.HistoryLongest:
		return order{column: "duration", desc: true}, true
	case backend.HistoryShortest:
		return order{column: "duration"}, true
	}
	return order{}, false
}

// searchQuery selects rows of generations or transcripts by index, so that the wide columns of one page only are read.
type searchQuery struct {
	list   string // its name in cursors, as that of its order in sort
	sort   string
	table  string
	index  string       // its full-text index
	terms  []words.Term // none without a search
	match  string       // terms as a query of the index, which find writes
	filter where
	order  order // transcripts: by creation
	engine bool  // the filter has an engine
	brief  bool  // the rows are read without their wide columns
}

// places returns the statement that selects seq of the matching rows, unordered.
//
// A search sorted by creation scans the full-text index by rowid and stops at the limit; it never collects all hits of a
// common word. A query sorted by duration scans the index of durations and looks each row up in the sets of hits and of
// filtered rows; one engine without a search has its own index. No wide column is read. The plus signs keep SQLite from
// scanning a set instead of the index.
func (q searchQuery) places(after *cursor) (string, []any) {
	var w where
	var from, seq string
	switch {
	case q.match == "" && (q.order.column == "" || q.engine):
		from = q.table
		if q.order.column != "" {
			from += " INDEXED BY generations_by_engine_duration"
		}
		w = where{append(w.conds, q.filter.conds...), append(w.args, q.filter.args...)}
		q.order.after(&w, after, "seq")
		return "SELECT seq FROM " + from + w.String(), w.args
	case q.order.column != "":
		from, seq = "generations INDEXED BY generations_by_duration", "seq"
		if q.match != "" {
			w.add("+seq IN (SELECT rowid FROM history_search WHERE history_search MATCH ?)", q.match)
		}
	default:
		from, seq = q.index, "rowid"
		w.add(q.index+" MATCH ?", q.match)
	}
	q.order.after(&w, after, seq)
	if len(q.filter.conds) > 0 {
		w.add("+"+seq+" IN (SELECT seq FROM "+q.table+q.filter.String()+")", q.filter.args...)
	}
	return "SELECT " + seq + " AS seq FROM " + from + w.String(), w.args
}

// find returns the total, counted up to backend.TotalCap+1, and the seqs of one page.
func (q searchQuery) find(ctx context.Context, tx *sql.Tx, after *cursor, limit int) (total int, seqs []int64, err error) {
	var collects bool
	if q.match, collects, err = q.matching(ctx, tx); err != nil {
		return 0, nil, err
	}
	searched := q.match != "" && q.order.column == ""
	switch {
	case searched && len(q.filter.conds) == 0 && !collects:
		return q.findAround(ctx, tx, after, limit)
	case searched:
		total, seqs, err = q.findFirst(ctx, tx, after, limit)
		if err != nil || len(seqs) == limit || total <= backend.TotalCap {
			return total, seqs, err
		}
	default:
		counted := q
		counted.order = order{} // the order does not change the count, but it costs time
		all, args := counted.places(nil)
		if total, err = count(ctx, tx, all, backend.TotalCap+1, args...); err != nil {
			return 0, nil, err
		}
	}
	seqs, err = q.findPage(ctx, tx, after, limit)
	return total, seqs, err
}

// findPage returns up to limit seqs after the cursor.
func (q searchQuery) findPage(ctx context.Context, tx *sql.Tx, after *cursor, limit int) ([]int64, error) {
	part, args := q.places(after)
	return collect(ctx, tx, scanOne[int64], fmt.Sprintf(`SELECT seq FROM (%s%s LIMIT %d)`, part, q.order.by(), limit), args...)
}

// findAround finds the page of a search sorted by creation, for which FTS5 reads no further than needed, and counts what is
// before and behind it in rising order, in which FTS5 reads faster.
func (q searchQuery) findAround(ctx context.Context, tx *sql.Tx, after *cursor, limit int) (total int, seqs []int64, err error) {
	seqs, err = q.findPage(ctx, tx, after, limit)
	total = len(seqs)
	before, behind := " <= ?", " > ?"
	if q.order.desc {
		before, behind = " >= ?", " < ?"
	}
	all, args := q.places(nil)
	add := func(bound string, seq int64) {
		var n int
		if left := backend.TotalCap + 1 - total; err == nil && left > 0 {
			n, err = count(ctx, tx, all+" AND rowid"+bound, left, append(args, seq)...)
		}
		total += n
	}
	if after != nil {
		add(before, after.Seq)
	}
	if len(seqs) == limit {
		add(behind, seqs[limit-1])
	}
	return total, seqs, err
}

// count returns the number of rows of a statement, up to limit.
func count(ctx context.Context, tx *sql.Tx, statement string, limit int, args ...any) (n int, err error) {
	err = tx.QueryRowContext(ctx, fmt.Sprintf(`SELECT count(*) FROM (%s LIMIT %d)`, statement, limit), args...).Scan(&n)
	return n, err
}

// findFirst scans the first backend.TotalCap+1 hits of a search sorted by creation once, for both the total and the page:
// collecting the rows of a start or of the filter may take most of its time. If the page is short although there are more hits,
// it lies behind those that were scanned.
func (q searchQuery) findFirst(ctx context.Context, tx *sql.Tx, after *cursor, limit int) (int, []int64, error) {
	var w where
	q.order.after(&w, after, "seq")
	all, args := q.places(nil)
	ids, err := collect(ctx, tx, scanOne[int64], fmt.Sprintf(`WITH hits AS MATERIALIZED (%s%s LIMIT %d)
		SELECT count(*) FROM hits UNION ALL SELECT seq FROM (SELECT seq FROM hits%s LIMIT %d)`,
		all, q.order.by(), backend.TotalCap+1, w.String(), limit), append(args, w.args...)...)
	if err != nil || len(ids) == 0 {
		return 0, nil, err
	}
	return int(ids[0]), ids[1:], nil
}

// generationPage reads the generations with these seqs, in the order of the query.
func (db generations) generationPage(ctx context.Context, tx *sql.Tx, q searchQuery, seqs []int64) ([]generationRow, error) {
	list, err := json.Marshal(seqs)
	if err != nil {
		return nil, err
	}
	const chosen = `WHERE seq IN (SELECT value FROM json_each(?))`
	if !q.brief {
		return db.generationsWhere(ctx, tx, chosen+q.order.by(), string(list))
	}
	text := briefText
	if len(q.terms) > 0 {
		text = "text" // the highlight may be anywhere
	}
	return collect(ctx, tx, db.scanBrief, fmt.Sprintf(briefSelect, text)+chosen+q.order.by(), string(list))
}
