// Package local speaks with the engines of this machine.
package local

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/voicewright/voicewright/backend/hub"
	"github.com/voicewright/voicewright/backend/models"
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/providers/local"
	"github.com/voicewright/voicewright/backend/settings"
	"github.com/voicewright/voicewright/backend/system"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/english"
	"github.com/voicewright/voicewright/engines/espeak"
	"github.com/voicewright/voicewright/engines/kokoro"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/piper"
	"github.com/voicewright/voicewright/engines/supertonic"
)

// idleUnload is how long an unused model stays in memory.
const idleUnload = 10 * time.Minute

// Engines are the engines of this machine, with a provider for each id of the contract.
type Engines struct {
	Providers  map[service.ProviderID]service.Provider
	models     *models.Manager
	hub        *hub.Client
	builtIn    *espeak.Engine
	phonemizer *espeak.Phonemizer
}

// Open opens the engines on the models that voicewright downloads into modelsDir. Those that were imported, or are of the
// catalogue of Piper voices, are in the list beside that directory, where voicewright stores it. Models that are added later are
// found without a restart. No connection is opened.
func Open(ctx context.Context, modelsDir string, log *slog.Logger) (*Engines, error) {
	known, err := registry.Load()
	if err != nil {
		return nil, fmt.Errorf("read the list of models: %w", err)
	}
	modelsDir, err = filepath.Abs(modelsDir)
	if err != nil {
		return nil, fmt.Errorf("find the models directory: %w", err)
	}
	e := &Engines{builtIn: espeak.New(), phonemizer: espeak.NewPhonemizer(), Providers: map[service.ProviderID]service.Provider{}}
	e.hub, err = hub.New(hub.NewCache(modelsDir, ""), hub.Options{Offline: func() bool { return true }, Log: log})
	if err != nil {
		return nil, err
	}
	ctx = context.WithoutCancel(ctx) // the probes are called until the engines are closed
	memory := func() (total, free int64, ok bool) { return system.Memory(ctx) }
	total, _, _ := memory()
	e.models, err = models.New(models.Options{
		Hub: e.hub, Known: known, Registry: filepath.Join(filepath.Dir(modelsDir), "models.json"), ReadOnly: true,
		Drivers: e.drivers(log), BuiltIn: e.builtIn,
		Machine:    registry.Machine{MemoryMB: int(total / 1_000_000), OS: runtime.GOOS, Arch: runtime.GOARCH},
		Memory:     memory,
		Resident:   func() int64 { return system.Resident(ctx) },
		IdleUnload: func() time.Duration { return idleUnload },
		AfterFree:  onnx.Trim, Now: time.Now, Log: log,
	})
	if err != nil {
		return nil, errors.Join(err, e.Close(ctx))
	}
	cores := local.NewCores(onnx.Cores())
	for _, id := range service.ProviderIDs() {
		e.Providers[id] = local.New(local.Options{
			Provider: id, Models: e.models, Cores: cores, Memory: memory, Pauses: settings.DefaultPauses(),
			NewSeed: func() int64 { return rand.Int64N(1 << 31) }, Now: time.Now,
		})
	}
	return e, nil
}

// drivers returns the drivers of all engines that the service speaks with, none without ONNX Runtime: then all voices are those of
// espeak-ng.
func (e *Engines) drivers(log *slog.Logger) []engines.Driver {
	runtime := onnx.New(onnx.Options{Path: os.Getenv("VOICEWRIGHT_ORT")})
	if err := runtime.Find(); err != nil {
		log.Warn("only espeak-ng speaks: install ONNX Runtime and start the service again for the other voices", "error", err)
		return nil
	}
	return []engines.Driver{
		piper.NewDriver(runtime, e.phonemizer), kokoro.NewDriver(runtime, english.New(e.phonemizer), e.phonemizer),
		supertonic.NewDriver(runtime),
	}
}

// Close unloads the models and ends the processes of espeak-ng. The caller has ended all calls.
func (e *Engines) Close(ctx context.Context) error {
	var errs []error
	if e.models != nil {
		errs = append(errs, e.models.Close(ctx))
	}
	e.hub.Close()
	return errors.Join(append(errs, e.builtIn.Close(), e.phonemizer.Close())...)
}
