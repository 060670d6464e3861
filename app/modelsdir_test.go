package app_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestModelsDirectorySetting takes folders that files can be written to, or that can be made, and leaves none behind.
func TestModelsDirectorySetting(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	s := u.serve()
	place := t.TempDir()
	file := filepath.Join(place, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.NoError(t, os.Symlink(filepath.Join(u.data, "audio"), filepath.Join(place, "link")))
	locked := filepath.Join(place, "locked")
	require.NoError(t, os.Mkdir(locked, 0o500))
	put := func(path string) (int, string) {
		encoded, err := json.Marshal(map[string]string{"models.directory": path})
		require.NoError(t, err)
		return s.request("PUT", "/settings", string(encoded))
	}
	refused := []string{
		file, filepath.Join(file, "models"), "relative/models", "~/models",
		u.data, filepath.Join(u.data, "audio"), filepath.Join(u.data, "transcripts", "models"), filepath.Join(place, "link", "models"),
		filepath.Join(place, "a\x00b"), filepath.Join(u.data, "models", "..", "voices"),
	}
	refused = append(refused, unusablePlaces...)
	if os.Geteuid() != 0 { // root may write everywhere
		refused = append(refused, locked, filepath.Join(locked, "models"))
	}
	for _, path := range refused {
		status, body := put(path)
		require.Equal(t, 422, status, "%q: %s", path, body)
		require.Contains(t, body, `"loc":["body","models.directory"`, path)
		_, body = s.request("GET", "/settings", "")
		require.Equal(t, "", parseJSON(t, body)["models.directory"])
	}
	for _, path := range []string{
		filepath.Join(place, "new", "models"), place, filepath.Join(u.data, "models"), filepath.Join(u.data, "models", "more"), "",
	} {
		status, body := put(path)
		require.Equal(t, 200, status, "%q: %s", path, body)
	}
	require.NoDirExists(t, filepath.Join(place, "new"))
	for _, path := range []string{filepath.Join(u.data, "audio", "models"), filepath.Join(place, "link", "models")} {
		status, body := s.request("PUT", "/models/directory", `{"path":"`+path+`"}`)
		require.Equal(t, 422, status, body)
		require.Contains(t, body, "path_in_library")
	}
	s.signal(syscall.SIGTERM)
}

// TestLongModelsDirectory: a path that no disk could take is refused before the disk is asked about each of its folders.
func TestLongModelsDirectory(t *testing.T) {
	t.Parallel()
	s := newUser(t).serve()
	for _, path := range []string{
		"/" + strings.Repeat("a/", 200_000), "/" + strings.Repeat("a", 5_000), "/" + strings.Repeat("ab/", 20) + strings.Repeat("é", 256),
		"/" + strings.Repeat("../", 2_000) + "models",
	} {
		status, body := s.request("PUT", "/settings", `{"models.directory":"`+path+`"}`)
		require.Equal(t, 422, status, body)
		require.Less(t, len(body), 4_000)
		for _, adopt := range []string{"false", "true"} {
			status, body = s.request("PUT", "/models/directory", `{"path":"`+path+`","adopt":`+adopt+`}`)
			require.Equal(t, 422, status, body)
			require.Contains(t, body, `"type":"path_not_creatable"`)
		}
	}
	s.signal(syscall.SIGTERM)
}
