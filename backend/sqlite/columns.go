package sqlite

import (
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// column is a column of a row type: its name and its field.
type column[R any] struct {
	name  string         // in SQL; an expression where the column is only read
	field func(r *R) any // a pointer that the column is read to and written from; a value where it is only written
}

// columns are the columns of a statement, in the order of their values.
type columns[R any] []column[R]

// join returns lists of columns as one.
func join[R any](lists ...columns[R]) (all columns[R]) {
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}

// names returns the names as a list of SQL.
func (c columns[R]) names() string {
	names := make([]string, len(c))
	for i, column := range c {
		names[i] = column.name
	}
	return strings.Join(names, ", ")
}

// insert returns the statement that adds a row to a table; its arguments are fields.
func (c columns[R]) insert(table string) string {
	return `INSERT INTO ` + table + ` (` + c.names() + `) VALUES (` + c.places() + `)`
}

// update returns the statement that replaces the row with this key; its arguments are fields and the key.
func (c columns[R]) update(table, key string) string {
	return `UPDATE ` + table + ` SET (` + c.names() + `) = (` + c.places() + `) WHERE ` + key + ` = ?`
}

// excluded returns the assignments of an upsert: each column gets the value of the row that was not inserted.
func (c columns[R]) excluded() string {
	names := make([]string, len(c))
	for i, column := range c {
		names[i] = column.name + " = excluded." + column.name
	}
	return strings.Join(names, ", ")
}

func (c columns[R]) places() string { return strings.TrimSuffix(strings.Repeat("?, ", len(c)), ", ") }

// fields returns where the columns of a row are read to, which is also what is written to them.
func (c columns[R]) fields(r *R) []any {
	fields := make([]any, len(c), len(c)+1) // one more for the key of an update
	for i, column := range c {
		fields[i] = column.field(r)
	}
	return fields
}

// scan reads a row.
func (c columns[R]) scan(rows *sql.Rows) (r R, err error) {
	err = rows.Scan(c.fields(&r)...)
	return r, err
}

// jsonColumn is a field that is stored as JSON.
type jsonColumn struct {
	to   any // a pointer to it
	null bool
}

// asJSON returns the column of a field that is never NULL.
func asJSON(to any) jsonColumn { return jsonColumn{to: to} }

// orNull returns the column of a field that is NULL unless there is a value.
func orNull(to any, present bool) jsonColumn { return jsonColumn{to: to, null: !present} }

// Value implements driver.Valuer.
func (c jsonColumn) Value() (driver.Value, error) {
	if c.null {
		return nil, nil //nolint:nilnil // NULL
	}
	text, err := json.Marshal(c.to)
	return string(text), err
}

// Scan implements sql.Scanner. It leaves the field as it is for NULL.
func (c jsonColumn) Scan(stored any) error {
	switch stored := stored.(type) {
	case nil:
		return nil
	case string:
		return json.Unmarshal([]byte(stored), c.to)
	case []byte:
		return json.Unmarshal(stored, c.to)
	}
	return fmt.Errorf("the column holds a %T", stored)
}

// timeColumn is a time that is stored in milliseconds.
type timeColumn struct{ to *time.Time }

// asMillis returns the column of a time.
func asMillis(to *time.Time) timeColumn { return timeColumn{to} }

// Value implements driver.Valuer.
func (c timeColumn) Value() (driver.Value, error) { return millis(*c.to), nil }

// Scan implements sql.Scanner.
func (c timeColumn) Scan(stored any) error {
	ms, ok := stored.(int64)
	if !ok {
		return fmt.Errorf("the column holds a %T", stored)
	}
	*c.to = fromMillis(ms)
	return nil
}
