package app

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/backend/hub"
	"github.com/voicewright/voicewright/backend/models"
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/backend/settings"
	"github.com/voicewright/voicewright/backend/system"
)

// modelsFolderName is the folder of the models in the data directory, where no other is set.
const modelsFolderName = "models"

// modelsDir returns the models directory: the one of the flag or variable, else chosen, else the default in the data directory.
func (c Config) modelsDir(chosen string) string {
	switch {
	case c.Models != "":
		return c.Models
	case chosen != "":
		return chosen
	default:
		return filepath.Join(c.Data, modelsFolderName)
	}
}

// usableSetting returns why a new value of a setting cannot be used on this machine, "" when it can.
func (c Config) usableSetting(key, value string) string {
	if key != settings.ModelsDir || value == "" {
		return ""
	}
	if files.PathTooLong(value) {
		return "Input should be a shorter path"
	}
	if inLibrary(c.Data, value) {
		return "Input should be a folder outside the data directory, which holds the library, or its folder models"
	}
	if err := files.TryFolder(value); err != nil {
		return "Input should be a folder to which files can be written, or one that can be made: " + err.Error()
	}
	return ""
}

// inLibrary reports whether a path is the data directory or in it, but not in the folder that is for models.
func inLibrary(data, path string) bool {
	below, err := filepath.Rel(files.RealPath(data), files.RealPath(path))
	if err != nil || !filepath.IsLocal(below) {
		return false
	}
	first, _, _ := strings.Cut(filepath.ToSlash(below), "/")
	return first != modelsFolderName
}

// openHub returns a client of the model hub, with its cache in dir. HF_HUB_OFFLINE overrides offline.
func (c Config) openHub(dir string, offline func() bool) (*hub.Client, error) {
	options := hub.FromEnv(os.Getenv)
	options.Log = c.Log
	if options.Offline == nil {
		options.Offline = offline
	}
	return hub.New(hub.NewCache(dir, hub.SharedCache(os.Getenv)), options)
}

// machine describes this machine, for the choice between variants of a model.
func machine(ctx context.Context) registry.Machine {
	total, _, _ := system.Memory(ctx)
	return registry.Machine{MemoryMB: int(total / 1_000_000), OS: runtime.GOOS, Arch: runtime.GOARCH}
}

// modelsFolder is the models directory, with the setting that stores its path.
type modelsFolder struct {
	manager  *models.Manager
	settings *settings.Settings
	data     string // the data directory
	fixed    bool   // by a flag or variable, which would override the setting at the next start
	path     atomic.Value
}

// Path returns the current models directory.
func (f *modelsFolder) Path() string {
	path, _ := f.path.Load().(string)
	return path
}

// Directory returns the path of the models directory, its size and the free space.
func (f *modelsFolder) Directory(ctx context.Context) backend.ModelsDirectory {
	return f.manager.Directory(func(dir string) (int64, bool) {
		disk := system.Disk(ctx, dir)
		if disk == nil {
			return 0, false
		}
		return disk.Free, true
	})
}

// Move moves the models and changes the setting. Errors: those of models.Manager.MoveDirectory.
func (f *modelsFolder) Move(ctx context.Context, path string) error {
	if err := f.check(path); err != nil {
		return err
	}
	started := false
	err := f.manager.MoveDirectory(ctx, path, func(path string) error {
		started = true // a refused move must not change the record of one that is running
		return moving{f.Path(), path}.write(f.data)
	}, func(path string) error { return f.keep(ctx, path) })
	if started {
		_ = os.Remove(movingFile(f.data))
	}
	if err == nil {
		f.path.Store(filepath.Clean(path))
	}
	return err
}

// Adopt uses a folder that already holds models, and changes the setting. Errors: those of models.Manager.AdoptDirectory.
func (f *modelsFolder) Adopt(ctx context.Context, path string) error {
	if err := f.check(path); err != nil {
		return err
	}
	err := f.manager.AdoptDirectory(ctx, path, func(path string) error { return f.keep(ctx, path) })
	if err == nil {
		f.path.Store(filepath.Clean(path))
	}
	return err
}

// keep stores the path in the settings.
func (f *modelsFolder) keep(ctx context.Context, path string) error {
	return f.settings.Put(ctx, map[string]any{settings.ModelsDir: path})
}

// check returns why a new folder cannot be used, whatever it holds.
func (f *modelsFolder) check(path string) error {
	switch {
	case f.fixed:
		return backend.Invalid("path_given_at_start",
			"The models directory is set with --models or VOICEWRIGHT_MODELS_DIR; change it there", "body", "path")
	case files.PathTooLong(path):
		return backend.Invalid("path_not_creatable", "The path of the folder is too long", "body", "path")
	case inLibrary(f.data, path):
		return backend.Invalid("path_in_library", "The folder is in the data directory, which holds the library", "body", "path")
	}
	return nil
}
