// Package studio constructs the parts that make and change speech, and connects them.
package studio

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/hosted/maker"
	"github.com/voicewright/voicewright/backend/proof"
	"github.com/voicewright/voicewright/backend/scripts"
	"github.com/voicewright/voicewright/backend/speech"
	"github.com/voicewright/voicewright/backend/takes"
	"github.com/voicewright/voicewright/engines"
)

// Store stores profiles, generations and scripts.
type Store interface {
	generations.Store
	takes.Store
	scripts.Store
	speech.Levels
}

// Models loads models of all kinds.
type Models interface {
	speech.Models
	proof.Models
}

// Encoder converts between WAV and other formats.
type Encoder interface {
	speech.Encoder
	// StreamMono calls emit with the audio of a file as mono samples at rate Hz.
	StreamMono(ctx context.Context, path string, rate int, emit func(samples []float32) error) error
}

// Options are what a Studio is built from.
type Options struct {
	Dir          string // of the audio files
	Store        Store
	Models       Models
	Hosted       maker.Client    // nil = no hosted service
	Diarizers    proof.Diarizers // tell voices apart; nil: nothing does
	Clones       speech.Clones   // nil = no profile of a cloned voice can speak
	Encoder      Encoder
	BuiltIn      string                               // model name of the built-in engine
	BuiltInVoice func(language string) (string, bool) // the built-in voice of a BCP 47 language
	DefaultVoice func() (voice string, set bool)      // MODEL:VOICE of the settings, and whether the user chose it
	Pauses       func() backend.Pauses                // of requests without their own
	Verify       func() proof.Settings                // of proof-listening; nil = never by itself
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
	Synthesizer *speech.Synthesizer
	Generations *generations.Service
	Takes       *takes.Service
	Scripts     *scripts.Service
	Proof       *proof.Service
}

// New recovers from a crash and starts the workers. Close of the generations stops them.
func New(ctx context.Context, o Options) (*Studio, error) {
	if o.Verify == nil {
		o.Verify = func() proof.Settings {
			return proof.Settings{Model: func(string) (string, bool) { return "", false }}
		}
	}
	s := &Studio{Synthesizer: speech.NewSynthesizer(speech.SynthesizerOptions{
		Dir: o.Dir, Levels: o.Store, Models: o.Models, Clones: o.Clones, Encoder: o.Encoder, BuiltIn: o.BuiltIn, BuiltInVoice: o.BuiltInVoice,
		DefaultVoice: o.DefaultVoice, Words: o.Words, Memory: o.Memory, Unread: o.Unread, Version: o.Version,
		Now: o.Now, NewID: o.NewID, Log: o.Log,
	})}
	files, err := takes.OpenFiles(ctx, o.Store, s.Synthesizer, o.Now, o.Log)
	if err != nil {
		return nil, fmt.Errorf("recover the takes: %w", err)
	}
	var hosted *maker.Maker
	options := generations.Options{
		Dir: o.Dir, Store: o.Store, Models: o.Models, Encoder: o.Encoder, Pauses: o.Pauses, Verify: func() bool { return o.Verify().Always },
		Retention: o.Retention, Notify: o.Notify, Expired: o.Expired, Removed: files.Remove, Phonemes: o.Phonemes, QueueLimit: o.QueueLimit,
		Version: o.Version, Now: o.Now, NewID: o.NewID, NewSeed: o.NewSeed, Log: o.Log,
	}
	if o.Hosted != nil {
		options.Hosted = func(gens *generations.Service) generations.Hosted {
			hosted = maker.New(gens, s.Synthesizer, maker.Options{
				Store: o.Store, Client: o.Hosted, Encoder: o.Encoder, Version: o.Version, Now: o.Now, NewID: o.NewID, NewSeed: o.NewSeed, Log: o.Log,
			})
			return hosted
		}
	}
	if s.Generations, err = generations.New(ctx, s.Synthesizer, options); err != nil {
		return nil, err
	}
	takesOptions := takes.Options{
		Store: o.Store, Encoder: o.Encoder, Memory: o.Memory, Now: o.Now, NewID: o.NewID, NewSeed: o.NewSeed, Log: o.Log,
	}
	scriptsOptions := scripts.Options{Dir: o.Dir, Store: o.Store, Expired: o.Expired, NewID: o.NewID, Log: o.Log}
	if hosted != nil {
		takesOptions.Hosted, scriptsOptions.Hosted = hosted, hosted
	}
	s.Takes = takes.New(s.Generations, s.Synthesizer, files, takesOptions)
	s.Scripts = scripts.New(s.Generations, s.Synthesizer, scriptsOptions)
	s.Proof = proof.New(s.Generations, s.Synthesizer, proof.Options{
		Store: o.Store, Models: o.Models, Diarizers: o.Diarizers, Clones: o.Clones, Encoder: o.Encoder, Verify: o.Verify, Takes: s.Takes,
		Now: o.Now, Log: o.Log,
	})
	s.Generations.Start()
	if hosted != nil {
		hosted.Resume(ctx)
	}
	return s, nil
}

// Close accepts no new work and ends what runs, as Close of the generations says.
func (s *Studio) Close(ctx context.Context) error { return s.Generations.Close(ctx) }
