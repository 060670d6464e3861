package speech_test

import (
	"cmp"
	"context"
	"sync/atomic"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

// The names of the lab's models.
const (
	builtIn = "builtin"
	robot   = "robot-small"
	nordic  = "nordic" // its two voices can be mixed
)

// modelSet is a set of models that are always in memory, except where acquire says otherwise.
type modelSet struct {
	models   map[string]engines.Model
	keys     map[string]string // "<engine>:<key>" of preset voices to the model's name
	speakers map[string]engines.Speaker
	revision string                                                      // of all models; empty: r1
	memory   int64                                                       // that each takes
	acquire  func(ctx context.Context, phase func(backend.Status)) error // before the model is given; may be nil
	missing  string                                                      // the name of a model that would have to be downloaded
	inUse    atomic.Int64
	hear     func(ctx context.Context, samples []float32) (string, error) // what a transcription model hears; nil = there is none
	accepted atomic.Value                                                 // the name of the model whose licence was accepted last
}

func (s *modelSet) Model(name string) (engines.Model, error) {
	if m, ok := s.models[name]; ok {
		return m, nil
	}
	return engines.Model{}, backend.E(backend.CodeModelUnknown, "There is no model "+name+".", "Import it.")
}

func (s *modelSet) ModelOf(engine, voiceID string) (engines.Model, error) {
	return s.Model(s.keys[engine+":"+voiceID])
}

func (s *modelSet) Download(_ context.Context, name string, accept bool) (backend.ModelProgress, error) {
	_, err := s.Model(name)
	if accept {
		s.accepted.Store(name)
	}
	return backend.ModelProgress{ModelName: name, Status: backend.DownloadComplete}, err
}

// AcquireDownloaded counts as a model that is not downloaded where acquire would download.
func (s *modelSet) AcquireDownloaded(ctx context.Context, name string) (*engines.Loaded, error) {
	if s.missing == name {
		return nil, backend.E(backend.CodeModelNotDownloaded, name+" is not downloaded.", "Download it first.")
	}
	return s.Acquire(ctx, name, nil)
}

func (s *modelSet) Acquire(ctx context.Context, name string, phase func(backend.Status)) (*engines.Loaded, error) {
	if s.acquire != nil {
		if err := s.acquire(ctx, phase); err != nil {
			return nil, err
		}
	}
	s.inUse.Add(1)
	return &engines.Loaded{
		Speaker: s.speakers[name], Model: name, Revision: cmp.Or(s.revision, "r1"),
		Files:   []backend.FileHash{{Path: "a.onnx", SHA256: "00ff"}},
		Release: func() { s.inUse.Add(-1) }, Memory: s.memory,
	}, nil
}

// AcquireTranscriber returns a transcription model that hears what the set says.
func (s *modelSet) AcquireTranscriber(_ context.Context, name string, _ func(backend.Status)) (*engines.LoadedTranscriber, error) {
	if s.hear == nil {
		return nil, backend.E(backend.CodeOffline, name+" cannot be downloaded offline.", "Go online.")
	}
	s.inUse.Add(1)
	return &engines.LoadedTranscriber{Transcriber: listener{hear: s.hear}, Model: name, Release: func() { s.inUse.Add(-1) }}, nil
}

// AcquireTranscriberDownloaded counts as missing where the set hears nothing.
func (s *modelSet) AcquireTranscriberDownloaded(ctx context.Context, name string) (*engines.LoadedTranscriber, error) {
	if s.hear == nil {
		return nil, backend.E(backend.CodeModelNotDownloaded, name+" is not downloaded.", "Download it first.")
	}
	return s.AcquireTranscriber(ctx, name, nil)
}

// Installed counts a transcription model as missing where the set hears nothing.
func (s *modelSet) Installed(name string) error {
	if s.hear == nil {
		return backend.E(backend.CodeModelNotDownloaded, name+" is not downloaded.", "Download it first.")
	}
	return nil
}

// listener is a transcription model of tests.
type listener struct {
	hear func(ctx context.Context, samples []float32) (string, error)
}

func (listener) Info() engines.Info { return engines.Info{} }
func (listener) Close() error       { return nil }

func (l listener) Transcribe(
	ctx context.Context, samples []float32, _ engines.TranscribeOptions, emit func(backend.Segment) error,
) (string, error) {
	heard, err := l.hear(ctx, samples)
	if err != nil || heard == "" {
		return "en", err
	}
	return "en", emit(backend.Segment{Text: " " + heard, End: float64(len(samples)) / engines.TranscriberRate})
}
