package hub_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub"
	"github.com/voicewright/voicewright/backend/hub/hubtest"
)

// waitLimit is how long a test waits for an expected event.
const waitLimit = 2 * time.Minute

// spawn starts this test binary as a program that downloads.
func spawn(t *testing.T, o childRequest) *exec.Cmd {
	t.Helper()
	raw, err := json.Marshal(o)
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childJob+"="+string(raw))
	cmd.Stderr = os.Stderr
	require.NoError(t, cmd.Start())
	return cmd
}

// TestProcessKilledAtTenRandomMoments kills each process after a random number of bytes. The hub stalls a little later, so that no
// process completes before.
func TestProcessKilledAtTenRandomMoments(t *testing.T) {
	t.Parallel()
	const size, step = 2_000_000, 190_000
	s, c, r, files := newFixture(t, size)
	dice := rand.New(rand.NewPCG(4, 7))
	want := []string{}
	for i := range 10 {
		s.Storage("model.onnx", 1, hubtest.Slow(10_000, 5*time.Millisecond))
		s.Storage("model.onnx", 1, hubtest.Stall(int64(i+1)*step))
		asked, begun := len(ranges(s)), c.Cache().Partial(r)
		cmd := spawn(t, childRequest{s.URL(), c.Cache().Dir, r})
		moment := dice.Int64N(int64(i+1)*step - begun + 1)
		require.Eventually(t, func() bool {
			return len(ranges(s)) > asked && c.Cache().Partial(r) >= begun+moment
		}, waitLimit, time.Millisecond)
		require.NoError(t, cmd.Process.Kill())
		require.Error(t, cmd.Wait())
		want = append(want, "")
		if n := c.Cache().Partial(r); n > 0 {
			want[len(want)-1] = fmt.Sprintf("bytes=%d-", n)
		}
	}
	require.NotEmpty(t, want[9], "the tenth process left a partial file")
	s.Heal()
	require.NoError(t, spawn(t, childRequest{s.URL(), c.Cache().Dir, r}).Wait())
	require.Equal(t, append([]string{""}, want...), ranges(s), "each one resumes after the last byte on the disk")
	fetch(t, c, r, files)
	require.Len(t, ranges(s), 11)
}

func TestTwoProcessesOnOneCache(t *testing.T) {
	t.Parallel()
	s, c, r, files := newFixture(t, 2_000_000)
	s.Storage("model.onnx", hubtest.Always, hubtest.Slow(50_000, 10*time.Millisecond))
	var wg sync.WaitGroup
	for range 2 {
		cmd := spawn(t, childRequest{s.URL(), c.Cache().Dir, r})
		wg.Go(func() { require.NoError(t, cmd.Wait()) })
	}
	fetch(t, c, r, files)
	wg.Wait()
	require.Len(t, ranges(s), 1, "one downloads, the others wait for its file")
	require.EqualValues(t, 2_000_000, s.Bytes("model.onnx"))
}

func TestWaiterTakesOverFromAProcessThatWasKilled(t *testing.T) {
	t.Parallel()
	s, c, r, files := newFixture(t, 2_000_000)
	s.Storage("model.onnx", 1, hubtest.Stall(1_000_000))
	cmd := spawn(t, childRequest{s.URL(), c.Cache().Dir, r})
	require.Eventually(t, func() bool { return c.Cache().Partial(r) == 1_000_000 }, waitLimit, time.Millisecond)
	done := make(chan error, 1)
	go func() {
		_, err := c.Download(t.Context(), r, nil)
		done <- err
	}()
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	require.NoError(t, <-done)
	fetch(t, c, r, files)
	require.Equal(t, []string{"", "bytes=1000000-"}, ranges(s))
}

func TestWaiterCanBeCancelledAndDiscardKeepsTheOther(t *testing.T) {
	t.Parallel()
	s, c, r, _ := newFixture(t, 1_000_000, func(o *hub.Options) { o.Stall = time.Minute })
	s.Storage("model.onnx", hubtest.Always, hubtest.Stall(500_000))
	cmd := spawn(t, childRequest{s.URL(), c.Cache().Dir, r})
	require.Eventually(t, func() bool { return c.Cache().Partial(r) == 500_000 }, waitLimit, time.Millisecond)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := c.Download(ctx, r, nil)
	require.Equal(t, backend.CodeCancelled, backend.CodeOf(err))
	require.NoError(t, c.Cache().Discard(r))
	require.EqualValues(t, 500_000, c.Cache().Partial(r))
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
}

func TestProcessKilledAfterASavedStateResumesFromIt(t *testing.T) {
	t.Parallel()
	const size, at = 80_000_000, 70_000_000
	s := hubtest.Start(hubtest.Repo{ID: repoID, Files: map[string]hubtest.Content{"model.onnx": hubtest.Zeros(size)}})
	t.Cleanup(s.Close)
	r := hub.Request{Repo: repoID, Revision: commit, Files: []hub.File{{Path: "model.onnx", Size: size, SHA256: s.SHA256(repoID, "model.onnx")}}}
	c := newClient(t, s.URL(), t.TempDir())
	s.Storage("model.onnx", 1, hubtest.Stall(at))
	cmd := spawn(t, childRequest{s.URL(), c.Cache().Dir, r})
	saved := func() int64 {
		var side struct{ Offset int64 }
		names, err := filepath.Glob(filepath.Join(c.Cache().Dir, "*", "blobs", "*.json"))
		if err != nil || len(names) != 1 {
			return 0
		}
		if raw, err := os.ReadFile(names[0]); err != nil || json.Unmarshal(raw, &side) != nil {
			return 0
		}
		return side.Offset
	}
	require.Eventually(t, func() bool { return c.Cache().Partial(r) == at && saved() > 0 }, waitLimit, 5*time.Millisecond)
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	require.GreaterOrEqual(t, saved(), int64(64<<20))
	snapshot, err := c.Download(t.Context(), r, nil)
	require.NoError(t, err)
	require.NoError(t, c.Cache().Verify(t.Context(), snapshot, nil))
	require.Equal(t, []string{"", "bytes=70000000-"}, ranges(s))
}

func TestManyDownloadsOfOneFileInOneProcess(t *testing.T) {
	t.Parallel()
	s, c, r, files := newFixture(t, 1_000_000)
	s.Storage("model.onnx", hubtest.Always, hubtest.Slow(100_000, 5*time.Millisecond))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { fetch(t, c, r, files) })
	}
	wg.Wait()
	require.Len(t, ranges(s), 1)
}
