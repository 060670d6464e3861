// Package move copies everything that one store of the hosted service has into another, empty one, as it is.
package move

import (
	"context"
	"fmt"
	"iter"
	"strings"
)

// Source is the store that is read. Nobody else uses it.
type Source interface {
	// Check returns nil where the ledger is right.
	Check(ctx context.Context) error
	// Figure returns the number that a query yields.
	Figure(ctx context.Context, query string) (int64, error)
	// Rows returns the rows of a query.
	Rows(ctx context.Context, query string) iter.Seq2[[]any, error]
}

// Target is the empty store that is written, in one transaction of the caller.
type Target interface {
	Check(ctx context.Context) error
	Figure(ctx context.Context, query string) (int64, error)
	// Copy writes rows with these columns into a table.
	Copy(ctx context.Context, table string, columns []string, rows iter.Seq2[[]any, error]) error
}

// table is a table that both stores have.
type table struct {
	name    string
	columns []string // as the target names them
	from    string   // the query of the source for them
	sums    []string // columns and sums of columns whose totals are compared
}

// tables returns the tables in the order of their references. Not among them are the heartbeats of processes, which have ended.
func tables() []table {
	as := func(name, order, columns string, sums ...string) table {
		return table{name, strings.Split(columns, ", "), "SELECT " + columns + " FROM " + name + " ORDER BY " + order, sums}
	}
	all := []table{
		as("accounts", "id", "id, subject, email, email_unverified, access_groups, invited, plan, plan_expires, plan_number, plan_credits, "+
			"payg_credits, held_credits, disabled, created_at, changed_by, changed_at, plan_days, renews_until",
			"plan_credits", "payg_credits", "held_credits"),
		as("keys", "number", "hash, number, id, account, prefix, name, created_at, last_used_at, revoked_at, revoked_by"),
		as("favourites", "id", "id, account, voice, at"),
		as("rate_calls", "account, at, number", "account, at, number"),
		as("calls", "seq", "seq, id, account, instance, status, kind, provider, model, characters, plan_credits, payg_credits, plan_number, "+
			"at, title, voice, seconds", "characters", "plan_credits", "payg_credits"),
		as("ledger", "id", "id, at, account, call, reason, plan, payg, held, granted, spent, expired, actor, note",
			"plan", "payg", "held", "granted", "spent", "expired"),
		as("files", "call", "call, name, format, bytes, created_at, expires_at, removed", "bytes"),
		as("idempotency_keys", "call", "account, hash, request, call, credits_left, answered_at", "credits_left"),
	}
	for i, t := range all {
		switch t.name {
		case "keys": // SQLite numbers its rows by itself
			all[i].from = strings.Replace(t.from, "hash, number,", "hash, rowid AS number,", 1)
		case "rate_calls": // SQLite counts nanoseconds, PostgreSQL microseconds
			all[i].from = `SELECT account, at / 1000, row_number() OVER (PARTITION BY account, at / 1000 ORDER BY at, number) - 1
				FROM rate_calls`
		}
	}
	return all
}

// Figure is a number of both stores: how many rows a table has, or the sum of a column.
type Figure struct {
	Name          string
	Before, After int64
}

// DifferenceError is the error of Move for a target that has other figures than the source.
type DifferenceError struct{ Names []string }

// Error names the figures.
func (e *DifferenceError) Error() string { return "these differ: " + strings.Join(e.Names, ", ") }

// Move copies all rows and returns the figures of both stores, also with a *DifferenceError. Errors of Check come with it. The caller
// keeps what was copied only where there is no error.
func Move(ctx context.Context, from Source, to Target) ([]Figure, error) {
	if err := from.Check(ctx); err != nil {
		return nil, fmt.Errorf("the database that is moved: %w", err)
	}
	for _, t := range tables() {
		if err := to.Copy(ctx, t.name, t.columns, from.Rows(ctx, t.from)); err != nil {
			return nil, err
		}
	}
	figures, err := compare(ctx, from, to)
	if err != nil {
		return figures, err
	}
	if err := to.Check(ctx); err != nil {
		return figures, fmt.Errorf("the new database: %w", err)
	}
	return figures, nil
}

// compare returns the figures of both stores.
func compare(ctx context.Context, from Source, to Target) ([]Figure, error) {
	var figures []Figure
	var different DifferenceError
	for _, t := range tables() {
		for _, column := range append([]string{""}, t.sums...) {
			f, err := t.figure(ctx, column, from, to)
			if err != nil {
				return figures, err
			}
			figures = append(figures, f)
			if f.Before != f.After {
				different.Names = append(different.Names, f.Name)
			}
		}
	}
	if len(different.Names) > 0 {
		return figures, &different
	}
	return figures, nil
}

// figure returns the sums of a column in both stores, or without one the numbers of rows.
func (t table) figure(ctx context.Context, column string, from Source, to Target) (f Figure, err error) {
	f.Name = t.name
	query := "SELECT count(*) FROM " + t.name
	if column != "" {
		f.Name += "." + column
		query = "SELECT CAST(coalesce(sum(" + column + "), 0) AS BIGINT) FROM " + t.name
	}
	if f.Before, err = from.Figure(ctx, query); err == nil {
		f.After, err = to.Figure(ctx, query)
	}
	return f, err
}
