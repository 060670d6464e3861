package models_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// lay writes files to a new folder and returns it.
func lay(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	}
	return dir
}

// deep adds a model whose graph is in a folder of the repository.
func deep(l *fixture) {
	e := l.known("alpha", "anna", "bert")
	e.Variants[0].Files[1].Path = "onnx/alpha.graph"
}

func TestImportInto(t *testing.T) {
	t.Parallel()
	for name, files := range map[string]map[string]string{
		"by bare names":   {"alpha.config": "config of alpha", "alpha.graph": graph("anna bert"), "other": "x"},
		"by paths":        {"alpha.config": "config of alpha", "onnx/alpha.graph": graph("anna bert"), "alpha.graph": "another"},
		"by repositories": {"alpha/alpha.config": "config of alpha", "alpha/onnx/alpha.graph": graph("anna bert")},
	} {
		t.Run(name, func(t *testing.T) {
			l := newFixture(t, deep)
			dir := lay(t, files)
			s, err := l.manager.ImportInto(t.Context(), "ALPHA", dir)
			require.NoError(t, err)
			require.Equal(t, backend.ModelDownloaded, s.State)
			require.ElementsMatch(t, []string{"ANNA", "BERT"}, l.profiles())
			require.NoError(t, os.RemoveAll(dir))
			l.start()
			h := l.acquire("alpha")
			require.Len(t, h.Info().Voices, 2)
			require.Len(t, h.Files, 2)
			h.Release()
			v, err := l.manager.Verify(t.Context(), "alpha")
			require.NoError(t, err)
			require.True(t, v.OK)
			_, err = l.manager.ImportInto(t.Context(), "alpha", dir)
			require.NoError(t, err, "it is downloaded already")
			require.Empty(t, l.server.Requests(""), "nothing was downloaded")
			_, err = l.manager.Delete(t.Context(), "alpha", false)
			require.NoError(t, err)
			require.Empty(t, without(l.files(), "models/CACHEDIR.TAG"))
		})
	}
}

// TestImportIntoReadsNoFileOfAnotherSize: hashing a sparse file of 1 TB would block every other import for an hour.
func TestImportIntoReadsNoFileOfAnotherSize(t *testing.T) {
	t.Parallel()
	l := newFixture(t, deep)
	dir := lay(t, map[string]string{"alpha.config": "config of alpha", "alpha.graph": "x"})
	require.NoError(t, os.Truncate(filepath.Join(dir, "alpha.graph"), 1<<40))
	_, err := l.manager.ImportInto(t.Context(), "alpha", dir)
	require.Equal(t, "onnx/alpha.graph", failure(t, backend.CodeChecksumMismatch, err).Params["file"])
}

func TestImportIntoFileByFile(t *testing.T) {
	t.Parallel()
	l := newFixture(t, deep)
	dir := lay(t, map[string]string{"alpha.config": "config of alpha", "alpha.graph": graph("anna bert"), "x": "x"})
	_, err := l.manager.ImportInto(t.Context(), "alpha", filepath.Join(dir, "x"))
	require.Equal(t, "alpha.config", failure(t, backend.CodeModelCorrupt, err).Params["file"])
	_, err = l.manager.ImportInto(t.Context(), "alpha", filepath.Join(dir, "alpha.graph"))
	require.Equal(t, "alpha.config", failure(t, backend.CodeModelCorrupt, err).Params["file"])
	require.Equal(t, 1, l.get("alpha").PartialMB)
	s, err := l.manager.ImportInto(t.Context(), "alpha", filepath.Join(dir, "alpha.config"))
	require.NoError(t, err)
	require.True(t, s.Downloaded)
	l.acquire("alpha").Release()
}

func TestImportIntoThatIsRefused(t *testing.T) {
	t.Parallel()
	l := newFixture(t, deep, func(l *fixture) {
		e := l.known("beta", "bert")
		for i := range e.Variants[0].Files {
			e.Variants[0].Files[i].Pinned, e.Variants[0].Files[i].SHA256 = false, ""
		}
	})
	wrong := lay(t, map[string]string{"alpha.config": "config of alphA", "alpha.graph": graph("anna bert")})
	longer := lay(t, map[string]string{"alpha.config": "config of alpha", "alpha.graph": graph("anna bert") + " "})
	for _, c := range []struct{ dir, file string }{ // in this order: the right file of the second one is kept
		{wrong, "alpha.config"}, {longer, "onnx/alpha.graph"},
	} {
		_, err := l.manager.ImportInto(t.Context(), "alpha", c.dir)
		e := failure(t, backend.CodeChecksumMismatch, err)
		require.Equal(t, c.file, e.Params["file"])
		require.Contains(t, e.Detail, c.dir)
		require.False(t, l.get("alpha").Downloaded)
	}
	_, err := l.manager.ImportInto(t.Context(), "alpha", lay(t, map[string]string{"alpha.config": "config of alpha"}))
	require.Equal(t, "onnx/alpha.graph", failure(t, backend.CodeModelCorrupt, err).Params["file"])
	_, err = l.manager.ImportInto(t.Context(), "nobody", wrong)
	requireCode(t, backend.CodeModelUnknown, err)
	for _, path := range []string{"", "relative", filepath.Join(wrong, "nothing")} {
		_, err = l.manager.ImportInto(t.Context(), "alpha", path)
		requireInvalid(t, "path_not_exists", "path", err)
	}
	_, err = l.manager.ImportInto(t.Context(), "beta", wrong)
	var invalid *backend.ValidationError
	require.ErrorAs(t, err, &invalid)
	require.Contains(t, invalid.Fields[0].Msg, "cannot be checked")
	l.holdHub()
	_, err = l.manager.Download(t.Context(), "beta", false)
	require.NoError(t, err)
	_, err = l.manager.ImportInto(t.Context(), "beta", wrong)
	requireCode(t, backend.CodeDownloadInProgress, err)
	l.releaseHub()
	l.until("beta", backend.DownloadComplete)
}

func TestImportIntoABrokenModel(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { l.known("alpha", "anna") })
	l.download("alpha")
	flip(t, filepath.Join(l.dir, "models--acme--alpha"), "alpha.graph")
	_, err := l.manager.Verify(t.Context(), "alpha")
	require.NoError(t, err)
	s, err := l.manager.ImportInto(t.Context(), "alpha", lay(t, map[string]string{"alpha.graph": graph("anna")}))
	require.NoError(t, err)
	require.True(t, s.Downloaded)
	require.Nil(t, s.Error)
	l.acquire("alpha").Release()
}

// TestImportIntoChecksTheDiskFirst: a model that does not fit is not copied.
func TestImportIntoChecksTheDiskFirst(t *testing.T) {
	t.Parallel()
	l := newFixture(t, deep, func(l *fixture) { l.hub.Free = func(context.Context, string) uint64 { return 5 } })
	files := map[string]string{"alpha.config": "config of alpha", "alpha.graph": graph("anna bert")}
	_, err := l.manager.ImportInto(t.Context(), "alpha", lay(t, files))
	e := failure(t, backend.CodeInsufficientDisk, err)
	require.Equal(t, int64(len(files["alpha.config"])+len(files["alpha.graph"])), e.Params["needed"])
	require.Empty(t, without(l.files(), "models/CACHEDIR.TAG"))
}
