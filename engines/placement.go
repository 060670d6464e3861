package engines

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/voicewright/voicewright/backend"
)

// The devices that every build has: the CPU, and the engine's own choice.
const (
	CPU  = "cpu"
	Auto = "auto"
)

// The reasons why a model is not on the GPU that was asked for, in the params of the error under "reason".
const (
	GPUNone    = "none"    // the machine has none
	GPUMissing = "missing" // the library has no code for it
	GPULibrary = "library" // the library's part for it, or what that needs, cannot be loaded
	GPUMemory  = "memory"  // it has too little free memory
	GPULoad    = "load"    // the model could not be loaded there
	GPURun     = "run"     // a run failed there
)

// Placement is the device that a loaded model runs on. A model that cannot be on the GPU that was asked for, or fails there, moves
// to the CPU once, with the reason. It is safe for concurrent use.
type Placement struct {
	moved func(*backend.Error)

	mu     sync.Mutex
	device string
	why    *backend.Error
}

// NewPlacement returns the placement of a model on a device, as Info names it. moved is called when it moves to the CPU; nil: nobody
// is told.
func NewPlacement(device string, moved func(*backend.Error)) *Placement {
	return &Placement{device: device, moved: moved}
}

// Device returns the device that the model runs on now.
func (p *Placement) Device() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.device
}

// OnGPU reports whether the model is on a GPU.
func (p *Placement) OnGPU() bool { return p.Device() != CPU }

// Why returns why the model is on the CPU and not on the GPU that was asked for; nil if it is where it should be.
func (p *Placement) Why() *backend.Error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.why
}

// MoveToCPU moves the model to the CPU and tells why; further calls do nothing.
func (p *Placement) MoveToCPU(why *backend.Error) {
	p.mu.Lock()
	first := p.device != CPU
	if first {
		p.device, p.why = CPU, why
	}
	p.mu.Unlock()
	if first && p.moved != nil {
		p.moved(why)
	}
}

// ErrNoGPU returns the error about a model that runs on the CPU in place of a GPU for one of the reasons above. cause is what the
// library said; it is shown.
func ErrNoGPU(device, reason string, cause error) *backend.Error {
	const seeDoctor = "The CPU does the work. `voicewright doctor` says more about the GPU."
	said := shown(cause)
	var e *backend.Error
	switch reason {
	case GPUNone:
		e = backend.E(backend.CodeUnsupportedGPU, fmt.Sprintf("This machine has no GPU for %s, or no driver for it.", device),
			"The CPU does the work. Install the driver of the GPU, or set the device to auto or cpu.")
	case GPUMissing:
		e = backend.E(backend.CodeUnsupportedGPU, fmt.Sprintf("This build cannot run models on %s.", device),
			"The CPU does the work. Get a library with code for this GPU, where there is one, or set the device to auto or cpu.")
	case GPULibrary:
		e = backend.E(backend.CodeUnsupportedGPU, fmt.Sprintf("What %s needs cannot be loaded: %s.", device, said),
			"The CPU does the work. Install what is missing, or set the device to auto or cpu.")
	case GPULoad:
		e = backend.E(backend.CodeUnsupportedGPU, fmt.Sprintf("The model could not be loaded on %s: %s.", device, said), seeDoctor)
	default:
		e = backend.E(backend.CodeUnsupportedGPU, fmt.Sprintf("A run on %s failed: %s.", device, said), seeDoctor)
	}
	return e.With("device", device).With("reason", reason).With("cause", said).WithCause(cause)
}

// ErrNotMoved returns the error of a run that failed on a GPU whose model could not be loaded on the CPU instead; the next
// run tries that again. err is what the load said. Codes: out_of_memory as it is, else backend.CodeEngineFailed: the files are those
// that were loaded before.
func ErrNotMoved(device string, err error) error {
	if backend.CodeOf(err) == backend.CodeOutOfMemory {
		return err
	}
	said := shown(err)
	return backend.E(backend.CodeEngineFailed,
		fmt.Sprintf("A run on %s failed, and the model could not be loaded on the CPU: %s.", device, said),
		"Unload the model and try again. `voicewright doctor` says more about the GPU.").
		With("stage", "loading").With("device", device).With("cause", said).WithCause(err)
}

// ErrGPUMemory returns the error about a model that runs on the CPU because the GPU has too little free memory, in bytes.
func ErrGPUMemory(device string, need, free int64) *backend.Error {
	const mb = 1_000_000
	return backend.E(backend.CodeUnsupportedGPU,
		fmt.Sprintf("The model needs about %d MB of memory on %s, and %d MB are free for it.", need/mb, device, free/mb),
		"The CPU does the work. Unload other models and load it again, or choose a smaller variant.").
		With("device", device).With("reason", GPUMemory).With("needed_mb", need/mb).With("free_mb", free/mb)
}

// longestCause is the length of what is shown of a library's message, in bytes.
const longestCause = 240

var paths = regexp.MustCompile(`(?:[A-Za-z]:)?[/\\][^\s:"']*[/\\]([^\s:"'/\\]+)`)

// shown returns the first line of what a library said, with the last parts of paths only: the log and bundles of logs have no others.
func shown(cause error) string {
	if cause == nil {
		return ""
	}
	var coded *backend.Error
	if errors.As(cause, &coded) && coded.Err != nil {
		cause = coded.Err // what the library said
	}
	line, _, _ := strings.Cut(strings.TrimSpace(cause.Error()), "\n")
	line = paths.ReplaceAllStringFunc(line, func(path string) string {
		return filepath.Base(strings.ReplaceAll(path, `\`, "/"))
	})
	if len(line) > longestCause {
		line = strings.ToValidUTF8(line[:longestCause], "") + "…"
	}
	return strings.TrimRight(line, ". ")
}
