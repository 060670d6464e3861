//go:build postgres

package postgres_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/postgres"
	"github.com/voicewright/voicewright/backend/service/storetest"
)

// The environment variables with which a test starts this program as another process: the address of the store, and the number of
// users for whom it makes calls.
const (
	childURL   = "VOICEWRIGHT_TEST_STORE"
	childUsers = "VOICEWRIGHT_TEST_USERS"
)

const childBaseline = 1 << 40 // credits of a user

// child begins a call that it does not end, and makes others until it is killed, or until standard input ends. It prints "open" and then
// the id of each call whose charge was acknowledged.
func child(url string) error {
	if number := os.Getenv(benchProcess); number != "" {
		return benchChild(url, number)
	}
	ctx, stop := context.WithCancel(context.Background())
	db, err := postgres.Open(ctx, postgres.Options{URL: url})
	if err != nil {
		stop()
		return err
	}
	left, err := db.SignIn(ctx, signingIn("left", childBaseline))
	if err == nil {
		r := request(left, fmt.Sprint("left-", os.Getpid()))
		r.Instance = fmt.Sprint(os.Getpid())
		_, err = db.Reserve(ctx, r)
	}
	if err != nil {
		stop()
		return errors.Join(err, db.Close())
	}
	fmt.Println("open")
	go func() {
		_, _ = os.Stdin.Read(make([]byte, 1))
		stop()
	}()
	users, err := strconv.Atoi(os.Getenv(childUsers))
	if err != nil {
		return err
	}
	errs := make([]error, users)
	var wg sync.WaitGroup
	var calls atomic.Int64
	for i := range users {
		wg.Go(func() { errs[i] = callUntil(ctx, db, fmt.Sprint("user-", i), &calls) })
	}
	wg.Wait()
	<-ctx.Done()
	return errors.Join(append(errs, db.Close())...)
}

// callUntil makes calls of one user until ctx ends; one of three is refunded.
func callUntil(ctx context.Context, db *postgres.DB, subject string, calls *atomic.Int64) error {
	a, err := db.SignIn(ctx, signingIn(subject, childBaseline))
	for err == nil && ctx.Err() == nil {
		r := request(a, fmt.Sprintf("%d-%d", os.Getpid(), calls.Add(1)))
		r.Instance = fmt.Sprint(os.Getpid())
		err = call(ctx, db, r)
	}
	if errors.Is(err, context.Canceled) {
		err = nil
	}
	return err
}

// call reserves and then refunds or charges.
func call(ctx context.Context, db *postgres.DB, r service.Reserve) error {
	if err := db.Heartbeat(ctx, r.Instance); err != nil {
		return err
	}
	if _, err := db.Reserve(ctx, r); err != nil {
		return err
	}
	if rand.N(3) == 0 {
		return db.Refund(ctx, r.ID, "provider failed")
	}
	_, err := db.Settle(ctx, r.ID, service.Project{}, service.NewFile{Name: r.ID})
	if err == nil {
		fmt.Println(r.ID)
	}
	return err
}

// command returns this program as another process on a store, with a variable of the environment.
func command(url, variable string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childURL+"="+url, variable)
	cmd.Stderr = os.Stderr
	return cmd
}

// startChild starts this program as another process on a store.
func startChild(t *testing.T, url string, users int) (cmd *exec.Cmd, output *bufio.Scanner) {
	t.Helper()
	cmd = command(url, fmt.Sprint(childUsers, "=", users))
	_, err := cmd.StdinPipe() // ends when this process does
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	return cmd, bufio.NewScanner(out)
}

const killUsers = 6 // in the processes that are killed

// TestKilledProcesses kills a process at a random moment, again and again, while another one lives: each time the sums are right, what
// was acknowledged is charged, nothing of the dead stays reserved, and the call of the other one goes on.
func TestKilledProcesses(t *testing.T) {
	url := empty(t)
	clock := standing(t, url)
	db := openWith(t, postgres.Options{URL: url})
	other, err := db.SignIn(t.Context(), signingIn("other", childBaseline))
	require.NoError(t, err)
	outside := connect(t, url)
	charged := map[string]bool{}
	repaired := 0
	for i := range kills {
		r := request(other, fmt.Sprint("other-", i))
		r.Instance = "watcher"
		_, err := db.Reserve(t.Context(), r)
		require.NoError(t, err)
		cmd, output := startChild(t, url+"&application_name=killed", killUsers)
		printed := func(lines int) {
			for n := 0; n < lines && output.Scan(); n++ {
				if output.Text() != "open" {
					charged[output.Text()] = true
				}
			}
		}
		printed(1 + rand.N(12)) // "open", and some calls
		timer := time.AfterFunc(rand.N(5*time.Millisecond), func() { _ = cmd.Process.Kill() })
		printed(math.MaxInt)
		require.Error(t, cmd.Wait())
		timer.Stop()
		outside.waitFor(`SELECT count(*) = 0 FROM pg_stat_activity WHERE application_name = 'killed'`)
		repaired += afterKill(t, clock, db, charged)
		_, err = db.Settle(t.Context(), r.ID, service.Project{}, service.NewFile{Name: r.ID})
		require.NoError(t, err, "of the process that lives")
	}
	t.Logf("%d kills: %d calls charged, %d reservations repaired", kills, len(charged), repaired)
	require.NotEmpty(t, charged)
	require.GreaterOrEqual(t, repaired, kills)
}

// afterKill lets the process "watcher" repair, checks the store, and returns how many reservations were repaired.
func afterKill(t *testing.T, clock *storetest.Clock, db *postgres.DB, charged map[string]bool) int {
	t.Helper()
	ctx := t.Context()
	watch(t, clock, db)
	repaired, err := db.Repair(ctx, "watcher")
	require.NoError(t, err)
	require.NoError(t, db.Check(ctx))
	list, err := db.Accounts(ctx, 0, 2+killUsers)
	require.NoError(t, err)
	found := 0
	for _, a := range list {
		if a.Subject == "other" {
			continue
		}
		usage, _, err := db.Usage(ctx, a.ID, "", 1_000_000)
		require.NoError(t, err)
		var spent int64
		for _, u := range usage {
			require.NotEqual(t, "held", u.Status)
			spent += u.Credits
			if charged[u.ID] {
				require.Equal(t, "charged", u.Status, "what was acknowledged")
				require.Equal(t, u.ID, u.File, "with its file")
				found++
			}
		}
		require.EqualValues(t, childBaseline-spent, a.Credits())
	}
	require.Len(t, charged, found)
	return repaired
}
