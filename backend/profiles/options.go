package profiles

import (
	"context"
	"log/slog"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
)

// Store stores profiles and their samples. Errors: profile_not_found, name_taken, sample_not_found.
type Store interface {
	Create(ctx context.Context, p backend.Profile) (backend.Profile, error)
	Profile(ctx context.Context, id string) (backend.Profile, error)
	UpdateProfile(ctx context.Context, id string, patch backend.ProfilePatch) (backend.Profile, error)
	DeleteProfile(ctx context.Context, id string) error
	ProfileByName(ctx context.Context, name string) (backend.Profile, error)

	// CreateWithSamples stores a profile, its samples and the consent in one transaction.
	CreateWithSamples(ctx context.Context, p backend.Profile, samples []backend.Sample, c backend.Consent) (backend.Profile, error)
	// AddSample stores a sample and the consent, and makes the profile a cloned one.
	AddSample(ctx context.Context, s backend.Sample, c backend.Consent) error
	Samples(ctx context.Context, profileID string) ([]backend.Sample, error) // oldest first
	Sample(ctx context.Context, profileID, id string) (backend.Sample, error)
	// UpdateSample stores the transcript and the warnings that change sets.
	UpdateSample(ctx context.Context, profileID, id string, change func(*backend.Sample)) (backend.Sample, error)
	DeleteSample(ctx context.Context, profileID, id string) error
	SampleIDs(ctx context.Context) (map[string][]string, error) // by profile
}

// Models finds models by name and by preset voice. Errors: model_unknown, not_found for an invalid mixture of voices.
type Models interface {
	Model(name string) (engines.Model, error)
	ModelOf(engine, voiceID string) (engines.Model, error)
	Status(ctx context.Context) []backend.ModelStatus // of all models, in the order of the registry
	Forget(key string)                                // removes what loaded models have in memory of a reference
}

// Codecs read files of any format. DecodeStart decodes at most the first limit of a file, at its own rate and channels, and
// returns the duration of all of it. Errors: unsupported_media, runtime_missing, not_found.
type Codecs interface {
	DecodeStart(ctx context.Context, path string, limit time.Duration) (sound audio.Buffer, longer bool, err error)
}

// Recordings finds recordings of the microphone. Errors: not_found, recording_busy while it is being made.
type Recordings interface {
	RecordingFile(ctx context.Context, id string) (string, error)
}

// Options are what a Service is built from.
type Options struct {
	Dir        string // of the samples: a folder for each cloned profile
	Store      Store
	Models     Models
	Codecs     Codecs
	Detector   engines.SpeechDetector
	Diarizers  Diarizers  // nil: voices are told apart by their pitch
	Recordings Recordings // nil where there are none
	// Listen returns what an installed transcription model hears in mono audio. Error: model_not_downloaded where none is
	// installed.
	Listen func(ctx context.Context, sound audio.Buffer, language string) (string, error)
	User   func() string // the name of the user's account
	Hosted func() bool   // reports whether a hosted service is set up; nil: never
	// HostedVoice returns the voice and the model of a hosted profile as the service writes them. Error: hosted_model_unknown. Nil:
	// they are not checked.
	HostedVoice func(ctx context.Context, voice, model string) (ownVoice, ownModel string, err error)
	Changed     func() // called after each change; may be nil
	Now         func() time.Time
	NewID       func() string
	Log         *slog.Logger
}
