package storetest

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
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

// The environment variables with which a test starts this program as another process: the address of the store, and the number of
// users for whom it makes calls.
const (
	childStore = "VOICEWRIGHT_TEST_STORE"
	childUsers = "VOICEWRIGHT_TEST_USERS"
)

const (
	childBaseline = 1 << 40 // credits of a user
	killUsers     = 6       // in the processes that are killed
	userPrefix    = "user-" // begins their subjects
)

// Child reports whether this process is one that StartChild began. Then it has made calls on the store at its address, until its standard
// input ended. It prints "open" and then the id of each call whose charge was acknowledged. TestMain calls it first.
func Child(open func(ctx context.Context, address string) (service.Store, error)) bool {
	address := os.Getenv(childStore)
	if address == "" {
		return false
	}
	if err := child(address, open); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return true
}

func child(address string, open func(ctx context.Context, address string) (service.Store, error)) error {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	db, err := open(ctx, address)
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stdout, "open")
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
		wg.Go(func() { errs[i] = callUntil(ctx, db, fmt.Sprint(userPrefix, i), &calls) })
	}
	wg.Wait()
	<-ctx.Done()
	return errors.Join(append(errs, db.Close())...)
}

// callUntil makes calls of one user until ctx ends; one of three is refunded.
func callUntil(ctx context.Context, db service.Store, subject string, calls *atomic.Int64) error {
	in := signingIn(subject, subject+"@example.com")
	in.Baseline = childBaseline
	a, err := db.SignIn(ctx, in)
	for err == nil && ctx.Err() == nil {
		r := request(a, fmt.Sprintf("%d-%d", os.Getpid(), calls.Add(1)), 100)
		r.Instance, r.RateLimit = fmt.Sprint(os.Getpid()), math.MaxInt32
		err = call(ctx, db, r)
	}
	if errors.Is(err, context.Canceled) {
		err = nil
	}
	return err
}

// call reserves and then refunds or charges.
func call(ctx context.Context, db service.Store, r service.Reserve) error {
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
		fmt.Fprintln(os.Stdout, r.ID)
	}
	return err
}

// StartChild starts cmd, which is this program, as another process, which makes calls on the store at an address, as Child says. It ends
// when input is closed, or with this process.
func StartChild(t testing.TB, cmd *exec.Cmd, address string, users int) (input io.Closer, output *bufio.Scanner) {
	t.Helper()
	cmd.Env = append(os.Environ(), childStore+"="+address, fmt.Sprint(childUsers, "=", users))
	cmd.Stderr = os.Stderr
	input, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	return input, bufio.NewScanner(out)
}

// Kills is what was seen of processes that were killed on one store.
type Kills struct {
	kills, opening, repaired int
	charged                  map[string]bool // the calls whose charge was acknowledged
}

// Kill starts cmd as StartChild does, and kills it at a random moment: after some calls, or already while it opens the store, where
// opening says so.
func (k *Kills) Kill(t testing.TB, cmd *exec.Cmd, address string, opening bool) {
	t.Helper()
	if k.charged == nil {
		k.charged = map[string]bool{}
	}
	k.kills++
	_, output := StartChild(t, cmd, address, killUsers)
	printed := func(lines int) {
		for n := 0; n < lines && output.Scan(); n++ {
			if output.Text() != "open" {
				k.charged[output.Text()] = true
			}
		}
	}
	if opening {
		k.opening++
	} else {
		printed(1 + rand.N(12)) // "open", and some calls
	}
	timer := time.AfterFunc(rand.N(5*time.Millisecond), func() { _ = cmd.Process.Kill() })
	printed(math.MaxInt)
	require.Error(t, cmd.Wait())
	timer.Stop()
}

// Repair has another process repair the store, and checks it: the sums are right, what was acknowledged is charged, nothing of the dead
// stays reserved, and no lock is left.
func (k *Kills) Repair(t testing.TB, db service.Store, clock *Clock, deadAfter time.Duration) {
	t.Helper()
	ctx := t.Context()
	k.repaired += Repair(t, db, clock, deadAfter)
	require.NoError(t, db.Check(ctx))
	list, err := db.Accounts(ctx, 0, 1000)
	require.NoError(t, err)
	found := 0
	for _, a := range list {
		if !strings.HasPrefix(a.Subject, userPrefix) {
			continue
		}
		found += k.checkUser(t, db, a)
		r := request(a, fmt.Sprint("after ", k.kills, a.Subject), 100)
		r.RateLimit = math.MaxInt32
		_, err = db.Reserve(ctx, r)
		require.NoError(t, err, "no lock is left")
		require.NoError(t, db.Refund(ctx, r.ID, "test"))
	}
	require.Len(t, k.charged, found)
}

// checkUser checks the calls of a user, and returns how many of them were acknowledged.
func (k *Kills) checkUser(t testing.TB, db service.Store, a service.Account) (found int) {
	t.Helper()
	usage, _, err := db.Usage(t.Context(), a.ID, "", 1_000_000)
	require.NoError(t, err)
	var spent int64
	for _, u := range usage {
		require.NotEqual(t, "held", u.Status)
		spent += u.Credits
		if k.charged[u.ID] {
			require.Equal(t, "charged", u.Status, "what was acknowledged")
			require.Equal(t, u.ID, u.File, "with its file")
			found++
		}
	}
	require.EqualValues(t, childBaseline-spent, a.Credits())
	return found
}

// End logs what was seen, and requires that it was worth the trouble: at least so many reservations were repaired.
func (k *Kills) End(t testing.TB, repaired int) {
	t.Helper()
	t.Logf("%d kills, %d of them at the start: %d calls charged, %d reservations repaired", k.kills, k.opening, len(k.charged), k.repaired)
	require.NotEmpty(t, k.charged)
	require.GreaterOrEqual(t, k.repaired, repaired)
}
