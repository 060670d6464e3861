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
	require.NoError(t, q.Reserve(2))
	err := q.Reserve(1)
	require.Equal(t, backend.CodeQueueFull, backend.CodeOf(err))
	require.Equal(t, "2 transcripts are waiting already.", backend.AsError(err).Detail)
	require.True(t, q.Push("a"))
	q.GiveBack(1)
	require.NoError(t, q.Reserve(1))
	require.True(t, q.Push("b"))
	for _, want := range []string{"a", "b"} {
		got, ok := q.Next()
		require.True(t, ok)
		require.Equal(t, want, got)
	}
}

func TestRemovedJobIsNotNext(t *testing.T) {
	q := newQueue[string](3, "jobs", errClosed)
	require.NoError(t, q.Reserve(3))
	for _, j := range []string{"a", "b", "c"} {
		require.True(t, q.Push(j))
	}
	require.True(t, q.Remove("b"))
	require.False(t, q.Remove("b"), "it waits no longer")
	_, _ = q.Next()
	next, _ := q.Next()
	require.Equal(t, "c", next)
}

func TestCloseReturnsWhatWaitsAndEndsNext(t *testing.T) {
	q := newQueue[string](1, "jobs", errClosed)
	var worker sync.WaitGroup
	worker.Go(func() {
		_, ok := q.Next()
		if ok {
			t.Error("there was no job")
		}
	})
	require.Empty(t, q.Close())
	worker.Wait()
	require.ErrorIs(t, q.Reserve(1), errClosed)
	require.False(t, q.Push("late"))

	q = newQueue[string](1, "jobs", errClosed)
	require.NoError(t, q.Reserve(1))
	require.True(t, q.Push("a"))
	require.Equal(t, []string{"a"}, q.Close())
}
