package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/voicewright/voicewright/backend"
)

// selection is a query for a page of a table.
type selection struct {
	table   string // its name, also in cursors
	columns string // the columns that scan reads
	where   where
	order   order
	sort    string // its name in cursors; empty = the column of order
	page    backend.Page
	full    func() bool // reports whether the page has reached its size in bytes; nil = only the number of rows is limited
}

// errFull stops reading rows.
var errFull = errors.New("the page is full")

// list returns a page of the selected rows and their total number. scan also returns the position of its row, without table
// and sort.
func list[T any](
	ctx context.Context, db *library, s selection, scan func(*sql.Rows) (T, cursor, error),
) (backend.List[T], error) {
	part := backend.List[T]{Items: []T{}}
	limit, err := pageLimit(s.page.Limit)
	if err != nil {
		return part, err
	}
	sort := cmp.Or(s.sort, s.order.column)
	after, err := parseCursor(s.page.Cursor, s.table, sort)
	if err != nil {
		return part, err
	}
	err = db.view(ctx, "list "+s.table, func(tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, `SELECT count(*) FROM `+s.table+s.where.String(), s.where.args...).Scan(&part.Total)
		if err != nil {
			return err
		}
		s.order.after(&s.where, after, "seq")
		var last cursor
		query := fmt.Sprintf(`SELECT %s FROM %s%s%s LIMIT %d`, s.columns, s.table, s.where.String(), s.order.by(), limit+1)
		err = each(ctx, tx, func(rows *sql.Rows) error {
			if len(part.Items) == limit || s.full != nil && len(part.Items) > 0 && s.full() {
				last.List, last.Sort = s.table, sort
				next := last.String()
				part.NextCursor = &next
				return errFull
			}
			item, at, err := scan(rows)
			if err != nil {
				return err
			}
			part.Items, last = append(part.Items, item), at
			return nil
		}, query, s.where.args...)
		if errors.Is(err, errFull) {
			return nil
		}
		return err
	})
	return part, err
}

// find returns the row of a table with this id, or the error missing.
func find[T any](
	ctx context.Context, tx *sql.Tx, s selection, id string, scan func(*sql.Rows) (T, cursor, error), missing error,
) (T, error) {
	found, err := collect(ctx, tx, func(rows *sql.Rows) (T, error) {
		item, _, err := scan(rows)
		return item, err
	}, `SELECT `+s.columns+` FROM `+s.table+` WHERE id = ?`, id)
	if err == nil && len(found) == 0 {
		err = missing
	}
	if err != nil {
		var none T
		return none, err
	}
	return found[0], nil
}

// remove deletes the row of a table with this id, or returns the error missing.
func (db *library) remove(ctx context.Context, op, table, id string, missing error) error {
	return db.update(ctx, op, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, `DELETE FROM `+table+` WHERE id = ?`, id)
		if err != nil {
			return err
		}
		n, err := done.RowsAffected()
		if err == nil && n == 0 {
			err = missing
		}
		return err
	})
}
