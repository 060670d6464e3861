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

// moving is the record of a running move of the models directory. It is in the data directory from before the move to its
// end, so that the next start after a crash can finish the move.
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
	return backend.FileError("record the move of the models", "the data directory "+data, err)
}

// finishMove finishes a move that a crash interrupted: it changes the setting to the directory that has the models.
func (c Config) finishMove(ctx context.Context, prefs *settings.Settings) {
	raw, err := os.ReadFile(movingFile(c.Data))
	var m moving
	if err != nil || c.Models != "" { // a directory set by a flag or variable is never moved
		return
	}
	if json.Unmarshal(raw, &m) == nil {
		current := c.modelsDir(prefs.String(settings.ModelsDir))
		at, err := models.EndMove(m.From, m.To, current)
		if err == nil && at != current {
			err = prefs.Put(ctx, map[string]any{settings.ModelsDir: at})
		}
		if err != nil {
			c.Log.Warn("finish a move of the models directory", "from", m.From, "to", m.To, "error", err)
			return
		}
	}
	_ = os.Remove(movingFile(c.Data)) // if this fails, the next start reads it again and has nothing to do
}
