package jobs

import (
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var errClosed = errors.New("closed")

func TestFirstInFirstOutUpToTheLimit(t *testing.T) {
	q := newQueue[string](2, "transcripts", errClosed)
	require.NoError(t, q.reserve(2))
	err := q.reserve(1)
	require.Equal(t, backend.CodeQueueFull, backend.CodeOf(err))
	require.Equal(t, "2 transcripts are waiting already.", backend.AsError(err).Detail)
	require.True(t, q.push("a"))
	q.giveBack(1)
	require.NoError(t, q.reserve(1))
	require.True(t, q.push("b"))
	for _, want := range []string{"a", "b"} {
		got, ok := q.next()
		require.True(t, ok)
		require.Equal(t, want, got)
	}
}

func TestRemovedJobIsNotNext(t *testing.T) {
	q := newQueue[string](3, "jobs", errClosed)
	require.NoError(t, q.reserve(3))
	for _, j := range []string{"a", "b", "c"} {
		require.True(t, q.push(j))
	}
	require.True(t, q.remove("b"))
	require.False(t, q.remove("b"), "it waits no longer")
	_, _ = q.next()
	next, _ := q.next()
	require.Equal(t, "c", next)
}

func TestCloseReturnsWhatWaitsAndEndsNext(t *testing.T) {
	q := newQueue[string](1, "jobs", errClosed)
	var worker sync.WaitGroup
	worker.Go(func() {
		_, ok := q.next()
		if ok {
			t.Error("there was no job")
		}
	})
	require.Empty(t, q.close())
	worker.Wait()
	require.ErrorIs(t, q.reserve(1), errClosed)
	require.False(t, q.push("late"))

	q = newQueue[string](1, "jobs", errClosed)
	require.NoError(t, q.reserve(1))
	require.True(t, q.push("a"))
	require.Equal(t, []string{"a"}, q.close())
}

func TestJobsBehindOthersStayInOrder(t *testing.T) {
	q := newQueue[string](9, "jobs", errClosed)
	q.behind = func(j string) bool { return j[0] == 'b' }
	for _, j := range []string{"b1", "a1", "b2", "a2"} {
		require.NoError(t, q.reserve(1))
		require.True(t, q.push(j))
	}
	require.Equal(t, []string{"a1", "a2", "b1", "b2"}, q.waiting())
}
