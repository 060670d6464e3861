//go:build unix

package encoders_test

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend/audio/internal/encoders"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Many may ask at once: ffmpeg is run once for all, and again after Forget.
func TestFindOnceForAll(t *testing.T) {
	bin := t.TempDir()
	program := filepath.Join(bin, "ffmpeg")
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\n"), 0o700))
	t.Setenv("PATH", bin)

	const callers = 20
	var runs atomic.Int32
	var arrived sync.WaitGroup
	arrived.Add(callers)
	finder := encoders.NewFinder(func(context.Context, string) (string, error) {
		runs.Add(1)
		arrived.Wait()
		return " A....D flac   FLAC\n V....D png    PNG\n", nil
	})
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			arrived.Done()
			path, have, err := finder.Find(t.Context())
			assert.NoError(t, err)
			assert.Equal(t, program, path)
			assert.Equal(t, map[string]bool{"flac": true}, have)
		})
	}
	all.Wait()
	require.EqualValues(t, 1, runs.Load())

	finder.Forget()
	_, _, err := finder.Find(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 2, runs.Load())
}
