package speech

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

// Store stores profiles, generations and scripts.
type StudioStore interface {
	Store
	TakesStore
	ScriptsStore
	Levels
}

// StudioModels loads models of all kinds.
type StudioModels interface {
	Models
	Listeners
}

// StudioEncoder converts between WAV and other formats.
type StudioEncoder interface {
	Encoder
	// StreamMono calls emit with the audio of a file as mono samples at rate Hz.
	StreamMono(ctx context.Context, path string, rate int, emit func(samples []float32) error) error
}

// StudioOptions are what a Studio is built from.
type StudioOptions struct {
	Dir          string // of the audio files
	Store        StudioStore
	Models       StudioModels
	Hosted       Hosted // nil = no hosted service
	Clones       Clones // nil = no profile of a cloned voice can speak
	Encoder      StudioEncoder
	BuiltIn      string                               // model name of the built-in engine
	BuiltInVoice func(language string) (string, bool) // the built-in voice of a BCP 47 language
	DefaultVoice func() (voice string, set bool)      // MODEL:VOICE of the settings, and whether the user chose it
	Pauses       func() backend.Pauses                // of requests without their own
	Verify       func() VerifyOptions                 // of proof-listening; nil = never by itself
	Retention    func() time.Duration                 // the age at which history is deleted, negative = never
	Notify       func(backend.Generation)             // called after every change; may be nil
	Expired      func(n int)                          // called with the number of generations that were deleted by themselves; may be nil
	Words        func(context.Context) ([]backend.Pronunciation, error)
	Memory       func() (total, free int64, ok bool) // bytes
	// Phonemes returns the phonemes of a text for an engine, in IPA or its own symbols.
	Phonemes func(ctx context.Context, engine, language, text string) (string, error)
	// Unread reports whether a model cannot pronounce characters of another script, or symbols.
	Unread     func(ctx context.Context, model engines.Model, language, characters string) (bool, error)
	QueueLimit int // how many may wait
	Version    string
	Now        func() time.Time
	NewID      func() string
	NewSeed    func() int64 // 0..2^31-1
	Log        *slog.Logger
}

// Studio is all that makes and changes speech.
type Studio struct {
	Synthesizer *Synthesizer
	Generations *Service
	Takes       *Takes
	Scripts     *Scripts
	Proof       *Proof
}

// OpenStudio recovers from a crash and starts the workers. Close of the generations stops them.
func OpenStudio(ctx context.Context, o StudioOptions) (*Studio, error) {
	if o.Verify == nil {
		o.Verify = func() VerifyOptions { return VerifyOptions{Model: func(string) (string, bool) { return "", false }} }
	}
	s := &Studio{Synthesizer: NewSynthesizer(SynthesizerOptions{
		Dir: o.Dir, Levels: o.Store, Models: o.Models, Clones: o.Clones, Encoder: o.Encoder, BuiltIn: o.BuiltIn, BuiltInVoice: o.BuiltInVoice,
		DefaultVoice: o.DefaultVoice, Words: o.Words, Memory: o.Memory, Unread: o.Unread, Version: o.Version, Now: o.Now, NewID: o.NewID, Log: o.Log,
	})}
	files, err := newTakesFiles(ctx, o.Store, s.Synthesizer, o.Now, o.Log)
	if err != nil {
		return nil, fmt.Errorf("recover the takes: %w", err)
	}
	var hosted *HostedMaker
	options := ServiceOptions{
		Dir: o.Dir, Store: o.Store, Models: o.Models, Encoder: o.Encoder, Pauses: o.Pauses, Verify: func() bool { return o.Verify().Always },
		Retention: o.Retention, Notify: o.Notify, Expired: o.Expired, Removed: files.Remove, Phonemes: o.Phonemes, QueueLimit: o.QueueLimit,
		Version: o.Version, Now: o.Now, NewID: o.NewID, NewSeed: o.NewSeed, Log: o.Log,
	}
	if o.Hosted != nil {
		options.Hosted = func(gens *Service) HostedVoices {
			hosted = NewHostedMaker(gens, s.Synthesizer, HostedMakerOptions{
				Client: o.Hosted, Encoder: o.Encoder, Version: o.Version, Now: o.Now, NewID: o.NewID, NewSeed: o.NewSeed, Log: o.Log,
			})
			return hosted
		}
	}
	if s.Generations, err = NewService(ctx, s.Synthesizer, options); err != nil {
		return nil, err
	}
	s.Takes = NewTakes(s.Generations, s.Synthesizer, files, TakesOptions{
		Store: o.Store, Encoder: o.Encoder, Memory: o.Memory, Hosted: hosted, Now: o.Now, NewID: o.NewID, NewSeed: o.NewSeed, Log: o.Log,
	})
	s.Scripts = NewScripts(s.Generations, s.Synthesizer, ScriptsOptions{
		Dir: o.Dir, Store: o.Store, Hosted: hosted, Expired: o.Expired, NewID: o.NewID, Log: o.Log,
	})
	s.Proof = NewProof(s.Generations, s.Synthesizer, ProofOptions{
		Store: o.Store, Models: o.Models, Clones: o.Clones, Encoder: o.Encoder, Verify: o.Verify, Takes: s.Takes, Now: o.Now, Log: o.Log,
	})
	s.Generations.Start()
	if hosted != nil {
		hosted.Resume(ctx, s.Takes.ResumeHosted)
	}
	return s, nil
}

// Close accepts no new work and ends what runs, as Close of the generations says.
func (s *Studio) Close(ctx context.Context) error { return s.Generations.Close(ctx) }
