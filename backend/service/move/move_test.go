package move

import (
	"context"
	"database/sql"
	"errors"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service/sqlite"
)

// left are the tables that are not moved: the heartbeats of processes, and those of the migrations and of SQLite.
var left = []string{"instances", "goose_db_version", "sqlite_sequence"}

// TestEveryColumnIsMoved compares the tables with the schema of SQLite.
func TestEveryColumnIsMoved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "service.db")
	_, _, err := sqlite.Migrate(t.Context(), sqlite.Options{Path: path})
	require.NoError(t, err)
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	rows, err := db.QueryContext(t.Context(), `SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'`)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	stored := map[string][]string{}
	for rows.Next() {
		var table, column string
		require.NoError(t, rows.Scan(&table, &column))
		stored[table] = append(stored[table], column)
	}
	require.NoError(t, rows.Err())
	for _, name := range left {
		delete(stored, name)
	}
	moved := map[string][]string{}
	for _, table := range tables() {
		moved[table.name] = slices.DeleteFunc(slices.Clone(table.columns), func(c string) bool { return table.name == "keys" && c == "number" })
		_, err := db.ExecContext(t.Context(), table.from)
		require.NoError(t, err, table.from)
	}
	require.Len(t, moved, len(stored))
	for name, columns := range stored {
		require.ElementsMatch(t, columns, moved[name], name)
	}
}

// store is a source and a target of the test.
type store struct {
	figures map[string]int64 // by a part of the query
	wrong   error            // of Check
	copied  []string
	lost    string // a table that cannot be copied
}

func (s *store) Check(context.Context) error { return s.wrong }

func (s *store) Figure(_ context.Context, query string) (int64, error) {
	for part, n := range s.figures {
		if strings.Contains(query, part) {
			return n, nil
		}
	}
	return 7, nil
}

func (s *store) Rows(context.Context, string) iter.Seq2[[]any, error] {
	return func(func([]any, error) bool) {}
}

func (s *store) Copy(_ context.Context, table string, _ []string, _ iter.Seq2[[]any, error]) error {
	if table == s.lost {
		return errors.New("lost")
	}
	s.copied = append(s.copied, table)
	return nil
}

// TestMoveCompares has each way in which a move can end.
func TestMoveCompares(t *testing.T) {
	to := &store{}
	figures, err := Move(t.Context(), &store{}, to)
	require.NoError(t, err)
	require.Equal(t, []string{"accounts", "keys", "favourites", "rate_calls", "calls", "ledger", "files", "idempotency_keys"}, to.copied)
	require.Contains(t, figures, Figure{Name: "ledger.spent", Before: 7, After: 7})

	var different *DifferenceError
	for part, name := range map[string]string{"count(*) FROM keys": "keys", "sum(payg_credits), 0) AS BIGINT) FROM accounts": "accounts.payg_credits"} {
		figures, err = Move(t.Context(), &store{}, &store{figures: map[string]int64{part: 6}})
		require.ErrorAs(t, err, &different)
		require.Equal(t, []string{name}, different.Names)
		require.Contains(t, figures, Figure{Name: name, Before: 7, After: 6})
		require.ErrorContains(t, err, name)
	}
	untouched := &store{}
	_, err = Move(t.Context(), &store{wrong: errors.New("wrong sums")}, untouched)
	require.ErrorContains(t, err, "the database that is moved: wrong sums")
	require.Empty(t, untouched.copied)
	_, err = Move(t.Context(), &store{}, &store{wrong: errors.New("wrong sums")})
	require.ErrorContains(t, err, "the new database: wrong sums")
	_, err = Move(t.Context(), &store{}, &store{lost: "calls"})
	require.ErrorContains(t, err, "lost")
}
