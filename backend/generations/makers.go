package generations

import (
	"context"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/speech"
)

// maker makes the audio of generations: with engines on this machine, or with the hosted service.
type maker interface {
	// Prepare returns the job of a request, whose text was checked. Errors: those of Submit.
	Prepare(ctx context.Context, r Request, profile backend.Profile) (*Job, error)
	// Run makes the audio of an accepted job and stores it with its row. Errors: why it was not made.
	Run(ctx context.Context, j *Job) error
	// Level returns the level at which a job is heard before its audio is complete; sound is nil where there is nothing to measure.
	Level(ctx context.Context, j *Job, sound speech.Sound) (speech.Level, error)
	// Recorded returns the job of an ended generation, as far as its listeners need it, and Replay lets them hear what is kept of it.
	Recorded(ctx context.Context, g backend.Generation) (*Job, error)
	Replay(ctx context.Context, j *Job) error
	// Spoken returns how a job will be spoken.
	Spoken(ctx context.Context, j *Job) (Spoken, error)
	// Preview returns a short sentence in the voice of a profile as a WAV file.
	Preview(ctx context.Context, profile backend.Profile) ([]byte, error)
}

// Hosted is the maker with the voices of the hosted service, which costs credits.
type Hosted interface {
	maker
	// Check applies the rules of the service to speeches together. accepted is the price that the user has accepted.
	Check(ctx context.Context, accepted *int64, speeches []backend.HostedSpeech) error
	// Quote returns the price of speeches together.
	Quote(ctx context.Context, speeches []backend.HostedSpeech, accepted *int64) (backend.HostedQuote, error)
	// Unpaid returns what is still to be paid of a speech.
	Unpaid(ctx context.Context, h backend.HostedSpeech) (backend.HostedSpeech, error)
	// Forget removes what is kept of a deleted generation.
	Forget(ctx context.Context, generation string)
}

// Makers choose what makes a request.
type Makers struct {
	local  *localMaker
	hosted Hosted // nil without a hosted service
}

// Prepare checks a request and returns its job with the row to store.
func (m *Makers) Prepare(ctx context.Context, r Request, profile backend.Profile) (*Job, error) {
	if tag, ok := backend.CanonicalLanguage(r.Language); ok {
		r.Language = tag
	}
	spoken := strings.TrimSpace(r.Text)
	if err := speech.CheckText(spoken); err != nil {
		return nil, err
	}
	maker, err := m.of(r, profile)
	if err != nil {
		return nil, err
	}
	j, err := maker.Prepare(ctx, r, profile)
	if err != nil {
		return nil, err
	}
	j.behind = r.Behind
	return j, nil
}

// of returns what makes a request. Error: hosted_not_configured.
func (m *Makers) of(r Request, profile backend.Profile) (maker, error) {
	if _, _, hosted := HostedVoice(r, profile); !hosted {
		return m.local, nil
	}
	if m.hosted == nil {
		return nil, ErrNoHosted
	}
	return m.hosted, nil
}

// HostedChange is a change of the text of a hosted generation.
type HostedChange struct {
	From   []int                  // the old part that each new one keeps, -1 for one that is paid
	Unpaid []backend.HostedSpeech // what is paid for
	Quote  *backend.HostedQuote   // its price
}

// CheckHosted applies the rules of the hosted service to jobs together, so that a refused request leaves no row.
func (m *Makers) CheckHosted(ctx context.Context, accepted *int64, jobs ...*Job) error {
	return m.CheckSpeeches(ctx, accepted, SpeechesOf(jobs))
}

// CheckSpeeches is CheckHosted for what is to be spoken.
func (m *Makers) CheckSpeeches(ctx context.Context, accepted *int64, speeches []backend.HostedSpeech) error {
	if len(speeches) == 0 {
		return nil
	}
	return m.hosted.Check(ctx, accepted, speeches)
}

// Quote returns the price of speeches together.
func (m *Makers) Quote(ctx context.Context, speeches []backend.HostedSpeech, accepted *int64) (backend.HostedQuote, error) {
	if len(speeches) == 0 {
		return backend.HostedQuote{Credits: new(int64)}, nil
	}
	return m.hosted.Quote(ctx, speeches, accepted)
}
