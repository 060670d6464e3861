package onnx

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	ort "github.com/yalue/onnxruntime_go"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/filename"
)

// Signature lists the inputs and outputs of a graph that an engine uses. Inputs are all inputs of the graph; it may have more outputs.
type Signature struct {
	Inputs  []Value
	Outputs []Value
}

// SessionOptions say how a graph is run.
type SessionOptions struct {
	// Threads is the number of threads of one run, at least 1.
	Threads int
	// Seeded replaces the nodes that draw noise by nodes that compute it from the seed of RunSeeded. It changes nothing
	// in a graph without such nodes, nor in one where they cannot be replaced, see Session.Reproducible.
	Seeded bool
	// Expose names tensors inside the graph that the signature takes as outputs, as if the file listed them.
	Expose []string
	// Place is where the graph runs; nil is the CPU.
	Place *Place
}

// Session is one loaded graph. It is safe for concurrent use.
type Session struct {
	name  string // base name of the file
	want  Signature
	model Model
	seed  bool // the graph takes the seed as its last input

	unit    atomic.Pointer[unit]
	reload  func() (*ort.DynamicAdvancedSession, error) // on the CPU, for one that is on a GPU
	closing chan struct{}                               // closed when Close begins
	mu      sync.Mutex                                  // held to begin and end a run, and to begin closing
	calls   map[*call]struct{}                          // runs in progress that Close ends
	runs    sync.WaitGroup                              // runs in progress in the library
}

// unit is a graph in the library, on a GPU if it has a place.
type unit struct {
	session *ort.DynamicAdvancedSession
	place   *Place
}

// errClosed is the cause of the error of runs that Close ended.
var errClosed = errors.New("the model is closed")

// Open checks the file at path against the signature and loads it; the first call loads the library. Errors:
// backend.CodeModelCorrupt naming the file and, for another signature, the tensor, what was expected and what was
// found; CodeRuntimeMissing; CodeOutOfMemory.
func (r *Runtime) Open(ctx context.Context, path string, want Signature, o SessionOptions) (*Session, error) {
	if err := ctx.Err(); err != nil {
		return nil, backend.ErrCancelled.WithCause(err)
	}
	model, err := Inspect(path)
	if err != nil {
		return nil, err
	}
	if err := model.exposing(o.Expose).check(path, want); err != nil {
		return nil, err
	}
	if err := model.CheckOutside(path); err != nil {
		return nil, err
	}
	if err := r.Init(); err != nil {
		return nil, err
	}
	u, seeded, err := loadPlaced(path, model, want, o)
	if err != nil {
		return nil, loadError(path, err)
	}
	s := newSession(filepath.Base(path), want, u)
	s.model, s.seed = model, seeded
	o.Place = nil
	s.reload = func() (*ort.DynamicAdvancedSession, error) {
		session, _, err := load(path, model, want, o)
		return session, err
	}
	return s, nil
}

func newSession(name string, want Signature, u *unit) *Session {
	s := &Session{name: name, want: want, closing: make(chan struct{}), calls: map[*call]struct{}{}}
	s.unit.Store(u)
	return s
}

// OpenData loads a graph that is part of the program; name is that of its file. The first call loads the library. Errors:
// those of Open.
func (r *Runtime) OpenData(ctx context.Context, name string, graph []byte, want Signature, threads int) (*Session, error) {
	if err := ctx.Err(); err != nil {
		return nil, backend.ErrCancelled.WithCause(err)
	}
	if err := r.Init(); err != nil {
		return nil, err
	}
	options, err := sessionOptions(SessionOptions{Threads: threads})
	if err != nil {
		return nil, err
	}
	defer func() { _ = options.Destroy() }()
	session, err := ort.NewDynamicAdvancedSessionWithONNXData(graph, names(want.Inputs), names(want.Outputs), options)
	if err != nil {
		return nil, loadError(name, err)
	}
	return newSession(name, want, &unit{session: session}), nil
}

// loadError returns the error about a graph that the library does not load.
func loadError(path string, err error) error {
	if outOfMemory(err) {
		return errMemoryShort("The model " + filepath.Base(path) + " does not fit into memory.").WithCause(err)
	}
	return Corrupt(path, "cannot be loaded").WithCause(err)
}

// Model returns the structure of the file.
func (s *Session) Model() Model { return s.model }

// Reproducible reports whether runs with equal inputs and equal seeds give equal outputs: the graph draws no noise,
// or all of it comes from the seed.
func (s *Session) Reproducible() bool { return s.seed || !s.model.Random() }

// load returns the library's session; seeded reports whether the graph takes the seed as its last input.
func load(path string, model Model, want Signature, o SessionOptions) (s *ort.DynamicAdvancedSession, seeded bool, err error) {
	options, err := sessionOptions(o)
	if err != nil {
		return nil, false, err
	}
	defer func() { _ = options.Destroy() }()
	o.Seeded = o.Seeded && model.Random()
	if o.Seeded || len(o.Expose) > 0 {
		s, err = loadPatched(path, model, want, o, options)
		if errors.Is(err, errNotSeedable) {
			o.Seeded = false
			return load(path, model, want, o)
		}
		return s, o.Seeded, err
	}
	s, err = ort.NewDynamicAdvancedSession(filename.Long(runtime.GOOS, path), names(want.Inputs), names(want.Outputs), options)
	if err != nil {
		return nil, false, fmt.Errorf("load graph: %w", err)
	}
	return s, false, nil
}

// loadPatched loads a changed graph, whose weights stay in the original file.
func loadPatched(
	path string, model Model, want Signature, o SessionOptions, options *ort.SessionOptions,
) (*ort.DynamicAdvancedSession, error) {
	p, err := patch(path, model, o)
	if err != nil {
		return nil, fmt.Errorf("patch graph: %w", err)
	}
	if err := options.AddSessionConfigEntry("session.model_external_initializers_file_folder_path", p.folder); err != nil {
		return nil, fmt.Errorf("name the folder of the weights: %w", err)
	}
	inputs := names(want.Inputs)
	if o.Seeded {
		inputs = append(inputs, seedInput)
	}
	s, err := ort.NewDynamicAdvancedSessionWithONNXData(p.graph, inputs, names(want.Outputs), options)
	if err != nil {
		return nil, fmt.Errorf("load patched graph: %w", err)
	}
	return s, nil
}

func sessionOptions(o SessionOptions) (*ort.SessionOptions, error) {
	options, err := ort.NewSessionOptions()
	if err != nil {
		return nil, fmt.Errorf("make session options: %w", err)
	}
	err = errors.Join(
		options.SetIntraOpNumThreads(max(o.Threads, 1)),
		options.SetInterOpNumThreads(1),
		// Utterances have all lengths, and the library would keep a memory plan for each of them. The arena stays on:
		// without it every tensor of a run is fresh pages, which makes a voice a third slower.
		options.SetMemPattern(false),
		// Waiting threads that spin steal the cores from the other runs and from everything else on the machine.
		options.AddSessionConfigEntry("session.intra_op.allow_spinning", "0"),
	)
	if err == nil && o.Place.onGPU() {
		err = o.Place.provider.Use(options, o.Place.number, o.Place.memory)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("set session options: %w", err), options.Destroy())
	}
	return options, nil
}

func names(values []Value) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = v.Name
	}
	return out
}

// exposing returns the model with tensors inside it as outputs.
func (m Model) exposing(tensors []string) Model {
	m.Outputs = slices.Clone(m.Outputs)
	for _, name := range tensors {
		m.Outputs = append(m.Outputs, Value{Name: name, Rank: AnyRank})
	}
	return m
}

// check compares the model with the wanted signature.
func (m Model) check(path string, want Signature) error {
	for _, w := range want.Inputs {
		if err := expect(path, "input", w, m.Inputs); err != nil {
			return err
		}
	}
	for _, w := range want.Outputs {
		if err := expect(path, "output", w, m.Outputs); err != nil {
			return err
		}
	}
	for _, have := range m.Inputs {
		if !contains(want.Inputs, have.Name) {
			return Corrupt(path, fmt.Sprintf("requires the input %s, which this engine does not provide", have))
		}
	}
	return nil
}

func expect(path, side string, want Value, all []Value) error {
	for _, have := range all {
		if have.Name != want.Name {
			continue
		}
		typed := have.Type == want.Type || have.Type == Undefined
		ranked := have.Rank == want.Rank || have.Rank == AnyRank || want.Rank == AnyRank
		if !typed || !ranked {
			return Corrupt(path, fmt.Sprintf("has the wrong %s: expected %s, found %s", side, want, have))
		}
		return nil
	}
	return Corrupt(path, fmt.Sprintf("has no %s %s; it has %s", side, want, strings.Join(names(all), ", ")))
}

func contains(values []Value, name string) bool {
	return slices.ContainsFunc(values, func(v Value) bool { return v.Name == name })
}

// begin registers a run, with its call if Close is to end it; it reports false if the session is closed.
func (s *Session) begin(c *call) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed() {
		return false
	}
	s.runs.Add(1)
	if c != nil {
		s.calls[c] = struct{}{}
	}
	return true
}

// free frees the call of a run that ended, which Close does not end any more.
func (s *Session) free(c *call) {
	s.mu.Lock()
	delete(s.calls, c)
	s.mu.Unlock()
	c.free()
}

func (s *Session) closed() bool {
	select {
	case <-s.closing:
		return true
	default:
		return false
	}
}

// errClosedSession returns the error of a run on a closed session.
func (s *Session) errClosedSession() error {
	return backend.ErrCancelled.WithCause(fmt.Errorf("run %s: %w", s.name, errClosed))
}

// Close stops the runs in progress, which return backend.ErrCancelled, waits until the library has ended all (at most for the longest
// node of the graph, or a run of Bound), unloads the graph and returns its memory to the system. Further calls do nothing.
func (s *Session) Close() error {
	s.mu.Lock()
	if s.closed() {
		s.mu.Unlock()
		return nil
	}
	close(s.closing)
	for c := range s.calls {
		_ = c.options.Terminate()
	}
	s.mu.Unlock()
	s.runs.Wait()
	err := s.unit.Load().session.Destroy()
	Trim()
	if err != nil {
		return fmt.Errorf("close %s: %w", s.name, err)
	}
	return nil
}
