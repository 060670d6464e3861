//go:build unix

package generations_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
)

// TestCancelWhileWriting has a pipe in the place of the file, from which nobody reads until the work was cancelled.
func TestCancelWhileWriting(t *testing.T) {
	engine, entered, open := studiotest.Gated()
	works := make(chan context.Context, 1)
	l := studiotest.New(t, engine, func(l *studiotest.Lab) {
		l.Models.BeforeAcquire = func(ctx context.Context, _ func(backend.Status)) error {
			works <- ctx
			return nil
		}
	})
	r := l.Request(studiotest.LongSentence(600)) // half a minute of sound
	r.MaxChunkChars = new(5000)
	g, err := l.Generations.Submit(t.Context(), r)
	require.NoError(t, err)
	<-entered
	path := filepath.Join(l.Dir, "unfinished", g.ID+".wav")
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	open()
	pipe, err := os.Open(path)
	require.NoError(t, err)
	defer func() { require.NoError(t, pipe.Close()) }()
	header := make([]byte, 44)
	_, err = io.ReadFull(pipe, header)
	require.NoError(t, err, "it writes")
	remaining := make(chan int64, 1)
	work := <-works
	go func() {
		<-work.Done()
		n, _ := io.Copy(io.Discard, pipe)
		remaining <- n
	}()
	cancelled(l, g.ID)
	require.Less(t, <-remaining, int64(48_000*15), "it was not written to its end")
}
