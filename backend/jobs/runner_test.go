package jobs

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

type job struct {
	Handle
	err error // of the work, or why it did not run
}

func newRunner(t *testing.T) (*Runner[*job], *Line[*job]) {
	t.Helper()
	r := New[*job](t.Context(), Options{Things: "jobs", Closed: errClosed, Limit: 2, Log: slog.New(slog.DiscardHandler)})
	l := r.NewLine(nil)
	r.Start()
	t.Cleanup(func() { r.Close(context.Background()) })
	return r, l
}

// enqueue puts work into a line.
func enqueue(t *testing.T, r *Runner[*job], l *Line[*job], key string, work func(context.Context) error) *job {
	t.Helper()
	j := &job{Handle: NewHandle()}
	require.NoError(t, r.Enqueue(l, j, func() error {
		r.Assign(context.Background(), j, work, func(err error) {
			j.err = err
			r.Forget(j)
			r.Finish(j)
		})
		require.True(t, r.AddAlone(key, j))
		return nil
	}))
	return j
}

func untilCancelled(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

func TestJobsRunOneByOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, l := newRunner(t)
		var order []string
		var last *job
		for _, key := range []string{"a", "b", "c"} {
			last = enqueue(t, r, l, key, func(context.Context) error {
				order = append(order, key+" begins")
				time.Sleep(time.Second)
				order = append(order, key+" ends")
				return nil
			})
			synctest.Wait()
		}
		require.Len(t, l.Waiting(), 2)
		require.Equal(t, backend.CodeQueueFull, backend.CodeOf(l.Reserve(1)))
		r.Wait(t.Context(), last)
		require.Equal(t, []string{"a begins", "a ends", "b begins", "b ends", "c begins", "c ends"}, order)
		synctest.Wait()
		require.Empty(t, l.Waiting())
		require.Nil(t, r.Job("c"))
	})
}

func TestStopEndsWaitingAndRunningJobs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, l := newRunner(t)
		running := enqueue(t, r, l, "a", untilCancelled)
		synctest.Wait()
		waiting := enqueue(t, r, l, "a/1", untilCancelled)
		require.ElementsMatch(t, []*job{running, waiting}, r.Jobs("a"))
		r.Stop(waiting)
		require.True(t, waiting.Ended())
		require.Equal(t, backend.CodeCancelled, backend.CodeOf(waiting.err))
		require.False(t, running.Ended())
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		r.Wait(ctx, running)
		require.ErrorIs(t, running.err, context.Canceled)
		require.True(t, running.Stopped())
		require.Empty(t, r.Jobs("a"))
	})
}

func TestAPanicEndsOneJob(t *testing.T) {
	r, l := newRunner(t)
	broken := enqueue(t, r, l, "a", func(context.Context) error { panic("broken") })
	r.Wait(t.Context(), broken)
	var panicked *backend.PanicError
	require.ErrorAs(t, broken.err, &panicked)
	next := enqueue(t, r, l, "b", func(context.Context) error { return nil })
	r.Wait(t.Context(), next)
	require.NoError(t, next.err)
}

func TestAJobThatIsRefusedLeavesItsPlace(t *testing.T) {
	r, l := newRunner(t)
	refused := errors.New("refused")
	for range 5 { // more than there are places
		require.ErrorIs(t, r.Enqueue(l, &job{Handle: NewHandle()}, func() error { return refused }), refused)
		require.ErrorIs(t, r.Go(&job{Handle: NewHandle()}, func() error { return refused }), refused)
	}
}

func TestAddAlone(t *testing.T) {
	r, _ := newRunner(t)
	first, second := &job{Handle: NewHandle()}, &job{Handle: NewHandle()}
	require.True(t, r.AddAlone("a/1", first))
	require.False(t, r.AddAlone("a", second))
	require.True(t, r.AddAlone("a1", &job{Handle: NewHandle()}))
	r.Add("a/1", second)
	r.Forget(first) // another has its place
	require.Equal(t, second, r.Job("a/1"))
}

func TestInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, l := newRunner(t)
		failure := errors.New("failure")
		require.ErrorIs(t, r.InTurn(t.Context(), l, &job{Handle: NewHandle()}, "a", func(context.Context) error { return failure }), failure)
		running := enqueue(t, r, l, "b", untilCancelled)
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := r.InTurn(ctx, l, &job{Handle: NewHandle()}, "c", func(context.Context) error { panic("it is not its turn") })
		require.Equal(t, backend.CodeCancelled, backend.CodeOf(err))
		r.Stop(running)
	})
}

func TestCloseWaitsThenCancels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, l := newRunner(t)
		running := enqueue(t, r, l, "a", untilCancelled)
		synctest.Wait()
		waiting := enqueue(t, r, l, "b", untilCancelled)
		beside, end, err := r.Begin(t.Context())
		require.NoError(t, err)
		go func() {
			<-beside.Done()
			end()
		}()
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		began := time.Now()
		r.Close(ctx)
		require.Equal(t, 3*time.Second, time.Since(began))
		require.ErrorIs(t, waiting.err, errClosed)
		require.ErrorIs(t, running.err, context.Canceled)
		require.False(t, running.Stopped())
		require.ErrorIs(t, l.Reserve(1), errClosed)
		_, _, err = r.Begin(t.Context())
		require.ErrorIs(t, err, errClosed)
	})
}

func TestCloseClosesAllLinesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := New[*job](t.Context(), Options{Things: "jobs", Closed: errClosed, Limit: 2, Log: slog.New(slog.DiscardHandler)})
		first, second := r.NewLine(nil), r.NewLine(nil)
		r.Start()
		running := enqueue(t, r, first, "a", untilCancelled)
		synctest.Wait()
		waiting := &job{Handle: NewHandle()}
		require.NoError(t, r.Enqueue(first, waiting, func() error {
			r.Assign(t.Context(), waiting, untilCancelled, func(error) {
				require.ErrorIs(t, second.Reserve(1), errClosed, "before the first job is ended")
				r.Forget(waiting)
				r.Finish(waiting)
			})
			require.True(t, r.AddNew("b", waiting))
			return nil
		}))
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		r.Close(ctx)
		require.True(t, waiting.Ended())
		require.True(t, running.Ended())
	})
}

// TestCloseCancelsWhatBecomesLive closes while a job that runs beside the lines is being accepted.
func TestCloseCancelsWhatBecomesLive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, _ := newRunner(t)
		j := &job{Handle: NewHandle()}
		require.NoError(t, r.Go(j, func() error {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			go r.Close(ctx)
			synctest.Wait() // it has cancelled what was live
			r.Assign(t.Context(), j, untilCancelled, func(err error) {
				j.err = err
				r.Forget(j)
				r.Finish(j)
			})
			require.True(t, r.AddNew("a", j))
			return nil
		}))
		<-j.Done()
		require.ErrorIs(t, j.err, context.Canceled)
	})
}

func TestAnotherCloseWaitsToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, _ := newRunner(t)
		_, end, err := r.Begin(context.Background())
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		r.Close(ctx)
		time.AfterFunc(time.Second, end)
		began := time.Now()
		r.Close(ctx)
		require.Equal(t, time.Second, time.Since(began))
	})
}

func TestCloseLeavesAHangingJobBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, l := newRunner(t)
		hang := make(chan struct{})
		enqueue(t, r, l, "a", func(context.Context) error {
			<-hang
			return nil
		})
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		began := time.Now()
		r.Close(ctx)
		require.Equal(t, CloseTimeout, time.Since(began))
		close(hang)
	})
}

func TestWhatCannotBeStoredIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, _ := newRunner(t)
		var full atomic.Bool
		full.Store(true)
		var stored []string
		l := NewLater(r, func(_ context.Context, key, value string) bool {
			if full.Load() || value == "" {
				panic("full")
			}
			stored = append(stored, key+value)
			return true
		})
		l.Add("a", "1")
		l.Add("b", "")
		l.Add("a", "2")
		l.Drop("b")
		value, ok := l.Of("a")
		require.True(t, ok)
		require.Equal(t, "2", value)
		time.Sleep(3 * retryInterval)
		synctest.Wait()
		require.Empty(t, stored)
		full.Store(false)
		time.Sleep(3 * retryInterval)
		synctest.Wait()
		require.Equal(t, []string{"a2"}, stored)
		_, ok = l.Of("a")
		require.False(t, ok)
		l.Add("c", "3")
		l.Flush(t.Context())
		l.Flush(t.Context())
		require.Equal(t, "c3", stored[len(stored)-1])
		require.Equal(t, 2, len(slices.Compact(stored)))
	})
}

// TestFreeLine waits for a line that is in use, for one whose wait is cancelled, and for one that is closed.
func TestFreeLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, l := newRunner(t)
		require.NoError(t, l.Free(t.Context()))
		open := make(chan struct{})
		wait := func(context.Context) error { <-open; return nil }
		enqueue(t, r, l, "a", wait)
		last := enqueue(t, r, l, "b", wait)
		ctx, cancel := context.WithCancel(t.Context())
		free := make(chan error, 2)
		go func() { free <- l.Free(t.Context()) }()
		go func() { free <- l.Free(ctx) }()
		synctest.Wait()
		require.Empty(t, free)
		cancel()
		require.Equal(t, backend.CodeCancelled, backend.CodeOf(<-free))
		close(open)
		<-last.Done()
		require.NoError(t, <-free)

		enqueue(t, r, l, "c", untilCancelled)
		go func() { free <- l.Free(t.Context()) }()
		synctest.Wait()
		require.Empty(t, free)
		ctx, cancel = context.WithCancel(t.Context())
		cancel()
		r.Close(ctx)
		require.NoError(t, <-free, "nothing follows")
	})
}
