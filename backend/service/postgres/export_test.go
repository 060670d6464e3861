package postgres

import (
	"context"
	"time"

	"github.com/voicewright/voicewright/backend/service/rows"
)

// Newest is newest.
var Newest = newest

// EmailLock is emailLock.
const EmailLock = emailLock

// Hot are the queries of every call, with arguments.
var Hot = map[string][]any{
	addressesLike: {"ann@example.org"}, renewalsDue: {1, 1, 1}, forgetKeys: {1, 1}, forgetCalls: {1, 1}, callerOfKey: {[]byte("hash")}, lockAccount: {1}, purseQuery: {1, "id", []byte("key")}, windowOf: {1, 29, 60_000_000}, lockCaller: {"id"},
	endedCalls: {"id"}, accountByID: {1}, rows.HeldCalls + ` AND ` + orphaned: {1, 2},
}

// Hold takes a connection of the pool until release is called.
func (db *DB) Hold(ctx context.Context) (release func(), err error) {
	conn, err := db.pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	return conn.Release, nil
}

// Spoil grants an account credits and then panics with v.
func (db *DB) Spoil(ctx context.Context, account int64, v any) error {
	return db.update(ctx, "test", func(ctx context.Context, tx *tx) error {
		b := tx.batch()
		move(b, rows.Movement{Account: account, Reason: "test", Payg: 1, Granted: -1}, 1)
		if err := tx.send(ctx, b); err != nil {
			return err
		}
		panic(v)
	})
}

// Setting returns a setting of a connection of the pool.
func (db *DB) Setting(ctx context.Context, name string) (value string, err error) {
	err = db.view(ctx, "test", func(ctx context.Context, q querier) error {
		value, err = one(ctx, q, rows.One[string], `SELECT current_setting($1)`, name)
		return err
	})
	return value, err
}

// ConnectTimeout returns how long a connection to one host may take.
func (o Options) ConnectTimeout() (time.Duration, error) {
	config, err := o.config()
	if err != nil {
		return 0, err
	}
	return config.ConnConfig.ConnectTimeout, nil
}
