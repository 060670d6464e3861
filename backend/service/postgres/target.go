package postgres

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/jackc/pgx/v5"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/service/rows"
)

// CodeNotEmpty is the code of OpenTarget for a database that has accounts.
const CodeNotEmpty backend.Code = "database_not_empty"

// Target is an empty database to which another store is moved, in one transaction.
type Target struct{ conn *pgx.Conn }

// tables are those that are filled, in the order of their references.
const tables = `accounts, keys, favourites, rate_calls, calls, ledger, files, idempotency_keys`

// OpenTarget opens a database that Migrate has prepared, and locks its tables. Errors: those of Open, and CodeNotEmpty.
func OpenTarget(ctx context.Context, o Options) (*Target, error) {
	config, err := o.config()
	if err != nil {
		return nil, err
	}
	db, err := Open(ctx, o)
	if err != nil {
		return nil, err
	}
	conn, err := db.connect(ctx)
	if err = errors.Join(err, db.Close()); err != nil {
		return nil, o.openError(config.ConnConfig, err)
	}
	t := &Target{conn}
	if err := t.begin(ctx); err != nil {
		return nil, errors.Join(o.openError(config.ConnConfig, err), t.Close(ctx))
	}
	used, err := t.Figure(ctx, `SELECT count(*) FROM (SELECT FROM accounts LIMIT 1) a`)
	if err == nil && used > 0 {
		err = backend.E(CodeNotEmpty, fmt.Sprintf("The database %s has accounts already.", Place(o.URL)),
			"Move to an empty one: create it with createdb, then run voicewright-service migrate.")
	}
	if err != nil {
		return nil, errors.Join(err, t.Close(ctx))
	}
	return t, nil
}

// begin begins the transaction, in which the server waits for as long as the other store takes. The rows of accounts come with their
// balances, so the trigger that keeps these is off until it ends.
func (t *Target) begin(ctx context.Context) error {
	_, err := t.conn.Exec(ctx, begin+`; SET LOCAL idle_in_transaction_session_timeout = 0; LOCK TABLE `+tables+` IN ACCESS EXCLUSIVE MODE;
		ALTER TABLE ledger DISABLE TRIGGER ledger_moves`)
	return err
}

// Close ends the transaction; what was not committed is gone.
func (t *Target) Close(ctx context.Context) error { return t.conn.Close(context.WithoutCancel(ctx)) }

// Copy writes the values of rows into a table. Texts that PostgreSQL cannot hold are changed as those of calls are.
func (t *Target) Copy(ctx context.Context, table string, columns []string, values iter.Seq2[[]any, error]) error {
	next, stop := iter.Pull2(values)
	defer stop()
	_, err := t.conn.CopyFrom(ctx, pgx.Identifier{table}, columns, pgx.CopyFromFunc(func() ([]any, error) {
		row, err, more := next()
		if !more || err != nil {
			return nil, err
		}
		for i, value := range row {
			if s, ok := value.(string); ok {
				row[i] = text(s)
			}
		}
		return row, nil
	}))
	if err != nil {
		return fmt.Errorf("copy %s: %w", table, err)
	}
	return nil
}

// Figure returns the number that a query yields.
func (t *Target) Figure(ctx context.Context, query string) (int64, error) {
	return one(ctx, t.conn, rows.One[int64], query)
}

// Check is that of the store.
func (t *Target) Check(ctx context.Context) error { return check(ctx, t.conn) }

// numbered are the columns that number the rows of a table.
var numbered = map[string]string{"accounts": "id", "keys": "number", "favourites": "id", "calls": "seq", "ledger": "id"}

// Commit keeps what was copied. New rows are numbered behind it.
func (t *Target) Commit(ctx context.Context) error {
	for table, column := range numbered {
		_, err := t.conn.Exec(ctx, fmt.Sprintf(`SELECT setval(pg_get_serial_sequence('%[1]s', '%[2]s'), coalesce(max(%[2]s), 1),
			max(%[2]s) IS NOT NULL) FROM %[1]s`, table, column))
		if err != nil {
			return fmt.Errorf("number the rows of %s: %w", table, err)
		}
	}
	if _, err := t.conn.Exec(ctx, `ALTER TABLE ledger ENABLE TRIGGER ledger_moves`); err != nil {
		return err
	}
	if _, err := t.conn.Exec(ctx, `COMMIT`); err != nil {
		return fmt.Errorf("it is unknown whether the rows were kept: %w", err)
	}
	return nil
}
