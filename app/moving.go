package app

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/backend/models"
	"github.com/voicewright/voicewright/backend/settings"
)

// moving is a move of the models directory. It is written to the data directory before anything moves and removed at its end,
// so that a start after a kill knows of both places.
type moving struct {
	From string `json:"from"`
	To   string `json:"to"`
}

func movingFile(data string) string { return filepath.Join(data, "models-moving.json") }

func (m moving) write(data string) error {
	raw, err := json.Marshal(m)
	if err == nil {
		err = files.Write(movingFile(data), raw, 0o600)
	}
	return backend.FileError("note the move of the models", "the data directory "+data, err)
}

// endMove ends a move that a kill interrupted: the setting then names the directory with the models.
func (c Config) endMove(ctx context.Context, prefs *settings.Settings) {
	raw, err := os.ReadFile(movingFile(c.Data))
	var m moving
	if err != nil || c.Models != "" { // a directory that is given at the start is never moved
		return
	}
	if json.Unmarshal(raw, &m) == nil {
		current := c.modelsDir(prefs.String(settings.ModelsDir))
		at, err := models.EndMove(m.From, m.To, current)
		if err == nil && at != current {
			err = prefs.Put(ctx, map[string]any{settings.ModelsDir: at})
		}
		if err != nil {
			c.Log.Warn("end a move of the models directory", "from", m.From, "to", m.To, "error", err)
			return
		}
	}
	_ = os.Remove(movingFile(c.Data)) // read again at the next start, when nothing is left to do
}
