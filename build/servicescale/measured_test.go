//go:build scale && postgres

package servicescale_test

import (
	"context"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service/postgres/postgrestest"
)

// onMeasured returns a database on a durable server that counts its statements.
func onMeasured(t *testing.T) (*postgrestest.Cluster, database) {
	t.Helper()
	cluster := newCluster(t, true)
	cluster.Exec(t, "postgres", `ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'`)
	require.NoError(t, cluster.Stop(syscall.SIGINT))
	require.NoError(t, cluster.Start())
	db := onPostgres(t, cluster)
	cluster.Exec(t, postgrestest.Name(db.address), `CREATE EXTENSION pg_stat_statements`)
	return cluster, db
}

// statement is what pg_stat_statements says of a statement.
type statement struct {
	text  string
	calls int64
	mean  float64 // milliseconds
	share float64 // of the time of all
}

func (s statement) String() string {
	return fmt.Sprintf("%.1f %% %.3f ms x %d: %.120s", 100*s.share, s.mean, s.calls, strings.Join(strings.Fields(s.text), " "))
}

// statements returns the statements of a database, those that took longest in all first.
func statements(t *testing.T, db database) []statement {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), db.address)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.Background())) }()
	rows, err := conn.Query(t.Context(), `SELECT query, calls, mean_exec_time, total_exec_time / sum(total_exec_time) OVER ()
		FROM pg_stat_statements JOIN pg_database d ON d.oid = dbid WHERE datname = current_database() AND calls > 1
		ORDER BY total_exec_time DESC`)
	require.NoError(t, err)
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (s statement, err error) {
		err = row.Scan(&s.text, &s.calls, &s.mean, &s.share)
		return s, err
	})
	require.NoError(t, err)
	return list
}

// reset forgets the statements that were counted.
func reset(t *testing.T, db database) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), db.address)
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), `SELECT pg_stat_statements_reset()`)
	require.NoError(t, err)
	require.NoError(t, conn.Close(t.Context()))
}

// number returns the answer to a query.
func number(t *testing.T, db database, query string) (n int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), db.address)
	require.NoError(t, err)
	require.NoError(t, conn.QueryRow(t.Context(), query).Scan(&n))
	require.NoError(t, conn.Close(t.Context()))
	return n
}
