package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/sqlite"
)

// withAccount returns a store with one account and its path.
func withAccount(t *testing.T) (*sqlite.DB, service.Account, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "service.db")
	db := openAt(t, path)
	a, err := db.SignIn(t.Context(), signingIn("anna", "", 10_000))
	require.NoError(t, err)
	return db, a, path
}

// lock locks the file as another process does, until unlock is called or the test ends.
func lock(t *testing.T, path string) (unlock func()) {
	t.Helper()
	other, err := sql.Open("sqlite", path+"?_txlock=immediate")
	require.NoError(t, err)
	tx, err := other.Begin()
	require.NoError(t, err)
	unlock = sync.OnceFunc(func() {
		require.NoError(t, tx.Rollback())
		require.NoError(t, other.Close())
	})
	t.Cleanup(unlock)
	return unlock
}

func TestLockedForLong(t *testing.T) {
	ctx := t.Context()
	db, a, path := withAccount(t)
	hash := service.KeyHash{1}
	_, err := db.CreateKey(ctx, a.ID, service.NewKey{ID: "k", Hash: hash}, 10)
	require.NoError(t, err)
	db.SetLockWait(100 * time.Millisecond)
	unlock := lock(t, path)
	_, err = db.Reserve(ctx, request(a, "one"))
	require.ErrorIs(t, err, service.ErrStoreBusy)
	require.ErrorIs(t, db.Ping(ctx), service.ErrStoreBusy)
	_, err = db.Account(ctx, "anna")
	require.NoError(t, err, "reading goes on")
	_, key, err := db.KeyCaller(ctx, hash)
	require.NoError(t, err, "although its use cannot be written")
	require.True(t, key.LastUsedAt.IsZero())

	unlock()
	_, err = db.Reserve(ctx, request(a, "one"))
	require.NoError(t, err)
	require.NoError(t, db.Ping(ctx))
	_, key, err = db.KeyCaller(ctx, hash)
	require.NoError(t, err)
	require.Equal(t, start, key.LastUsedAt)
	require.NoError(t, db.Check(ctx))
}

// TestLockedForAMoment has writes wait: one that is cancelled ends at once, the others go on after the lock.
func TestLockedForAMoment(t *testing.T) {
	db, a, path := withAccount(t)
	db.SetLockWait(time.Hour)
	unlock := lock(t, path)
	cancelled, cancel := context.WithCancel(t.Context())
	results := make(chan error, 40)
	for i := range 40 {
		go func() {
			ctx := t.Context()
			if i%2 == 0 {
				ctx = cancelled
			}
			results <- db.CountCall(ctx, a.ID, 100)
		}()
	}
	require.Eventually(t, func() bool { return db.Waiting() == 40 }, time.Minute, time.Millisecond)
	cancel()
	for range 20 {
		require.ErrorIs(t, <-results, context.Canceled, "while the file is locked")
	}
	unlock()
	for range 20 {
		require.NoError(t, <-results)
	}
	require.NoError(t, db.CountCall(t.Context(), a.ID, 21))
	require.ErrorIs(t, db.CountCall(t.Context(), a.ID, 21), service.ErrRateLimited, "cancelled calls were not counted")
}

func TestFullFile(t *testing.T) {
	db, _, _ := withAccount(t)
	require.NoError(t, db.LimitPages(t.Context(), 3))
	fill(t, db, func() { require.NoError(t, db.LimitPages(t.Context(), -1)) })
}

// fill makes calls of many accounts at once until the disk is full, grows the disk, and goes on: what was acknowledged is there.
func fill(t *testing.T, db *sqlite.DB, grow func()) {
	t.Helper()
	var mu sync.Mutex
	kept := map[string]bool{}
	signIns := func(round int) (failed error) {
		var wg sync.WaitGroup
		for i := range 50 {
			wg.Go(func() {
				subject := fmt.Sprintf("user-%d-%d", round, i)
				_, err := db.SignIn(t.Context(), signingIn(subject, subject+"@example.com", 10_000))
				mu.Lock()
				defer mu.Unlock()
				kept[subject] = err == nil
				failed = errors.Join(failed, err)
			})
		}
		wg.Wait()
		return failed
	}
	round := 0
	var err error
	for ; err == nil; round++ {
		err = signIns(round)
	}
	require.ErrorIs(t, err, service.ErrStoreBusy)
	require.NoError(t, db.Check(t.Context()), "reading goes on")
	grow()
	require.NoError(t, signIns(round))
	for subject, stored := range kept {
		_, err := db.Account(t.Context(), subject)
		if stored {
			require.NoError(t, err, subject)
		} else {
			require.ErrorIs(t, err, service.ErrNotFound, subject)
		}
	}
	require.NoError(t, db.Check(t.Context()))
}

// TestPanicInAWrite ends one job: those that are committed with it go on.
func TestPanicInAWrite(t *testing.T) {
	db, a, path := withAccount(t)
	db.SetLockWait(time.Hour)
	unlock := lock(t, path)
	var wg sync.WaitGroup
	errs, panics := make([]error, 20), make([]any, 20)
	for i := range 20 {
		wg.Go(func() {
			defer func() { panics[i] = recover() }()
			if i%5 == 0 {
				errs[i] = db.Spoil(t.Context(), a.ID, "spoiled")
				return
			}
			_, errs[i] = db.AddCredits(t.Context(), a.ID, 1, service.Change{})
		})
	}
	require.Eventually(t, func() bool { return db.Waiting() == 20 }, time.Minute, time.Millisecond)
	unlock()
	wg.Wait()
	for i := range 20 {
		require.NoError(t, errs[i])
		if i%5 == 0 {
			require.Equal(t, "spoiled", panics[i])
		} else {
			require.Nil(t, panics[i])
		}
	}
	after, err := db.Account(t.Context(), "anna")
	require.NoError(t, err)
	require.EqualValues(t, 16, after.PaygCredits)
	require.NoError(t, db.Check(t.Context()))
}

// TestLedgerIsNotEdited tries to change the ledger behind the program's back, and what Check says of one that was changed.
func TestLedgerIsNotEdited(t *testing.T) {
	ctx := t.Context()
	db, a, _ := withAccount(t)
	_, err := db.Reserve(ctx, request(a, "one"))
	require.NoError(t, err)
	for statement, want := range map[string]string{
		`UPDATE ledger SET plan = 1`: "never changed",
		`DELETE FROM ledger`:         "never deleted",
		`INSERT INTO ledger (at, account, reason, plan, payg, held, granted, spent, expired) VALUES (0, 1, '', 1, 0, 0, 0, 0, 0)`: "CHECK",
		`UPDATE accounts SET plan_credits = -1`: "CHECK",
	} {
		require.ErrorContains(t, db.Exec(ctx, statement), want)
	}
	require.NoError(t, db.Check(ctx))
	for _, c := range []struct{ statement, want string }{
		{`UPDATE accounts SET plan_credits = plan_credits + 5`, "acc-1 has (9905, 0, 100), its rows sum to (9900, 0, 100)"},
		{`UPDATE accounts SET plan_credits = plan_credits - 5`, ""},
		{`UPDATE calls SET status = 'refunded'`, "acc-1 holds 100 credits for 0 of calls"},
		{`UPDATE calls SET status = 'charged'`, "call 1 has the status charged, its rows hold 100 and spent 0"},
		{`UPDATE calls SET status = 'charged'`, "call 1 has the status charged and no file"},
		{`UPDATE calls SET status = 'held'`, ""},
	} {
		require.NoError(t, db.Exec(ctx, c.statement))
		if c.want == "" {
			require.NoError(t, db.Check(ctx))
		} else {
			require.ErrorContains(t, db.Check(ctx), c.want)
		}
	}
}

// TestRefusedUsersCostNoWrite locks the file for others: users without access are refused all the same.
func TestRefusedUsersCostNoWrite(t *testing.T) {
	db, a, path := withAccount(t)
	lock(t, path)
	in := signingIn("eve", "eve@example.com", 10)
	in.Admitted = false
	_, err := db.SignIn(t.Context(), in)
	require.ErrorIs(t, err, service.ErrNotAdmitted)
	again, err := db.SignIn(t.Context(), signingIn("anna", "", 10))
	require.NoError(t, err)
	require.Equal(t, a, again)
}
