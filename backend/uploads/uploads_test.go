package uploads

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract"
)

// blockedFile is a file that reports its first read and then blocks.
type blockedFile struct {
	started chan<- struct{}
	release <-chan struct{}
	text    io.Reader
}

func (h *blockedFile) Read(b []byte) (int, error) {
	if h.started != nil {
		h.started <- struct{}{}
		<-h.release
		h.started = nil
	}
	return h.text.Read(b)
}

func TestFewFilesAreReadAtATime(t *testing.T) {
	for name, c := range map[string]struct{ bytes, files, atOnce int64 }{
		"the largest":  {extract.MaxFile, 4, 1},
		"middle sized": {20_000_000, 6, 3},
		"small":        {1000, 20, units},
	} {
		e := NewReader(&extract.Extractor{})
		started, release, done := make(chan struct{}, c.files), make(chan struct{}), make(chan error, c.files)
		for range c.files {
			go func() {
				_, err := e.Read(context.Background(), "a.txt", "", c.bytes, &blockedFile{started, release, strings.NewReader("Words.")})
				done <- err
			}()
		}
		for range c.atOnce {
			<-started
		}
		for range c.files - c.atOnce {
			require.Empty(t, started, "%s: more than %d at once", name, c.atOnce)
			release <- struct{}{}
			require.NoError(t, <-done)
			<-started
		}
		require.Empty(t, started)
		close(release)
		for range c.atOnce {
			require.NoError(t, <-done)
		}
	}
}

func TestAWaitingFileCanBeCancelled(t *testing.T) {
	e := NewReader(&extract.Extractor{})
	started, release, done := make(chan struct{}, 1), make(chan struct{}), make(chan error, 1)
	go func() {
		_, err := e.Read(context.Background(), "a.txt", "", extract.MaxFile, &blockedFile{started, release, strings.NewReader("Words.")})
		done <- err
	}()
	<-started
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 2 * units { // none of them keeps a unit
		_, err := e.Read(ctx, "b.txt", "", extract.MaxFile, strings.NewReader("Words."))
		require.ErrorIs(t, err, backend.ErrCancelled)
	}
	close(release)
	require.NoError(t, <-done)
	_, err := e.Read(t.Context(), "c.txt", "", extract.MaxFile, strings.NewReader("Words."))
	require.NoError(t, err)
}
