//go:build scale && postgres

package servicescale_test

import (
	"context"
	"fmt"
	"net/http"
	"path"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/exit"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/build/servicescale"
)

// report is what a load and its faults came to.
type report struct {
	calls, answered, refused, lost int
	charged, refunded              int
	repaired                       int // of those that were refunded, by a process for one that died
	repeated                       int // calls whose answer was lost, and came when they were repeated
	orphans                        int // files that a dead process left, and the sweep removed
	statuses                       map[int]int
}

// String returns the report as a line.
func (r report) String() string {
	return fmt.Sprintf("%d calls: %d answered with audio (%d of them after a lost answer), %d with an error %v, %d without an answer; "+
		"%d charged, %d refunded, %d of them by another process; %d files left by dead processes and swept",
		r.calls, r.answered, r.repeated, r.refused, r.statuses, r.lost, r.charged, r.refunded, r.repaired, r.orphans)
}

// verify compares what the clients know with the ledger and the files, after the faults have ended.
func (w *world) verify(calls []*call) report {
	w.t.Helper()
	w.waitUntilNothingIsHeld()
	code, out, complaints := command(w.t, "account", "check", "--database", w.db.address)
	require.Equal(w.t, exit.Done, code, "%s%s", out, complaints)
	require.Empty(w.t, w.speaker.Twice(), "accounts with two calls at once")
	r := report{calls: len(calls), statuses: map[int]int{}}
	charged := w.usage(&r)
	files := map[string]bool{}
	for _, uses := range charged {
		for _, u := range uses {
			files[u.File] = true
		}
	}
	for _, c := range calls {
		uses := charged[c.title]
		delete(charged, c.title)
		switch c.outcome {
		case answered:
			r.answered++
			if c.tries > 1 {
				r.repeated++
			}
			require.Len(w.t, uses, 1, "the audio of the call %+v is charged once", c)
			require.Equal(w.t, path.Base(c.url), uses[0].File)
		case refused:
			r.refused++
			r.statuses[c.status]++
			require.Empty(w.t, uses, "an error is not charged: %+v", c)
		case lost:
			r.lost++
			require.False(w.t, c.keyed, "the outcome of a call with a key becomes known: %+v", c)
			require.LessOrEqual(w.t, len(uses), 1)
		}
	}
	require.Empty(w.t, charged, "nobody made these calls")
	w.download(calls)
	r.orphans = w.sweep(files)
	return r
}

// waitUntilNothingIsHeld waits until the calls of dead processes are refunded.
func (w *world) waitUntilNothingIsHeld() {
	w.t.Helper()
	require.Eventually(w.t, func() bool {
		for _, u := range w.users {
			sums, err := w.store.Sums(w.t.Context(), u.account.ID)
			if err != nil || sums.Balance.Held != 0 {
				return false
			}
		}
		return true
	}, timeout, 500*time.Millisecond, "what dead processes held")
}

// usage returns the calls that were charged, by title, and counts the others.
func (w *world) usage(r *report) map[string][]service.Usage {
	w.t.Helper()
	charged := map[string][]service.Usage{}
	for _, u := range w.users {
		var spent int64
		for cursor, more := "", true; more; more = cursor != "" {
			var page []service.Usage
			var err error
			page, cursor, err = w.store.Usage(w.t.Context(), u.account.ID, cursor, 500)
			require.NoError(w.t, err)
			for _, use := range page {
				spent += use.Credits
				switch use.Status {
				case "charged":
					r.charged++
					require.NotEmpty(w.t, use.File, "a charged call has audio")
					charged[use.Title] = append(charged[use.Title], use)
				case "refunded":
					r.refunded++
				default:
					require.Fail(w.t, "a call is "+use.Status)
				}
			}
		}
		account, err := w.store.AccountByID(w.t.Context(), u.account.ID)
		require.NoError(w.t, err)
		require.EqualValues(w.t, credits-spent, account.Credits(), u.name)
		entries, err := w.store.Entries(w.t.Context(), u.account.ID, 1<<62, 1_000_000)
		require.NoError(w.t, err)
		for _, e := range entries {
			if e.Reason == "repair" {
				r.repaired++
			}
		}
	}
	return charged
}

// download fetches the audio of all calls that were answered.
func (w *world) download(calls []*call) {
	w.t.Helper()
	client := newClient()
	defer client.CloseIdleConnections()
	together(w.t, len(calls), func(i int) error {
		if calls[i].outcome != answered {
			return nil
		}
		status, body, err := w.send(client, "GET", calls[i].url, "", "", nil)
		if err == nil && (status != http.StatusOK || len(body) != servicescale.ToneBytes) {
			err = fmt.Errorf("the audio of %s: %d, %d bytes", calls[i].title, status, len(body))
		}
		return err
	})
}

// sweep lets a service sweep, whose time passes at once, and requires that the audio of the charged calls is left and nothing else. It
// returns how many files it removed.
func (w *world) sweep(charged map[string]bool) int {
	w.t.Helper()
	before := w.files.names(w.t)
	synctest.Test(w.t, func(t *testing.T) {
		s := newService(t, w.db, w.files.open(t), 0, nil)
		time.Sleep(12 * time.Minute) // two searches for files without an entry are 10 minutes apart
		synctest.Wait()
		require.NoError(t, s.Close(context.WithoutCancel(t.Context())))
	})
	left := w.files.names(w.t)
	for name := range charged {
		require.Contains(w.t, left, name, "a charged call has its file")
	}
	require.Len(w.t, left, len(charged), "no file is left without a row")
	return len(before) - len(left)
}
