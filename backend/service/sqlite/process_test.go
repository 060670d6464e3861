package sqlite_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/sqlite"
	"github.com/voicewright/voicewright/backend/service/storetest"
)

// The environment variables with which a test starts this program as another process: the path of the store, and the number of
// users for whom it makes calls.
const (
	childPath  = "VOICEWRIGHT_TEST_STORE"
	childUsers = "VOICEWRIGHT_TEST_USERS"
)

// TestMain runs the tests, or the calls of another process.
func TestMain(m *testing.M) {
	if path := os.Getenv(childPath); path != "" {
		if err := child(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

const childBaseline = 1 << 40 // credits of a user

// child makes calls until it is killed, or until standard input ends. It prints "open" and then the id of each call whose charge
// was acknowledged.
func child(path string) error {
	ctx, stop := context.WithCancel(context.Background())
	db, err := sqlite.Open(ctx, sqlite.Options{Path: path})
	if err != nil {
		stop()
		return err
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
func callUntil(ctx context.Context, db *sqlite.DB, subject string, calls *atomic.Int64) error {
	a, err := db.SignIn(ctx, signingIn(subject, "", childBaseline))
	for err == nil && ctx.Err() == nil {
		r := request(a, fmt.Sprintf("%d-%d", os.Getpid(), calls.Add(1)))
		r.Instance, r.RateLimit = fmt.Sprint(os.Getpid()), math.MaxInt32
		err = call(ctx, db, r)
	}
	if errors.Is(err, context.Canceled) {
		err = nil
	}
	return err
}

// call reserves and then refunds or charges.
func call(ctx context.Context, db *sqlite.DB, r service.Reserve) error {
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

// startChild starts this program as another process on a store.
func startChild(t *testing.T, path string, users int) (cmd *exec.Cmd, input io.Closer, output *bufio.Scanner) {
	t.Helper()
	cmd = exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childPath+"="+path, fmt.Sprint(childUsers, "=", users))
	cmd.Stderr = os.Stderr
	input, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	return cmd, input, bufio.NewScanner(out)
}

const killUsers = 6 // in the processes that are killed

// TestKilledProcesses kills a process at a random moment, again and again: each time the sums are right, what was acknowledged is
// charged, nothing stays reserved, and no lock is left.
func TestKilledProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "service.db")
	charged := map[string]bool{}
	opening, repaired := 0, 0
	for range kills {
		cmd, _, output := startChild(t, path, killUsers)
		printed := func(lines int) {
			for n := 0; n < lines && output.Scan(); n++ {
				if output.Text() != "open" {
					charged[output.Text()] = true
				}
			}
		}
		if rand.N(10) == 0 {
			opening++
		} else {
			printed(1 + rand.N(12)) // "open", and some calls
		}
		timer := time.AfterFunc(rand.N(5*time.Millisecond), func() { _ = cmd.Process.Kill() })
		printed(math.MaxInt)
		require.Error(t, cmd.Wait())
		timer.Stop()
		repaired += afterKill(t, path, charged)
	}
	t.Logf("%d kills, %d of them at the start: %d calls charged, %d reservations repaired",
		kills, opening, len(charged), repaired)
	require.NotEmpty(t, charged)
	require.NotZero(t, repaired)
}

// afterKill opens the store, repairs and checks it, and returns how many reservations were repaired.
func afterKill(t *testing.T, path string, charged map[string]bool) int {
	t.Helper()
	ctx := t.Context()
	clock := storetest.NewClock()
	clock.Set(time.Now())
	db, err := sqlite.Open(ctx, sqlite.Options{Path: path, Now: clock.Now})
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	repaired := repairAsWatcher(t, db, clock)
	require.NoError(t, db.Check(ctx))
	list, err := db.Accounts(ctx, 0, killUsers)
	require.NoError(t, err)
	found, opened := 0, time.Now()
	for _, a := range list {
		usage, _, err := db.Usage(ctx, a.ID, "", 1_000_000)
		require.NoError(t, err)
		var spent int64
		for _, u := range usage {
			require.NotEqual(t, "held", u.Status)
			spent += u.Credits
			if charged[u.ID] {
				require.Equal(t, "charged", u.Status, "what was acknowledged")
				found++
			}
		}
		require.EqualValues(t, childBaseline-spent, a.Credits())
		r := request(a, fmt.Sprint("after ", opened, a.Subject))
		r.RateLimit = math.MaxInt32
		_, err = db.Reserve(ctx, r)
		require.NoError(t, err, "no lock is left")
		require.NoError(t, db.Refund(ctx, r.ID, "test"))
	}
	require.Len(t, charged, found)
	return repaired
}

// repairAsWatcher returns how many calls the process "watcher" refunds once it has lived for long enough.
func repairAsWatcher(t *testing.T, db *sqlite.DB, clock *storetest.Clock) int {
	t.Helper()
	for range sqlite.DeadAfter/time.Second + 2 {
		clock.Add(time.Second)
		require.NoError(t, db.Heartbeat(t.Context(), "watcher"))
	}
	n, err := db.Repair(t.Context(), "watcher")
	require.NoError(t, err)
	return n
}

// TestProcessesMigrateAtOnce starts processes on a file that is not there yet; all of them open it.
func TestProcessesMigrateAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "service.db")
	var wait []func() error
	for range 4 {
		cmd, input, output := startChild(t, path, 0)
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
