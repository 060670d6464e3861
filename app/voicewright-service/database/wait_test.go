package database

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/exit"
)

// TestWait waits on a fake clock.
func TestWait(t *testing.T) {
	locked := backend.E(backend.CodeDataDirLocked, "Locked.", "Wait.")
	other := errors.New("another error")
	synctest.Test(t, func(t *testing.T) {
		db, waits, began := Database{path: "service.db"}, 0, time.Now()
		free := func(after time.Duration, then error) func() error {
			return func() error {
				if time.Since(began) < after {
					return locked
				}
				return then
			}
		}
		wait := func() { waits++ }
		require.NoError(t, db.Wait(t.Context(), wait, free(0, nil)))
		require.ErrorIs(t, db.Wait(t.Context(), wait, free(0, other)), other)
		require.Zero(t, waits)
		require.NoError(t, db.Wait(t.Context(), wait, free(20*time.Second, nil)))
		require.Equal(t, 1, waits)
		err := db.Wait(t.Context(), wait, func() error { return locked })
		require.ErrorContains(t, err, "another program has locked the database service.db for 30s; `fuser service.db` names it")
		var ended *Error
		require.ErrorAs(t, err, &ended)
		require.Equal(t, exit.Failed, ended.Exit)

		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began = time.Now()
		require.ErrorIs(t, db.Wait(ctx, wait, func() error { return locked }), context.DeadlineExceeded)
		require.Equal(t, time.Second, time.Since(began), "the wait ends with the context")
	})
}
