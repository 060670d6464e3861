package onnx

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	ort "github.com/yalue/onnxruntime_go"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx/gpu"
)

// Place is where the graphs of one model run. All of them move to the CPU when one of them fails on the GPU.
type Place struct {
	*engines.Placement
	turn     chan struct{} // one run at a time on the GPUs of the process
	device   string        // that was asked for
	provider gpu.Provider
	number   int
	memory   int64
}

// Place returns where a model is to run: o.Device is cpu, cuda, cuda:N, directml, directml:N, coreml or metal, which is the same. auto
// and empty mean the CPU. For a GPU that this library has no code for, or cannot use, it is the CPU, and o.Moved is told why. Errors:
// backend.CodeUnsupportedGPU for another device; for a GPU CodeRuntimeMissing.
func (r *Runtime) Place(o engines.Options) (*Place, error) {
	if o.Device == "" || o.Device == engines.Auto || o.Device == engines.CPU {
		return &Place{Placement: engines.NewPlacement(engines.CPU, nil)}, nil
	}
	p := &Place{turn: r.turn, memory: o.Memory}
	name, number, _ := strings.Cut(o.Device, ":")
	if name == "metal" {
		name = "coreml"
	}
	var err error
	if number != "" {
		p.number, err = strconv.Atoi(number)
	}
	known := false
	if p.provider, known = r.providers[name]; !known || err != nil || p.number < 0 {
		return nil, backend.E(backend.CodeUnsupportedGPU, "This build of Voicewright cannot run models on "+o.Device+".",
			"Set speech.device to auto, cpu, cuda, directml or coreml.").With("device", o.Device)
	}
	if err := r.Init(); err != nil {
		return nil, err
	}
	p.device = name
	if name != "coreml" { // a Mac has one GPU
		p.device += ":" + strconv.Itoa(p.number)
	}
	p.Placement = engines.NewPlacement(p.device, o.Moved)
	if why := r.tryProvider(p); why != nil {
		p.MoveToCPU(why)
	}
	return p, nil
}

// tryProvider returns why the library cannot use the GPU of a place; nil if it seems to be able to, which a session shows.
func (r *Runtime) tryProvider(p *Place) *backend.Error {
	options, err := ort.NewSessionOptions()
	if err == nil {
		defer func() { _ = options.Destroy() }()
		err = p.provider.Use(options, p.number, p.memory)
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, gpu.ErrMissing):
		return engines.ErrNoGPU(p.device, engines.GPUMissing, err)
	}
	return engines.ErrNoGPU(p.device, engines.GPULibrary, cmp.Or(p.provider.Missing(r.folder()), err))
}

// Knows returns why the library cannot use cuda, directml or coreml, without a try; known may be false before it is loaded.
func (r *Runtime) Knows(device string) (known bool, why *backend.Error) {
	provider, ok := r.providers[device]
	switch {
	case !ok:
		return true, engines.ErrNoGPU(device, engines.GPUMissing, nil)
	case r.Version() != "":
		return true, r.tryProvider(&Place{device: device, provider: provider})
	case !provider.Present(r.folder()):
		return true, engines.ErrNoGPU(device, engines.GPUMissing, nil)
	}
	return false, nil
}

// onGPU reports whether graphs are to be loaded on a GPU; nil is the CPU.
func (p *Place) onGPU() bool { return p != nil && p.Placement != nil && p.OnGPU() }

// fail moves the model to the CPU because of what the library said.
func (p *Place) fail(reason string, err error) { p.MoveToCPU(engines.ErrNoGPU(p.device, reason, err)) }

// wait waits for the turn to use the GPU; leave passes it on. Error: backend.ErrCancelled.
func (p *Place) wait(ctx context.Context, closing <-chan struct{}) error {
	select {
	case p.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return backend.ErrCancelled.WithCause(ctx.Err())
	case <-closing:
		return backend.ErrCancelled.WithCause(errClosed)
	}
}

func (p *Place) leave() { <-p.turn }

// loadPlaced loads a graph where its place says; if that fails on a GPU, the model moves to the CPU.
func loadPlaced(path string, model Model, want Signature, o SessionOptions) (u *unit, seeded bool, err error) {
	if o.Place.onGPU() {
		var session *ort.DynamicAdvancedSession
		err = o.Place.provider.Do(func() (err error) {
			session, seeded, err = load(path, model, want, o)
			return err
		})
		if err == nil {
			return &unit{session: session, place: o.Place}, seeded, nil
		}
		o.Place.fail(engines.GPULoad, err)
	}
	o.Place = nil
	session, seeded, err := load(path, model, want, o)
	return &unit{session: session}, seeded, err
}

// runOnGPU is a run of u, which is on a GPU. again reports that the graph is on the CPU now and the run is to be repeated.
func (s *Session) runOnGPU(ctx context.Context, stage string, u *unit, inputs, outputs []Tensor) (again bool, err error) {
	if err := u.place.wait(ctx, s.closing); err != nil {
		return false, err
	}
	if !u.place.OnGPU() {
		defer u.place.leave()
		return true, s.moveToCPU()
	}
	given := slices.Clone(outputs)
	failed := false
	err = s.runOn(ctx, u, stage, inputs, outputs, func(err error) {
		defer u.place.leave() // after it failed, so that nobody who waits tries it again
		if err == nil && notNumbers(outputs) {
			err = engines.Failed(stage, errNotNumbers)
		}
		if code := backend.CodeOf(err); code == backend.CodeEngineFailed || code == backend.CodeOutOfMemory {
			failed = true
			u.place.fail(engines.GPURun, err)
		}
	})
	if !failed {
		return false, err
	}
	copy(outputs, given)
	return s.runOnGPU(ctx, stage, u, inputs, outputs) // which moves the graph
}

// errNotNumbers is the failure of GPUs that compute with less precision than a graph needs.
var errNotNumbers = errors.New("its result is not a number")

// notNumbers reports whether the first output, which has the result of a graph, has values that are not numbers.
func notNumbers(outputs []Tensor) bool {
	if len(outputs) == 0 {
		return false
	}
	values, ok := outputs[0].data.([]float32)
	return ok && slices.ContainsFunc(values, func(v float32) bool { return math.IsNaN(float64(v)) })
}

// moveToCPU loads the graph on the CPU if it is on a GPU, and frees it there. The caller has the turn, so nobody uses it. Errors: those
// of engines.ErrNotMoved.
func (s *Session) moveToCPU() error {
	u := s.unit.Load()
	if u.place == nil {
		return nil
	}
	if !s.begin(nil) { // Close waits for the end
		return s.errClosedSession()
	}
	defer s.runs.Done()
	session, err := s.reload()
	if err != nil {
		return engines.ErrNotMoved(u.place.device, loadError(s.name, err))
	}
	s.unit.Store(&unit{session: session})
	_ = u.session.Destroy() // an error changes nothing
	return nil
}
