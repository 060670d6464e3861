package app

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub"
	"github.com/voicewright/voicewright/backend/models"
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/backend/settings"
	"github.com/voicewright/voicewright/backend/system"
)

// modelsDir gives the models directory: the flag or the variable wins over the setting, which wins over the data directory.
func (c Config) modelsDir(chosen string) string {
	switch {
	case c.Models != "":
		return c.Models
	case chosen != "":
		return chosen
	default:
		return filepath.Join(c.Data, "models")
	}
}

// openHub makes the client of the model hub, with its cache in the models directory. HF_HUB_OFFLINE keeps it offline too.
func (c Config) openHub(dir string, offline func() bool) (*hub.Client, error) {
	options := hub.FromEnv(os.Getenv)
	options.Log = c.Log
	if options.Offline == nil {
		options.Offline = offline
	}
	return hub.New(hub.NewCache(dir, hub.SharedCache(os.Getenv)), options)
}

// machine is what variants of models are chosen for.
func machine(ctx context.Context) registry.Machine {
	total, _, _ := system.Memory(ctx)
	return registry.Machine{MemoryMB: int(total / 1_000_000), OS: runtime.GOOS, Arch: runtime.GOARCH}
}

// modelsFolder is the folder of the models with the setting that remembers it.
type modelsFolder struct {
	manager  *models.Manager
	settings *settings.Settings
	data     string // the data directory
	given    bool   // by a flag or a variable, which would win over the setting at the next start
	path     atomic.Value
}

// Path is where the models are now.
func (f *modelsFolder) Path() string {
	path, _ := f.path.Load().(string)
	return path
}

// Directory tells where the models are and how much room they take.
func (f *modelsFolder) Directory(ctx context.Context) backend.ModelsDirectory {
	return f.manager.Directory(func(dir string) (int64, bool) {
		disk := system.Disk(ctx, dir)
		if disk == nil {
			return 0, false
		}
		return disk.Free, true
	})
}

// Move moves the models and sets the setting. Errors: those of models.Manager.MoveDirectory.
func (f *modelsFolder) Move(ctx context.Context, path string) error {
	if f.given {
		return backend.Invalid("path_given_at_start",
			"The models directory was given with --models or VOICEWRIGHT_MODELS_DIR, which win over this; change it there",
			"body", "path")
	}
	begun := false
	err := f.manager.MoveDirectory(ctx, path, func(path string) error {
		begun = true // a move that is refused must not touch the note of the one under way
		return moving{f.Path(), path}.write(f.data)
	}, func(path string) error {
		return f.settings.Put(ctx, map[string]any{settings.ModelsDir: path})
	})
	if begun {
		_ = os.Remove(movingFile(f.data))
	}
	if err == nil {
		f.path.Store(filepath.Clean(path))
	}
	return err
}
