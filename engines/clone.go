package engines

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

// Reference is the recording whose voice a Cloner speaks with: one speaker, without silence at its ends.
type Reference struct {
	Key   string // SHA-256 of the samples in hex; references with equal keys sound alike
	Cache string // folder in which models store what they compute from it; empty: nowhere
	// Audio returns the recording: mono, at any rate, as long as the rules of the model allow. It is called only where
	// nothing is stored. Errors: backend.CodeSampleNotFound.
	Audio func(ctx context.Context) (audio.Buffer, error)
}

// CloneRules are the lengths of a reference that a model can use, in seconds.
type CloneRules struct {
	Over    float64 // it must be longer than this; 0: any length
	Longest float64 // what is beyond is not used; 0: no limit
}

// Cloner is a Speaker that speaks with the voice of Utterance.Reference. Speak prepares a reference once, however many
// callers ask for it at the same time, and keeps it in memory and in Reference.Cache. Without a reference it speaks with
// Utterance.Voice, or returns backend.CodeEngineMismatch if it has no voices. Info().Clones is never nil.
type Cloner interface {
	Speaker
	// Forget removes a reference from memory. Files in Reference.Cache are their owner's.
	Forget(key string)
}

// CloneDriver is a Driver whose models clone voices. CloneRules returns the rules of the model with this key of the
// registry (Description.Key of an imported one); ok is false if that model cannot clone.
type CloneDriver interface {
	CloneRules(key string) (rules CloneRules, ok bool)
}

// ReasonNoSample is params.reason of an error about a cloned voice without a sample.
const ReasonNoSample = "no_sample"

// ReasonShortSamples is params.reason of an error about samples that are shorter than a model needs.
const ReasonShortSamples = "short_samples"

// NoReference returns the error about a model that speaks only with the voice of a sample, and got none.
// Code: backend.CodeEngineMismatch with params.reason "no_sample".
func NoReference(model string) *backend.Error {
	return backend.E(backend.CodeEngineMismatch, model+" speaks with the voice of a sample, and there is none.",
		"Choose a profile that has a sample of the voice, or add one to it.").With("reason", ReasonNoSample)
}

// runaway is params.reason of Runaway.
const runaway = "runaway"

// Runaway returns the error about speech that the model did not end within the limit for its text.
// Code: backend.CodeEngineFailed with params.reason "runaway".
func Runaway(stage string, limit int) *backend.Error {
	return backend.E(backend.CodeEngineFailed, "The speech model did not find the end of a sentence.",
		"Regenerate it, or divide the sentence into shorter ones.").With("stage", stage).With("reason", runaway).
		WithCause(fmt.Errorf("%s reached the limit of %d steps without an end", stage, limit))
}

// IsRunaway reports whether err is a Runaway, which another seed may avoid.
func IsRunaway(err error) bool {
	var e *backend.Error
	return errors.As(err, &e) && e.Code == backend.CodeEngineFailed && e.Params["reason"] == runaway
}

// WithReference returns a Speaker that speaks every utterance with the voice of a reference.
func WithReference(c Cloner, ref *Reference) Speaker { return withReference{c, ref} }

type withReference struct {
	Cloner
	ref *Reference
}

func (w withReference) Speak(ctx context.Context, u Utterance, emit func(audio.Buffer) error) error {
	u.Voice, u.Reference = "", w.ref
	return w.Cloner.Speak(ctx, u, emit)
}

// Note returns what a model does badly in a language, one sentence; empty where nothing is known.
func (m Model) Note(language string) string {
	for tag, note := range m.Notes {
		if SameLanguage(language, tag) {
			return note
		}
	}
	return ""
}

// Speaks reports whether a model speaks a language, whatever the country.
func (m Model) Speaks(language string) bool {
	return slices.ContainsFunc(m.Languages, func(tag string) bool { return SameLanguage(language, tag) })
}
