package voicecache_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/voicecache"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// model computes the sampling rate of references and counts how often.
type model struct {
	*voicecache.Cache[int]
	computed atomic.Int64
}

func newModel(name string, entries int) *model {
	return &model{Cache: voicecache.New(voicecache.Options[int]{
		Name: name, Entries: entries,
		Encode: func(v int) ([]byte, error) { return []byte(strconv.Itoa(v)), nil },
		Decode: func(raw []byte) (int, error) { return strconv.Atoi(string(raw)) },
	})}
}

// rate returns the value of a reference.
func (m *model) rate(t testing.TB, ref *engines.Reference) int {
	t.Helper()
	value, err := m.Get(t.Context(), ref, m.compute)
	require.NoError(t, err)
	return value
}

func (m *model) compute(_ context.Context, in audio.Buffer) (int, error) {
	m.computed.Add(1)
	return in.Rate, nil
}

// reference is a recording with this rate in the folder.
func reference(folder string, rate int) *engines.Reference {
	return &engines.Reference{
		Key: "key of " + strconv.Itoa(rate), Cache: folder,
		Audio: func(context.Context) (audio.Buffer, error) {
			return audio.Buffer{Rate: rate, Channels: 1, Samples: make([]float32, 10)}, nil
		},
	}
}

func TestValuesAreComputedOnce(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	m := newModel("tiny", 2)
	for range 3 {
		require.Equal(t, 8000, m.rate(t, reference(folder, 8000)))
		require.Equal(t, 16000, m.rate(t, reference(folder, 16000)))
	}
	require.EqualValues(t, 2, m.computed.Load())

	next := newModel("tiny", 2) // the next start of the program
	require.Equal(t, 8000, next.rate(t, reference(folder, 8000)))
	require.Zero(t, next.computed.Load(), "read from its file")

	other := newModel("other", 2) // another model or revision
	require.Equal(t, 8000, other.rate(t, reference(folder, 8000)))
	require.EqualValues(t, 1, other.computed.Load())
	found, err := filepath.Glob(filepath.Join(folder, "*"))
	require.NoError(t, err)
	require.Len(t, found, 3, "%v", found)
	for _, path := range found {
		require.Equal(t, ".voice", filepath.Ext(path))
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.EqualValues(t, 0o600, info.Mode().Perm())
	}
}

func TestTheLeastRecentlyUsedValueLeavesMemory(t *testing.T) {
	t.Parallel()
	m := newModel("tiny", 2)
	for _, rate := range []int{1, 2, 1, 3, 1, 2} { // 3 removes 2, 2 removes 3
		require.Equal(t, rate, m.rate(t, reference("", rate)))
	}
	require.EqualValues(t, 4, m.computed.Load())
	m.rate(t, reference("", 1))
	require.EqualValues(t, 4, m.computed.Load())
}

func TestForget(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	m := newModel("tiny", 0)
	ref := reference(folder, 8000)
	m.rate(t, ref)
	m.Forget("unknown")
	m.Forget(ref.Key)
	require.NoError(t, os.RemoveAll(folder))
	m.rate(t, ref)
	require.EqualValues(t, 2, m.computed.Load())

	t.Run("while it is prepared", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			folder, m := t.TempDir(), newModel("tiny", 1)
			ref := reference(folder, 8000)
			begun, finish := make(chan struct{}), make(chan struct{})
			got := make(chan int)
			go func() {
				value, err := m.Get(t.Context(), ref, func(context.Context, audio.Buffer) (int, error) {
					close(begun)
					<-finish
					return 1, nil
				})
				if err == nil {
					got <- value
				}
			}()
			<-begun
			m.Forget(ref.Key)
			close(finish)
			require.Equal(t, 1, <-got, "its caller gets it")
			synctest.Wait()
			left, err := os.ReadDir(folder)
			require.NoError(t, err)
			require.Empty(t, left, "but it is not kept")
			require.Equal(t, 8000, m.rate(t, ref))
		})
	})
}

func TestManyCallersShareOnePreparation(t *testing.T) {
	t.Parallel()
	m := newModel("tiny", 4)
	folder := t.TempDir()
	var callers sync.WaitGroup
	for i := range 64 {
		callers.Go(func() {
			value, err := m.Get(t.Context(), reference(folder, i%4+1), m.compute)
			if err != nil || value != i%4+1 {
				t.Errorf("caller %d: %d, %v", i, value, err)
			}
		})
	}
	callers.Wait()
	require.EqualValues(t, 4, m.computed.Load())
}

// TestCallersLeave: one that leaves does not disturb the others, and the last one ends the preparation.
func TestCallersLeave(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newModel("tiny", 1)
		ref := reference("", 8000)
		begun, ended := make(chan struct{}, 2), make(chan error, 2)
		slow := func(ctx context.Context, _ audio.Buffer) (int, error) {
			begun <- struct{}{}
			<-ctx.Done()
			ended <- context.Cause(ctx)
			return 0, ctx.Err()
		}
		failures := make(chan error, 2)
		ctx, cancel := context.WithCancel(t.Context())
		other, cancelOther := context.WithCancel(t.Context())
		for _, ctx := range []context.Context{ctx, other} {
			go func() {
				_, err := m.Get(ctx, ref, slow)
				failures <- err
			}()
		}
		synctest.Wait()
		require.Len(t, begun, 1)
		cancel()
		require.ErrorIs(t, <-failures, backend.ErrCancelled)
		synctest.Wait()
		require.Empty(t, ended, "one caller is left")
		cancelOther()
		require.ErrorIs(t, <-failures, backend.ErrCancelled)
		require.ErrorIs(t, <-ended, context.Canceled)
		require.Equal(t, 8000, m.rate(t, ref), "a later caller begins again")

		_, err := m.Get(ctx, ref, m.compute)
		require.ErrorIs(t, err, backend.ErrCancelled, "also where it is in memory")
	})
}

func TestFailuresAreNotKept(t *testing.T) {
	t.Parallel()
	m := newModel("tiny", 1)
	ref := reference(t.TempDir(), 8000)
	broken := errors.New("broken")
	_, err := m.Get(t.Context(), ref, func(context.Context, audio.Buffer) (int, error) { return 0, broken })
	require.ErrorIs(t, err, broken)
	_, err = m.Get(t.Context(), ref, func(context.Context, audio.Buffer) (int, error) { panic("on demand") })
	var panicked *backend.PanicError
	require.ErrorAs(t, err, &panicked)
	require.Equal(t, 8000, m.rate(t, ref))

	absent := backend.E(backend.CodeSampleNotFound, "There is no sample.", "Add one.")
	lost := &engines.Reference{Key: "lost", Audio: func(context.Context) (audio.Buffer, error) { return audio.Buffer{}, absent }}
	_, err = m.Get(t.Context(), lost, m.compute)
	require.Equal(t, backend.CodeSampleNotFound, backend.CodeOf(err))
}
