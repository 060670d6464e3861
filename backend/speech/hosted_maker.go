package speech

import (
	"context"
	"log/slog"
	"time"

	"github.com/voicewright/voicewright/backend"
)

// HostedMakerOptions are what a HostedMaker is built from.
type HostedMakerOptions struct {
	Client  Hosted
	Encoder Encoder
	Version string
	Now     func() time.Time
	NewID   func() string
	NewSeed func() int64 // 0..2^31-1
	Log     *slog.Logger
}

// HostedMaker makes generations with the voices of the hosted service. It is safe for concurrent use.
type HostedMaker struct {
	o     HostedMakerOptions
	gens  *Service
	synth *Synthesizer
}

// NewHostedMaker returns what makes the hosted generations of a service.
func NewHostedMaker(gens *Service, synth *Synthesizer, o HostedMakerOptions) *HostedMaker {
	return &HostedMaker{o: o, gens: gens, synth: synth}
}

// unpaid returns what is still to be paid of a speech.
func (s *HostedMaker) unpaid(ctx context.Context, h backend.HostedSpeech) (backend.HostedSpeech, error) {
	return s.o.Client.Unpaid(ctx, h)
}
