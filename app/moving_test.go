package app_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestKilledMoveOfTheModels starts as a kill between the rename of the models directory and its setting leaves it.
func TestKilledMoveOfTheModels(t *testing.T) {
	p := newPerson(t)
	p.does("profiles", "list")
	from, to := filepath.Join(p.data, "models"), filepath.Join(t.TempDir(), "elsewhere")
	require.NoError(t, os.MkdirAll(from, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(from, "kept"), nil, 0o600))
	note, err := json.Marshal(map[string]string{"from": from, "to": to})
	require.NoError(t, err)
	noteFile := filepath.Join(p.data, "models-moving.json")
	require.NoError(t, os.WriteFile(noteFile, note, 0o600))
	require.NoError(t, os.Rename(from, to))
	s := p.serve()
	_, body := s.ask("GET", "/models/directory", "")
	require.Equal(t, to, parse(t, body)["path"])
	require.FileExists(t, filepath.Join(to, "kept"))
	require.NoFileExists(t, noteFile)
}
