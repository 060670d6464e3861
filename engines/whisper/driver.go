package whisper

import (
	"context"
	"log/slog"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

// Name is the engine's name in the registry.
const Name = "whisper"

// RoleModel is the role of a model's only file, ggml-<name>.bin.
const RoleModel = "model"

// Driver opens Whisper models in whisper.cpp's format.
type Driver struct{ log *slog.Logger }

// NewDriver returns a driver; the lines of the library go to log at level debug.
func NewDriver(log *slog.Logger) *Driver { return &Driver{log: log} }

// Engine returns the engine's name in the registry.
func (d *Driver) Engine() string { return Name }

// Available reports whether the library is part of this build.
func (d *Driver) Available() bool { return available }

// Abilities returns what the models can do: they transcribe.
func (d *Driver) Abilities() engines.Abilities { return engines.Abilities{Transcribes: true} }

// Open loads the model. Errors: backend.CodeModelCorrupt, CodeOutOfMemory, CodeRuntimeMissing, CodeUnsupportedCPU,
// CodeUnsupportedGPU, CodeCancelled.
func (d *Driver) Open(ctx context.Context, files engines.Files, o engines.Options) (engines.Engine, error) {
	if err := ctx.Err(); err != nil {
		return nil, backend.ErrCancelled.WithCause(err)
	}
	return d.open(files[RoleModel], o)
}
