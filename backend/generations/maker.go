package generations

import (
	"context"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/speech"
)

// Maker makes the audio of generations: with engines on this machine, or with the hosted service.
type maker interface {
	// Prepare returns the job of a request, whose text was checked. Errors: those of Submit.
	Prepare(ctx context.Context, r Request, profile backend.Profile) (*Job, error)
	// Run makes the audio of an accepted job and stores it with its row. Errors: why it was not made.
	Run(ctx context.Context, j *Job) error
	// Level returns the level at which a job is heard before its audio is complete; made is nil where there is nothing to measure.
	Level(ctx context.Context, j *Job, made speech.Sound) (speech.Level, error)
	// Recorded returns the job of an ended generation, as far as its listeners need it, and Replay lets them hear what is kept of it.
	Recorded(ctx context.Context, g backend.Generation) (*Job, error)
	Replay(ctx context.Context, j *Job) error
	// Spoken returns how a job will be spoken.
	Spoken(ctx context.Context, j *Job) (Spoken, error)
	// Preview returns a short sentence in the voice of a profile as a WAV file.
	Preview(ctx context.Context, profile backend.Profile) ([]byte, error)
}

// Hosted is the Maker with the voices of the hosted service, which costs credits.
type Hosted interface {
	maker
	// Check applies the rules of the service to speeches together. accepted is the price that the user has accepted.
	Check(ctx context.Context, accepted *int64, speeches []backend.HostedSpeech) error
	// Quote returns the price of speeches together.
	Quote(ctx context.Context, speeches []backend.HostedSpeech, accepted *int64) (backend.HostedQuote, error)
	// Forget removes what is kept of a deleted generation.
	Forget(ctx context.Context, generation string)
}

// HostedChange is a change of the text of a hosted generation.
type HostedChange struct {
	From   []int                  // the old part that each new one keeps, -1 for one that is paid
	Unpaid []backend.HostedSpeech // what is paid for
	Quote  *backend.HostedQuote   // its price
}
