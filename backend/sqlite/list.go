package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/voicewright/voicewright/backend"
)

// selection says which rows of a table a list wants.
type selection struct {
	table   string // its name, also that of the list in cursors
	columns string // what scan reads
	where   where
	order   order
	page    backend.Page
	full    func() bool // reports whether a part has all the bytes that it may have; nil: only the number of rows counts
}

// errFull ends the reading of rows.
var errFull = errors.New("the part is full")

// list gives a part of the selected rows and how many there are in all. scan also gives the place of its row in the
// order; table and sort of the place are filled in here.
func list[T any](
	ctx context.Context, db *DB, s selection, scan func(*sql.Rows) (T, cursor, error),
) (backend.List[T], error) {
	part := backend.List[T]{Items: []T{}}
	limit, err := pageLimit(s.page.Limit)
	if err != nil {
		return part, err
	}
	after, err := parseCursor(s.page.Cursor, s.table, s.order.column)
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
				last.List, last.Sort = s.table, s.order.column
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

// find gives the one row of a table with this id, or missing.
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

// remove deletes the row of a table with this id, or gives missing.
func (db *DB) remove(ctx context.Context, op, table, id string, missing error) error {
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
