package sqlite_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/sqlite"
	"github.com/voicewright/voicewright/backend/service/storetest"
)

// TestMain runs the tests, or the calls of another process.
func TestMain(m *testing.M) {
	child := storetest.Child(func(ctx context.Context, path string) (service.Store, error) {
		return sqlite.Open(ctx, sqlite.Options{Path: path})
	})
	if !child {
		goleak.VerifyTestMain(m)
	}
}

// TestKilledProcesses kills a process at a random moment, again and again, also while it opens the store.
func TestKilledProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "service.db")
	var seen storetest.Kills
	for range kills {
		seen.Kill(t, exec.Command(os.Args[0]), path, rand.N(10) == 0)
		clock := storetest.NewClock()
		clock.Set(time.Now())
		db, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, Now: clock.Now})
		require.NoError(t, err)
		seen.Repair(t, db, clock, sqlite.DeadAfter)
		require.NoError(t, db.Close())
	}
	seen.End(t, 1)
}

// TestProcessesMigrateAtOnce starts processes on a file that is not there yet; all of them open it.
func TestProcessesMigrateAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "service.db")
	var wait []func() error
	for range 4 {
		cmd := exec.Command(os.Args[0])
		input, output := storetest.StartChild(t, cmd, path, 0)
		wait = append(wait, func() error {
			opened := output.Scan() && output.Text() == "open"
			err := errors.Join(input.Close(), cmd.Wait())
			if !opened {
				return errors.Join(err, errors.New("the store was not opened"))
			}
			return err
		})
	}
	for _, done := range wait {
		require.NoError(t, done())
	}
	require.NoError(t, openAt(t, path).Check(t.Context()))
}
