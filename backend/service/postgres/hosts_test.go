//go:build postgres

package postgres_test

import (
	"context"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/postgres"
	"github.com/voicewright/voicewright/backend/service/postgres/postgrestest"
)

// TestStandby has a real standby: the server that writes is found beside it, and a store that reaches nothing else is busy, until the
// standby becomes the server.
func TestStandby(t *testing.T) {
	url := empty(t)
	name := postgrestest.Name(url)
	standby, err := postgrestest.Start(false)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, standby.Remove()) })
	standby.Exec(t, "postgres", `CREATE DATABASE `+name)
	o := postgres.Options{URL: standby.URL(name), Wait: 500 * time.Millisecond}
	_, _, err = postgres.Migrate(t.Context(), o)
	require.NoError(t, err)
	require.NoError(t, standby.Stop(syscall.SIGINT))
	require.NoError(t, standby.Standby())

	both := strings.Replace(url, "@", "@"+standby.Address()+",", 1)
	require.NoError(t, openWith(t, postgres.Options{URL: both}).Ping(t.Context()))

	for _, open := range []func() error{
		func() error {
			_, err := postgres.Open(t.Context(), o)
			return err
		},
		func() error {
			_, _, err := postgres.Migrate(t.Context(), o)
			return err
		},
	} {
		var e *backend.Error
		require.ErrorAs(t, open(), &e)
		require.Equal(t, postgres.CodeUnreachable, e.Code)
		require.Contains(t, e.Detail, "standby")
	}

	o.URL += "&target_session_attrs=any"
	db := openWith(t, o)
	for name, method := range map[string]func() error{
		"Ping":      func() error { return db.Ping(t.Context()) },
		"CountCall": func() error { return db.CountCall(t.Context(), 1, 1) },
		"SetDisabled": func() error {
			_, err := db.SetDisabled(t.Context(), 1, true, service.Change{})
			return err
		},
		"RevokeKey": func() error { return db.RevokeKey(t.Context(), 1, "key", service.Change{}) },
		"SignIn": func() error {
			_, err := db.SignIn(t.Context(), signingIn("anna", 1000))
			return err
		},
	} {
		require.ErrorIs(t, method(), service.ErrStoreBusy, name)
	}
	standby.Exec(t, "postgres", `SELECT pg_promote()`)
	_, err = db.SignIn(t.Context(), signingIn("anna", 1000))
	require.NoError(t, err)
}

// TestFrozenHost has the first of two hosts accept connections and never answer: the second one is used.
func TestFrozenHost(t *testing.T) {
	frozen, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { require.NoError(t, frozen.Close()) }()
	url := strings.Replace(empty(t), "@", "@"+frozen.Addr().String()+",", 1)
	db := openWith(t, postgres.Options{URL: url, Wait: 3 * time.Second})
	require.NoError(t, db.Ping(t.Context()))
	require.NoError(t, db.Check(t.Context()))
	ran, err := db.Alone(t.Context(), func(context.Context) error { return nil })
	require.NoError(t, err)
	require.True(t, ran)
}

// TestConnectTimeout leaves time for every host, and is what the address says where it says so.
func TestConnectTimeout(t *testing.T) {
	for url, want := range map[string]time.Duration{
		"postgres://u@a/db?sslmode=prefer":                     2 * time.Second,
		"postgres://u@a,b,c/db?sslmode=require":                1250 * time.Millisecond,
		"postgres://u@a,b/db?connect_timeout=9&sslmode=prefer": 9 * time.Second,
	} {
		found, err := postgres.Options{URL: url}.ConnectTimeout()
		require.NoError(t, err)
		require.Equal(t, want, found, url)
	}
	t.Setenv("PGCONNECT_TIMEOUT", "7")
	found, err := postgres.Options{URL: "postgres://u@a/db?sslmode=require"}.ConnectTimeout()
	require.NoError(t, err)
	require.Equal(t, 7*time.Second, found)
}

// TestTargetInUse moves to a database in which somebody reads for longer than a call waits for a lock.
func TestTargetInUse(t *testing.T) {
	url := empty(t)
	connect(t, url).exec(`BEGIN; SELECT FROM ledger`)
	_, err := postgres.OpenTarget(t.Context(), postgres.Options{URL: url, Wait: 300 * time.Millisecond})
	var e *backend.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, postgres.CodeInUse, e.Code)
	require.Contains(t, e.Detail, "keeps a lock")
	require.Contains(t, e.Remedy, "try again")
}

// TestMigrateInUse migrates a database of which somebody keeps a table locked for longer than a call waits.
func TestMigrateInUse(t *testing.T) {
	url := empty(t)
	connect(t, url).exec(`BEGIN; LOCK TABLE goose_db_version`)
	_, _, err := postgres.Migrate(t.Context(), postgres.Options{URL: url, Wait: 300 * time.Millisecond})
	var e *backend.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, postgres.CodeInUse, e.Code)
	require.Contains(t, e.Detail, "pg_dump")
	require.Contains(t, e.Remedy, "Wait until that program is done")
}

// TestLastTry opens a server that has no connections left, and does not answer at all when it is asked again: the answer is reported.
func TestLastTry(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	go func() {
		for n := 0; ; n++ {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { _ = conn.Close() })
			if n == 0 {
				_, _ = pgproto3.NewBackend(conn, conn).ReceiveStartupMessage()
				full, _ := (&pgproto3.ErrorResponse{Severity: "FATAL", Code: "53300", Message: "too many"}).Encode(nil)
				_, _ = conn.Write(full)
				_ = conn.Close()
			}
		}
	}()
	t.Cleanup(func() { _ = listener.Close() })
	_, err = postgres.Open(t.Context(), postgres.Options{
		URL: "postgres://u@" + listener.Addr().String() + "/db?sslmode=disable&connect_timeout=60", Wait: 2 * time.Second,
	})
	var e *backend.Error
	require.ErrorAs(t, err, &e)
	require.Contains(t, e.Detail, "has no connections left")
}
