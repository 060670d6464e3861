// Package maker makes generations with the voices of the hosted service.
package maker

import (
	"context"
	"log/slog"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/speech"
)

// Store reads the rows of generations.
type Store interface {
	Generation(ctx context.Context, id string) (backend.Generation, error)
}

// Options are what a Maker is built from.
type Options struct {
	Store   Store
	Client  Client
	Encoder speech.Encoder
	Version string
	Now     func() time.Time
	NewID   func() string
	NewSeed func() int64 // 0..2^31-1
	Log     *slog.Logger
}

// Maker makes generations with the voices of the hosted service. It is safe for concurrent use.
type Maker struct {
	o     Options
	gens  *generations.Service
	synth *speech.Synthesizer
}

// New returns what makes the hosted generations of a service.
func New(gens *generations.Service, synth *speech.Synthesizer, o Options) *Maker {
	return &Maker{o: o, gens: gens, synth: synth}
}

// Unpaid returns what is still to be paid of a speech.
func (s *Maker) Unpaid(ctx context.Context, h backend.HostedSpeech) (backend.HostedSpeech, error) {
	return s.o.Client.Unpaid(ctx, h)
}
