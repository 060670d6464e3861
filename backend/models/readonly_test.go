package models_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub"
	"github.com/voicewright/voicewright/backend/models"
)

// TestReadOnly finds the models that another program downloads, imports and deletes while this one runs, loads them, and changes
// nothing.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) {
		l.known("alpha", "anna").License.AcceptRequired = true
		l.known("beta", "bert")
	})
	options := l.options
	options.ReadOnly, options.Presets, options.Licenses = true, nil, filepath.Join(l.root, "elsewhere.json")
	now := time.Now()
	options.Now = func() time.Time { now = now.Add(time.Minute); return now }
	options.Changed = func(string) {}
	client, err := hub.New(hub.NewCache(l.dir, ""), hub.Options{Endpoint: "http://127.0.0.1:1"})
	require.NoError(t, err)
	defer client.Close()
	options.Hub = client
	reader, err := models.New(options)
	require.NoError(t, err)
	defer func() { require.NoError(t, reader.Close(context.Background())) }()
	downloaded := func() (names []string) {
		for _, s := range reader.Status(t.Context()) {
			if s.Downloaded {
				names = append(names, s.ModelName)
			}
		}
		return names
	}
	require.Empty(t, downloaded())
	_, err = reader.AcquireDownloaded(t.Context(), "alpha")
	require.Equal(t, backend.CodeModelNotDownloaded, backend.CodeOf(err))
	_, err = reader.Acquire(t.Context(), "alpha", nil)
	require.Equal(t, backend.CodeModelNotDownloaded, backend.CodeOf(err), "it is not downloaded here")

	_, err = l.manager.Download(t.Context(), "alpha", true)
	require.NoError(t, err)
	l.until("alpha", backend.DownloadComplete)
	own := l.imported("mine", "mia")
	require.Equal(t, []string{"alpha", own.ModelName}, downloaded())
	before := contents(t, l.dir)
	for _, name := range []string{"alpha", own.ModelName} {
		loaded, err := reader.AcquireDownloaded(t.Context(), name)
		require.NoError(t, err, name)
		loaded.Release()
		_, err = reader.Unload(t.Context(), name, false)
		require.NoError(t, err)
	}
	require.Equal(t, before, contents(t, l.dir))
	require.NoFileExists(t, options.Licenses)
	_, err = l.manager.Delete(t.Context(), "alpha", false)
	require.NoError(t, err)
	require.Equal(t, []string{own.ModelName}, downloaded())
	l.download("beta")
	require.Equal(t, []string{"beta", own.ModelName}, downloaded())
}

// contents returns the files below a folder with their times.
func contents(t *testing.T, dir string) map[string]time.Time {
	t.Helper()
	all := map[string]time.Time{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			info, err := os.Lstat(path)
			require.NoError(t, err)
			all[path] = info.ModTime()
		}
		return err
	}))
	return all
}
