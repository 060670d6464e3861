package models_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/models"
)

// TestEndMove continues after a kill at each point of a move.
func TestEndMove(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		from, to       []string // files that are there; nil = no folder
		current        string
		at             string
		fromLeft, left []string
	}{
		"before anything":    {from: []string{"a/b", "c"}, current: "from", at: "from", fromLeft: []string{"a/b", "c"}},
		"renamed":            {to: []string{"a/b", "c"}, current: "from", at: "to", left: []string{"a/b", "c"}},
		"renamed and set":    {to: []string{"a/b", "c"}, current: "to", at: "to", left: []string{"a/b", "c"}},
		"half copied":        {from: []string{"a/b", "c"}, to: []string{"a/b"}, current: "from", at: "from", fromLeft: []string{"a/b", "c"}},
		"copied":             {from: []string{"a/b", "c"}, to: []string{"a/b", "c"}, current: "from", at: "from", fromLeft: []string{"a/b", "c"}},
		"copied and set":     {from: []string{"a/b", "c"}, to: []string{"a/b", "c"}, current: "to", at: "to", left: []string{"a/b", "c"}},
		"the user's file":    {from: []string{"a"}, to: []string{"a", "mine"}, current: "from", at: "from", fromLeft: []string{"a"}, left: []string{"mine"}},
		"another directory":  {from: []string{"a"}, to: []string{"a"}, current: "other", at: "other", fromLeft: []string{"a"}, left: []string{"a"}},
		"both are gone":      {current: "from", at: "from"},
		"set, the rest gone": {to: []string{"a"}, from: []string{"b"}, current: "to", at: "to", left: []string{"a"}, fromLeft: []string{"b"}},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			in := func(dir string) string { return filepath.Join(root, dir) }
			put(t, in("from"), c.from)
			put(t, in("to"), c.to)
			at, err := models.EndMove(in("from"), in("to"), in(c.current))
			require.NoError(t, err)
			require.Equal(t, in(c.at), at)
			require.ElementsMatch(t, c.fromLeft, filesBelow(t, in("from")))
			require.ElementsMatch(t, c.left, filesBelow(t, in("to")))
		})
	}
}

// TestEndMoveToTheSameDirectory: a file is not a copy of itself, whatever the path.
func TestEndMoveToTheSameDirectory(t *testing.T) {
	t.Parallel()
	dir, link := filepath.Join(t.TempDir(), "models"), filepath.Join(t.TempDir(), "link")
	put(t, dir, []string{"a/b", "c"})
	require.NoError(t, os.Symlink(filepath.Dir(dir), link))
	for _, to := range []string{dir, filepath.Join(link, "models")} {
		at, err := models.EndMove(dir, to, dir)
		require.NoError(t, err)
		require.Equal(t, dir, at)
		require.ElementsMatch(t, []string{"a/b", "c"}, filesBelow(t, dir))
	}
}

func put(t *testing.T, dir string, files []string) {
	t.Helper()
	for _, f := range files {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, f)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, f), []byte(f), 0o600))
	}
}

func filesBelow(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	if _, err := os.Stat(dir); err != nil {
		return out
	}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			out = append(out, filepath.ToSlash(rel))
		}
		return err
	}))
	return out
}
