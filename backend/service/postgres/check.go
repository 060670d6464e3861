package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/voicewright/voicewright/backend/service/rows"
)

// Check implements service.Ledger. It reads one state of the database, and its time grows with the ledger.
func (db *DB) Check(ctx context.Context) error {
	const op = "check ledger"
	conn, err := db.connect(ctx)
	if err != nil {
		return fail(ctx, op, err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // it only reads
	_, err = conn.Exec(ctx, `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`)
	if err == nil {
		err = check(ctx, conn)
	}
	return fail(ctx, op, ended(conn, err))
}

// check returns a *service.LedgerError where the ledger is wrong that a connection sees.
func check(ctx context.Context, conn *pgx.Conn) error {
	return rows.Check(func(query string) ([]string, error) { return all(ctx, conn, rows.One[string], query) })
}
