// Package local speaks with the engines of this program: espeak-ng and Piper as ProviderC, Kokoro as ProviderB, Supertonic as
// ProviderA. A text is planned, spoken in sentences and joined as the app does it.
//
// Of the settings only the speed has an effect: the engines have nothing like stability, similarity or speaker boost, and each
// voice always speaks its own language, which is what language_override asks for. Audio tags that an engine does not play are
// left out; markup of the app, such as [pause 1s], works.
package local

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/providers"
	"github.com/voicewright/voicewright/engines"
)

// Models are the models of this machine.
type Models interface {
	// Status returns all models, with those that were downloaded meanwhile.
	Status(ctx context.Context) []backend.ModelStatus
	// Model describes a model or the built-in engine. Error: model_unknown.
	Model(name string) (engines.Model, error)
	// BuiltIn returns the name of the built-in engine.
	BuiltIn() string
	// AcquireDownloaded loads a model. Errors: model_not_downloaded, runtime_missing, out_of_memory, cancelled.
	AcquireDownloaded(ctx context.Context, name string) (*engines.Loaded, error)
}

// Options are what a Provider is built from.
type Options struct {
	Provider service.ProviderID
	Models   Models
	Cores    *Cores                              // shared by all providers of the process
	Memory   func() (total, free int64, ok bool) // of the machine, in bytes
	Pauses   backend.Pauses                      // the silences that follow the structure of a text
	NewSeed  func() int64                        // 0..2^31-1
	Now      func() time.Time
}

// Provider speaks with the engines of one provider. It is safe for concurrent use.
type Provider struct {
	o Options

	mu     sync.Mutex
	listed []voice
	at     time.Time // when listed was made
}

var _ service.Provider = (*Provider)(nil)

// New returns a Provider.
func New(o Options) *Provider { return &Provider{o: o} }

// Speak speaks the turns one after another, each at the usual loudness. Errors: *service.Error 400 for a text without anything
// that its voice can speak, and for one that gives only silence; 503 PROVIDER_BUSY when memory is short; that of ctx; others when
// an engine fails.
func (p *Provider) Speak(ctx context.Context, s service.Speech) (audio.Buffer, error) {
	var turns []audio.Buffer
	err := backend.Contain(func() error {
		for _, turn := range s.Turns {
			sound, err := p.speakTurn(ctx, turn, s.Settings.Speed)
			if errors.Is(err, errNothing) {
				continue
			}
			if err != nil {
				return err
			}
			turns = append(turns, sound)
		}
		return nil
	})
	switch {
	case ctx.Err() != nil:
		return audio.Buffer{}, ctx.Err()
	case err != nil:
		return audio.Buffer{}, p.answer(err)
	case len(turns) == 0:
		return audio.Buffer{}, errNothingToSpeak()
	case len(turns) == 1:
		return turns[0], nil
	}
	return providers.Join(turns)
}

// busyFor is how long callers wait when memory is short: models that nobody uses are unloaded meanwhile.
const busyFor = 10 * time.Second

// answer returns the error of a call.
func (p *Provider) answer(err error) error {
	var answered *service.Error
	switch {
	case errors.As(err, &answered):
		return err
	case backend.CodeOf(err) == backend.CodeOutOfMemory:
		return providers.Busy(busyFor)
	case errors.Is(err, engines.ErrSilent): // such as letters that espeak-ng does not know
		return providers.Refused(err)
	}
	return fmt.Errorf("speak with %s: %w", p.o.Provider, err)
}

// errNothing says that a turn has nothing that its voice can speak.
var errNothing = errors.New("nothing to speak")

func errNothingToSpeak() error {
	return errBadRequest("The text has nothing that this voice can speak. Write some words in its language.")
}

func errBadRequest(sentence string) error {
	return &service.Error{Status: http.StatusBadRequest, Sentence: sentence}
}
