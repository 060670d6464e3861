package models_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// TestFilesTakenAway removes the files of models behind the program's back: the list says so, and a download mends it.
func TestFilesTakenAway(t *testing.T) {
	now := time.Now()
	l := newLab(t, func(l *lab) {
		l.known("alpha", "anna")
		l.options.Now = func() time.Time { return now }
	})
	l.download("alpha")
	own := l.imported("mine", "mia")
	d, err := l.manager.Detail(t.Context(), "alpha")
	require.NoError(t, err)
	require.NotEmpty(t, d.Files)
	for _, f := range d.Files {
		require.Len(t, f.SHA256, 64, f.Path)
		require.Positive(t, f.Bytes)
	}
	require.Equal(t, backend.ModelDownloaded, l.state("alpha"))
	require.NoError(t, os.RemoveAll(filepath.Join(l.dir, "models--acme--alpha")))
	require.NoError(t, os.RemoveAll(filepath.Join(l.dir, "imported", own.ModelName)))
	now = now.Add(time.Minute)
	for _, s := range l.manager.Status(t.Context()) {
		require.Equal(t, backend.ModelBroken, s.State, s.ModelName)
		require.Equal(t, backend.CodeModelCorrupt, s.Error.Code)
		require.False(t, s.Downloaded)
	}
	l.download("alpha")
	require.Equal(t, backend.ModelDownloaded, l.state("alpha"))
}
