package studiotest

import (
	"cmp"
	"context"
	"sync/atomic"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

// The names of the lab's models.
const (
	BuiltIn = "builtin"
	Robot   = "robot-small"
	Nordic  = "nordic" // its two voices can be mixed
)

// newModelSet returns the three models, all spoken by speaker.
func newModelSet(speaker engines.Speaker) *ModelSet {
	return &ModelSet{
		ByName: map[string]engines.Model{
			BuiltIn: {
				Name: BuiltIn, DisplayName: "Built-in voice", Engine: BuiltIn, Languages: []string{"en-US", "de", "cmn"},
				Voices: []engines.Voice{
					{ID: "en-us", Name: "English", Language: "en-US"},
					{ID: "de", Name: "German", Language: "de"},
					{ID: "cmn", Name: "Chinese", Language: "cmn"},
				},
			},
			Robot: {
				Name: Robot, DisplayName: "Robot", Engine: "robotic", Languages: []string{"en-GB"},
				Voices: []engines.Voice{{ID: "0", Name: "R2", Language: "en-GB"}, {ID: "1", Name: "C3", Language: "en-GB"}},
			},
			Nordic: {
				Name: Nordic, DisplayName: "Nordic", Engine: "nordic", Languages: []string{"no"}, Abilities: engines.Abilities{Mixes: true},
				Voices: []engines.Voice{{ID: "0", Name: "Ask", Language: "no"}, {ID: "1", Name: "Embla", Language: "no"}},
			},
		},
		keys:     map[string]string{"robotic:en_GB-robot#1": Robot},
		Speakers: map[string]engines.Speaker{BuiltIn: AnyVoice{speaker}, Robot: AnyVoice{speaker}, Nordic: AnyVoice{speaker}},
	}
}

// ModelSet is a set of models that are always in memory, except where BeforeAcquire says otherwise.
type ModelSet struct {
	ByName        map[string]engines.Model
	keys          map[string]string // "<engine>:<key>" of preset voices to the model's name
	Speakers      map[string]engines.Speaker
	Revision      string                                                      // of all models; empty: r1
	Memory        int64                                                       // that each takes
	BeforeAcquire func(ctx context.Context, phase func(backend.Status)) error // before the model is given; may be nil
	Missing       string                                                      // the name of a model that would have to be downloaded
	inUse         atomic.Int64
	Hear          func(ctx context.Context, samples []float32) (string, error) // what a transcription model hears; nil = there is none
	Accepted      atomic.Value                                                 // the name of the model whose licence was accepted last
}

// Model returns a model by its name.
func (s *ModelSet) Model(name string) (engines.Model, error) {
	if m, ok := s.ByName[name]; ok {
		return m, nil
	}
	return engines.Model{}, backend.E(backend.CodeModelUnknown, "There is no model "+name+".", "Import it.")
}

// ModelOf returns the model of a preset voice.
func (s *ModelSet) ModelOf(engine, voiceID string) (engines.Model, error) {
	return s.Model(s.keys[engine+":"+voiceID])
}

// Download notes whose licence was accepted, and ends at once.
func (s *ModelSet) Download(_ context.Context, name string, accept bool) (backend.ModelProgress, error) {
	_, err := s.Model(name)
	if accept {
		s.Accepted.Store(name)
	}
	return backend.ModelProgress{ModelName: name, Status: backend.DownloadComplete}, err
}

// AcquireDownloaded counts as a model that is not downloaded where acquire would download.
func (s *ModelSet) AcquireDownloaded(ctx context.Context, name string) (*engines.Loaded, error) {
	if s.Missing == name {
		return nil, backend.E(backend.CodeModelNotDownloaded, name+" is not downloaded.", "Download it first.")
	}
	return s.Acquire(ctx, name, nil)
}

// Acquire returns a model, which is in memory.
func (s *ModelSet) Acquire(ctx context.Context, name string, phase func(backend.Status)) (*engines.Loaded, error) {
	if s.BeforeAcquire != nil {
		if err := s.BeforeAcquire(ctx, phase); err != nil {
			return nil, err
		}
	}
	s.inUse.Add(1)
	return &engines.Loaded{
		Speaker: s.Speakers[name], Model: name, Revision: cmp.Or(s.Revision, "r1"),
		Files:   []backend.FileHash{{Path: "a.onnx", SHA256: "00ff"}},
		Release: func() { s.inUse.Add(-1) }, Memory: s.Memory,
	}, nil
}

// AcquireTranscriber returns a transcription model that hears what the set says.
func (s *ModelSet) AcquireTranscriber(_ context.Context, name string, _ func(backend.Status)) (*engines.LoadedTranscriber, error) {
	if s.Hear == nil {
		return nil, backend.E(backend.CodeOffline, name+" cannot be downloaded offline.", "Go online.")
	}
	s.inUse.Add(1)
	return &engines.LoadedTranscriber{Transcriber: listener{hear: s.Hear}, Model: name, Release: func() { s.inUse.Add(-1) }}, nil
}

// AcquireTranscriberDownloaded counts as missing where the set hears nothing.
func (s *ModelSet) AcquireTranscriberDownloaded(ctx context.Context, name string) (*engines.LoadedTranscriber, error) {
	if s.Hear == nil {
		return nil, backend.E(backend.CodeModelNotDownloaded, name+" is not downloaded.", "Download it first.")
	}
	return s.AcquireTranscriber(ctx, name, nil)
}

// Installed counts a transcription model as missing where the set hears nothing.
func (s *ModelSet) Installed(name string) error {
	if s.Hear == nil {
		return backend.E(backend.CodeModelNotDownloaded, name+" is not downloaded.", "Download it first.")
	}
	return nil
}

// listener is a transcription model of tests.
type listener struct {
	hear func(ctx context.Context, samples []float32) (string, error)
}

func (listener) Info() engines.Info { return engines.Info{} }

func (listener) Close() error { return nil }

func (l listener) Transcribe(
	ctx context.Context, samples []float32, _ engines.TranscribeOptions, emit func(backend.Segment) error,
) (string, error) {
	transcript, err := l.hear(ctx, samples)
	if err != nil || transcript == "" {
		return "en", err
	}
	return "en", emit(backend.Segment{Text: " " + transcript, End: float64(len(samples)) / engines.TranscriberRate})
}
