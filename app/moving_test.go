package app_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestInterruptedMoveOfTheModels starts after a kill between the rename of the models directory and the change of its setting.
func TestInterruptedMoveOfTheModels(t *testing.T) {
	u := newUser(t)
	u.mustRun("profiles", "list")
	from, to := filepath.Join(u.data, "models"), filepath.Join(t.TempDir(), "elsewhere")
	require.NoError(t, os.MkdirAll(from, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(from, "kept"), nil, 0o600))
	note, err := json.Marshal(map[string]string{"from": from, "to": to})
	require.NoError(t, err)
	noteFile := filepath.Join(u.data, "models-moving.json")
	require.NoError(t, os.WriteFile(noteFile, note, 0o600))
	require.NoError(t, os.Rename(from, to))
	s := u.serve()
	_, body := s.request("GET", "/models/directory", "")
	require.Equal(t, to, parseJSON(t, body)["path"])
	require.FileExists(t, filepath.Join(to, "kept"))
	require.NoFileExists(t, noteFile)
}
