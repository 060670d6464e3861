//go:build postgres

package postgres_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/postgres"
	"github.com/voicewright/voicewright/backend/service/postgres/postgrestest"
	"github.com/voicewright/voicewright/backend/service/providers"
	"github.com/voicewright/voicewright/backend/service/providers/providertest"
	"github.com/voicewright/voicewright/backend/service/turns"
	"github.com/voicewright/voicewright/backend/service/turns/turnstest"
)

func TestTurns(t *testing.T) {
	turnstest.Run(t, func(t *testing.T) turnstest.Processes {
		o := postgres.Options{URL: empty(t)}
		a, b := openWith(t, o), openWith(t, o)
		require.NoError(t, a.Heartbeat(t.Context(), "a"))
		require.NoError(t, b.Heartbeat(t.Context(), "b"))
		return turnstest.Processes{A: a, B: b, Kill: func(instance string) {
			require.NoError(t, execute(t, o.URL, fmt.Sprintf(`DELETE FROM instances WHERE id = '%s'`, instance)))
		}}
	})
}

// TestClosedProcess counts no turn for a process that has ended, from that moment on. What it held would be repaired as ever.
func TestClosedProcess(t *testing.T) {
	ctx := t.Context()
	url, account := withAccount(t)
	o := postgres.Options{URL: url}
	ended, killed, db := openWith(t, o), openWith(t, o), openWith(t, o)
	for id, s := range map[string]*postgres.DB{"ended": ended, "p": killed, "b": db} {
		require.NoError(t, s.Heartbeat(ctx, id))
	}
	_, err := killed.Reserve(ctx, request(account, "one")) // of p
	require.NoError(t, err)
	require.NoError(t, ended.Close())
	require.NoError(t, killed.Close())
	answer, err := db.Exchange(ctx, turns.Line{
		Provider: "A", Instance: "b", Queue: 10, Callers: []turns.Caller{{Number: 1}, {Number: 2}, {Number: 3}},
	})
	require.NoError(t, err)
	require.Len(t, answer.Turns, 2, "its own, and that of the one that may be dead")
}

// lane is a lane of a process whose calls end when the test says so.
type lane struct {
	*providers.Lane
	results chan error
	mu      *sync.Mutex // of all lanes
	spoken  *[]string   // by all lanes
}

// newLanes returns lanes of processes, which live, on stores.
func newLanes(t *testing.T, queue int, own bool, stores ...*postgres.DB) (lanes []*lane) {
	var mu sync.Mutex
	var spoken []string
	for i, db := range stores {
		name := string(rune('a' + i))
		require.NoError(t, db.Heartbeat(t.Context(), name))
		l := &lane{results: make(chan error), mu: &mu, spoken: &spoken}
		l.Lane = providers.NewLane(providertest.Func{SpeakFunc: l.speak}, providers.LaneOptions{
			Provider: service.ProviderA, Queue: queue,
			Shared: &providers.Shared{Turns: db, Instance: name, Own: own, Log: slog.New(slog.DiscardHandler)},
		})
		t.Cleanup(func() { require.NoError(t, l.Close()) })
		lanes = append(lanes, l)
	}
	return lanes
}

func (l *lane) speak(ctx context.Context, s service.Speech) (audio.Buffer, error) {
	l.mu.Lock()
	*l.spoken = append(*l.spoken, s.Turns[0].Text)
	l.mu.Unlock()
	select {
	case err := <-l.results:
		return audio.Buffer{}, err
	case <-ctx.Done():
		return audio.Buffer{}, ctx.Err()
	}
}

func (l *lane) said() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(*l.spoken)
}

// call calls the lane in the background.
func (l *lane) call(ctx context.Context, text string, priority bool) chan error {
	done := make(chan error, 1)
	go func() {
		_, err := l.Speak(ctx, service.Speech{Turns: []service.Turn{{Text: text}}, Priority: priority})
		done <- err
	}()
	return done
}

// awaitQueue waits until the database has as many callers that wait and turns.
func awaitQueue(t *testing.T, url string, waiting, turns int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.Background())) }()
	want := [2]int{waiting, turns}
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		var have [2]int
		require.NoError(t, conn.QueryRow(t.Context(), `SELECT count(*) FILTER (WHERE NOT turn), count(*) FILTER (WHERE turn) FROM waiting`).
			Scan(&have[0], &have[1]))
		if have == want {
			return
		}
		require.True(t, time.Now().Before(end), "callers that wait, and turns: %v in place of %v", have, want)
	}
}

// Callers of two processes get their turns in one order, and one bound holds for both.
func TestSharedQueue(t *testing.T) {
	o := postgres.Options{URL: empty(t)}
	lanes := newLanes(t, 4, false, openWith(t, o), openWith(t, o))
	var calls []chan error
	for i, c := range []struct {
		lane     int
		text     string
		priority bool
	}{{0, "a1", false}, {1, "b1", false}, {0, "a2", false}, {1, "b2", false}, {1, "b3", true}, {0, "a3", true}} {
		calls = append(calls, lanes[c.lane].call(t.Context(), c.text, c.priority))
		awaitQueue(t, o.URL, max(0, i-1), min(i+1, 2))
	}
	for _, l := range lanes {
		require.Equal(t, service.CodeProviderBusy, service.CodeOf(<-l.call(t.Context(), "too many", true)))
	}
	for n := range calls {
		for want := min(n+2, len(calls)); len(lanes[0].said()) < want; {
			time.Sleep(time.Millisecond) // until the next one runs
		}
		select {
		case lanes[0].results <- nil:
		case lanes[1].results <- nil:
		}
	}
	for _, done := range calls {
		require.NoError(t, <-done)
	}
	said := lanes[0].said()
	require.ElementsMatch(t, []string{"a1", "b1"}, said[:2])
	require.ElementsMatch(t, []string{"b3", "a3"}, said[2:4], "those with priority")
	require.ElementsMatch(t, []string{"a2", "b2"}, said[4:])
	awaitQueue(t, o.URL, 0, 0)
}

// beating writes the heartbeats of a process until stop is called.
func beating(t *testing.T, db *postgres.DB, name string) (stop func()) {
	t.Helper()
	require.NoError(t, db.Heartbeat(t.Context(), name))
	ended, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-ended:
				return
			case <-time.After(service.HeartbeatInterval):
				_ = db.Heartbeat(context.Background(), name) // the next one is tried in any case
			}
		}
	}()
	return func() {
		close(ended)
		<-done
	}
}

// A hundred callers of two processes: no turn is given twice, and none is lost.
func TestAHundredCallers(t *testing.T) {
	o := postgres.Options{URL: empty(t)}
	a, b := openWith(t, o), openWith(t, o)
	for _, own := range []bool{false, true} {
		var all atomic.Int64
		var lanes []*providers.Lane
		for i, db := range []*postgres.DB{a, b} {
			name := fmt.Sprint(own, i)
			defer beating(t, db, name)()
			var here atomic.Int64
			speak := func(context.Context, service.Speech) (audio.Buffer, error) {
				defer all.Add(-1)
				defer here.Add(-1)
				if mine := here.Add(1); own && mine > 1 {
					return audio.Buffer{}, fmt.Errorf("%d calls run in a process", mine)
				}
				if n := all.Add(1); n > 2 {
					return audio.Buffer{}, fmt.Errorf("%d calls run", n)
				}
				time.Sleep(time.Millisecond)
				return audio.Buffer{}, nil
			}
			lane := providers.NewLane(providertest.Func{SpeakFunc: speak}, providers.LaneOptions{
				Provider: service.ProviderB, Queue: 100,
				Shared: &providers.Shared{Turns: db, Instance: name, Own: own, Log: slog.New(slog.DiscardHandler)},
			})
			defer func() { require.NoError(t, lane.Close()) }()
			lanes = append(lanes, lane)
		}
		require.NoError(t, execute(t, o.URL, fmt.Sprintf(`DELETE FROM instances WHERE id NOT LIKE '%v_'`, own)))
		var callers sync.WaitGroup
		for i := range 100 {
			callers.Go(func() {
				_, err := lanes[i%2].Speak(t.Context(), service.Speech{Turns: make([]service.Turn, 1), Priority: i%3 == 0})
				if err != nil {
					t.Errorf("call %d: %v", i, err)
				}
			})
		}
		callers.Wait()
		awaitQueue(t, o.URL, 0, 0)
	}
}

// lineOfFour returns the line of a process in which four callers wait.
func lineOfFour(instance string) turns.Line {
	line := turns.Line{Provider: string(service.ProviderA), Instance: instance, Queue: 8}
	for number := range int64(4) {
		line.Callers = append(line.Callers, turns.Caller{Number: number})
	}
	return line
}

// The turns of a process that died go on once it is repaired, and what it had in the queue is gone.
func TestQueueOfADeadProcess(t *testing.T) {
	o := postgres.Options{URL: empty(t)}
	db := openWith(t, o)
	now := time.Now()
	setClock, _ := testClock(t, o.URL)
	line := lineOfFour("dead")
	a := newLanes(t, 8, false, db)[0]
	_, err := db.Exchange(t.Context(), line)
	require.NoError(t, err)
	awaitQueue(t, o.URL, 2, 2)
	done := a.call(t.Context(), "waits", false)
	awaitQueue(t, o.URL, 3, 2)
	for range 13 {
		now = now.Add(time.Second)
		setClock(now)
		require.NoError(t, db.Heartbeat(t.Context(), "a"))
		_, err := db.Repair(t.Context(), "a")
		require.NoError(t, err)
	}
	a.results <- nil
	require.NoError(t, <-done)
	awaitQueue(t, o.URL, 0, 0)
}

// A process that is silent for a moment keeps nobody waiting, although it is not known to be dead. When it comes back it has its place.
func TestQueueOfASilentProcess(t *testing.T) {
	o := postgres.Options{URL: empty(t)}
	db := openWith(t, o)
	setClock, _ := testClock(t, o.URL)
	line := lineOfFour("silent")
	a := newLanes(t, 8, false, db)[0]
	_, err := db.Exchange(t.Context(), line)
	require.NoError(t, err)
	awaitQueue(t, o.URL, 2, 2)
	waits, next := a.call(t.Context(), "waits", false), make(chan error)
	awaitQueue(t, o.URL, 3, 2)
	setClock(time.Now().Add(5 * time.Second))
	require.NoError(t, db.Heartbeat(t.Context(), "a"))
	a.results <- nil
	require.NoError(t, <-waits)
	awaitQueue(t, o.URL, 2, 2)
	go func() { next <- <-a.call(t.Context(), "next", false) }()
	a.results <- nil
	require.NoError(t, <-next, "the callers that it left do not get the turns that others give back")
	require.NoError(t, db.Heartbeat(t.Context(), "silent"))
	answer, err := db.Exchange(t.Context(), line)
	require.NoError(t, err)
	require.Len(t, answer.Turns, 2)
}

// While the database is away, who waits is answered and calls go on; afterwards no turn is kept.
func TestQueueWithoutADatabase(t *testing.T) {
	url := empty(t)
	proxy := postgrestest.Shared().Proxy(t)
	db := openWith(t, postgres.Options{URL: proxy.URL(postgrestest.Name(url)), Wait: 500 * time.Millisecond})
	a := newLanes(t, 8, true, db)[0]
	first := a.call(t.Context(), "1", false)
	awaitQueue(t, url, 0, 1)
	second := a.call(t.Context(), "2", false)
	awaitQueue(t, url, 1, 1)
	proxy.Away(true)
	for _, done := range []chan error{second, a.call(t.Context(), "3", true)} {
		var busy *service.Error
		require.ErrorAs(t, <-done, &busy)
		require.Equal(t, service.Error{Status: 503, Sentence: busy.Sentence, RetryAfter: 2 * time.Second}, *busy)
	}
	a.results <- nil
	require.NoError(t, <-first)
	awaitQueue(t, url, 1, 1)
	proxy.Away(false)
	awaitQueue(t, url, 0, 0)
	last := a.call(t.Context(), "4", false)
	a.results <- nil
	require.NoError(t, <-last)
}

// A connection that is lost at any point costs no turn, and no caller notices.
func TestQueueWithLostConnections(t *testing.T) {
	url := empty(t)
	proxy := postgrestest.Shared().Proxy(t)
	a := newLanes(t, 8, true, openWith(t, postgres.Options{URL: proxy.URL(postgrestest.Name(url))}))[0]
	for _, point := range []postgrestest.Point{
		postgrestest.AtStatement, postgrestest.BeforeCommit, postgrestest.AfterCommit, postgrestest.InAnswer,
	} {
		cuts := proxy.Cuts()
		proxy.Cut(point)
		first := a.call(t.Context(), "1", false)
		a.results <- nil
		require.NoError(t, <-first)
		require.Equal(t, cuts+1, proxy.Cuts())

		first, second := a.call(t.Context(), "1", false), a.call(t.Context(), "2", false)
		awaitQueue(t, url, 1, 1)
		proxy.Cut(point) // in the exchange that gives the turn to the second
		a.results <- nil
		a.results <- nil
		require.NoError(t, <-first)
		require.NoError(t, <-second)
		require.Equal(t, cuts+2, proxy.Cuts())
		awaitQueue(t, url, 0, 0)
	}
}

// A server that crashes loses who waits. Calls that run have their turn again once it is back, and no other call runs beside them.
func TestQueueAfterACrashOfTheServer(t *testing.T) {
	cluster, err := postgrestest.Start(false)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, cluster.Remove()) })
	o := postgres.Options{URL: cluster.URL("template1"), Wait: 20 * time.Second}
	_, _, err = postgres.Migrate(t.Context(), o)
	require.NoError(t, err)
	a := newLanes(t, 8, true, openWith(t, o))[0]
	first := a.call(t.Context(), "1", false)
	awaitQueue(t, o.URL, 0, 1)
	second := a.call(t.Context(), "2", false)
	awaitQueue(t, o.URL, 1, 1)
	require.NoError(t, cluster.Stop(syscall.SIGQUIT))
	require.NoError(t, cluster.Start())
	awaitQueue(t, o.URL, 1, 1)
	require.Equal(t, []string{"1"}, a.said())
	for _, done := range []chan error{first, second} {
		a.results <- nil
		require.NoError(t, <-done)
	}
	awaitQueue(t, o.URL, 0, 0)
}
