package extract

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// held is a file that says when it is read first and then waits.
type held struct {
	entered chan<- struct{}
	release <-chan struct{}
	text    io.Reader
}

func (h *held) Read(b []byte) (int, error) {
	if h.entered != nil {
		h.entered <- struct{}{}
		<-h.release
		h.entered = nil
	}
	return h.text.Read(b)
}

func TestFilesAreReadAFewAtATime(t *testing.T) {
	for name, c := range map[string]struct{ bytes, files, atOnce int64 }{
		"the largest":  {MaxFile, 4, 1},
		"middle sized": {20_000_000, 6, 3},
		"small":        {1000, 20, places},
	} {
		e := &Extractor{}
		entered, release, done := make(chan struct{}, c.files), make(chan struct{}), make(chan error, c.files)
		for range c.files {
			go func() {
				_, err := e.File(context.Background(), "a.txt", c.bytes, &held{entered, release, strings.NewReader("Words.")})
				done <- err
			}()
		}
		for range c.atOnce {
			<-entered
		}
		for range c.files - c.atOnce {
			require.Empty(t, entered, "%s: more than %d at once", name, c.atOnce)
			release <- struct{}{}
			require.NoError(t, <-done)
			<-entered
		}
		require.Empty(t, entered)
		close(release)
		for range c.atOnce {
			require.NoError(t, <-done)
		}
	}
}

func TestAFileThatWaitsCanBeCancelled(t *testing.T) {
	e := &Extractor{}
	entered, release, done := make(chan struct{}, 1), make(chan struct{}), make(chan error, 1)
	go func() {
		_, err := e.File(context.Background(), "a.txt", MaxFile, &held{entered, release, strings.NewReader("Words.")})
		done <- err
	}()
	<-entered
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 2 * places { // none of them keeps a place
		_, err := e.File(ctx, "b.txt", MaxFile, strings.NewReader("Words."))
		require.ErrorIs(t, err, backend.ErrCancelled)
	}
	close(release)
	require.NoError(t, <-done)
	_, err := e.File(t.Context(), "c.txt", MaxFile, strings.NewReader("Words."))
	require.NoError(t, err)
}
