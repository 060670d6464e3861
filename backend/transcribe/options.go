package transcribe

import (
	"context"
	"log/slog"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/backend/transcribe/finder"
	"github.com/voicewright/voicewright/engines"
)

// Store stores transcripts. Error of all that read or change one: transcript_not_found.
type Store interface {
	CreateTranscript(ctx context.Context, t backend.Transcript) (backend.Transcript, error)
	Transcript(ctx context.Context, id string) (backend.Transcript, error)
	// UpdateTranscript calls change and checks the state table in one transaction.
	UpdateTranscript(ctx context.Context, id string, change func(*backend.Transcript) error) (backend.Transcript, error)
	// EditTranscript is UpdateTranscript whose change of title, text, language, segments and warnings can be undone.
	EditTranscript(ctx context.Context, id string, change func(*backend.Transcript) error) (backend.Transcript, error)
	// RerunTranscript is EditTranscript for a rerun: updates up to the next edit, in which its speakers are found, are undone with it.
	RerunTranscript(ctx context.Context, id string, change func(*backend.Transcript) error) (backend.Transcript, error)
	// UndoTranscript undoes the last edit or rerun. Errors: nothing_to_undo, not_in_progress for a transcript in progress.
	UndoTranscript(ctx context.Context, id string) (backend.Transcript, error)
	// DeleteTranscripts deletes the rows and returns them. Unknown ids are ignored.
	DeleteTranscripts(ctx context.Context, ids []string) ([]backend.Transcript, error)
	// ExpireTranscripts is DeleteTranscripts that keeps unfinished ones.
	ExpireTranscripts(ctx context.Context, ids []string) ([]backend.Transcript, error)
	// ExpiredTranscripts returns the ids of ended transcripts from before a time, oldest first, at most limit.
	ExpiredTranscripts(ctx context.Context, before time.Time, limit int) ([]string, error)
	// RecoverTranscripts marks unfinished transcripts as failed (interrupted) and returns them.
	RecoverTranscripts(ctx context.Context) ([]backend.Transcript, error)
	// TranscriptPaths returns the path of the audio of each transcript that has one, by id.
	TranscriptPaths(ctx context.Context) (map[string]string, error)
}

// Models finds and loads models. Error of Model: model_unknown.
type Models interface {
	Model(name string) (engines.Model, error)
	// AcquireTranscriber loads a model, and downloads it first if it is missing. Errors: model_unknown, engine_mismatch,
	// license_not_accepted, those of a download and of a load.
	AcquireTranscriber(ctx context.Context, name string, phase func(backend.Status)) (*engines.LoadedTranscriber, error)
	// Installed returns why a model would have to be downloaded first, nil where it would not. Errors: model_unknown,
	// model_not_downloaded.
	Installed(name string) error
}

// Chooser returns the model of a request that names none, and whether the user has named it in the settings. last is the model
// that did the work before, which does it again where it is still installed; it may be empty.
type Chooser func(last string, o backend.TranscribeOptions) (name string, named bool)

// Codecs read files of any format as mono samples, and write others.
type Codecs interface {
	// StreamMono calls emit with the audio of a file as mono samples at rate Hz. Errors: unsupported_media, runtime_missing.
	StreamMono(ctx context.Context, path string, rate int, emit func(samples []float32) error) error
	// StreamMixed is StreamMono that calls hear, where it is not nil, with the interleaved samples of the file.
	StreamMixed(ctx context.Context, path string, rate int, hear audio.Listener, emit func(samples []float32) error) error
	// Ready returns an error when files of the format cannot be written.
	Ready(ctx context.Context, format string) error
	Encode(ctx context.Context, from, to, format string, meta map[string]string) error
}

// Generations finds speech that was generated. Error: generation_not_found.
type Generations interface {
	Generation(ctx context.Context, id string) (backend.Generation, error)
}

// Recordings finds recordings of the microphone. Errors: not_found, recording_busy while it is being made.
type Recordings interface {
	// RecordingFile returns the path of the audio of a recording.
	RecordingFile(ctx context.Context, id string) (string, error)
	// DeleteRecording deletes a recording whose audio a transcript has stored.
	DeleteRecording(ctx context.Context, id string) error
}

// Options are what a Service is built from.
type Options struct {
	Dir          string // of the audio files
	Store        Store
	Models       Models
	Diarizers    finder.Diarizers // nil = no speakers are found
	Known        finder.Known     // who is recognised; nil = nobody
	Codecs       Codecs
	Detector     engines.SpeechDetector
	Generations  Generations
	Recordings   Recordings                 // nil where there are none
	DefaultModel Chooser                    // of requests without a model
	SpeakerPace  func() backend.SpeakerPace // of searches for speakers that name none; nil = thorough
	MaxHours     func() float64             // how many hours of audio are transcribed at most; nil = any number
	Free         files.FreeSpace            // of the disk of Dir; nil = not looked at
	Retention    func() time.Duration       // the age at which transcripts are deleted, negative = never
	Notify       func(backend.Transcript)   // called after every change; may be nil
	Expired      func(n int)                // called with the number of transcripts that the retention deleted; may be nil
	QueueLimit   int                        // how many may wait
	Now          func() time.Time
	NewID        func() string
	Log          *slog.Logger
}
