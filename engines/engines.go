// Package engines holds the contracts between the studio and the programs that make sound:
// what a speech engine promises, what it is asked, and how a model on disk becomes one.
// Every implementation passes the suite in engines/enginetest.
package engines

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

// Speaker turns text into audio with one loaded model. Implementations are safe for concurrent use
// by Info().Concurrency callers. Speak MUST return an error that is backend.ErrCancelled within 200 ms after
// ctx ends, MUST call emit in order and never after it returned, MUST stop at emit's first error and return it,
// and MUST be deterministic on the CPU for equal Utterances where Info().Reproducible says so.
// Text without a speakable character is backend.CodeNothingToSpeak; a graph that gives NaN, Inf or
// silence is backend.CodeEngineFailed.
type Speaker interface {
	Info() Info
	Speak(ctx context.Context, u Utterance, emit func(audio.Buffer) error) error
	Close() error
}

// Info says what a loaded engine is and can do.
type Info struct {
	Engine       string // registry word: espeak, piper, ...
	SampleRate   int    // Hz
	Channels     int
	Languages    []string // BCP 47
	Voices       []Voice
	MinSpeed     float64 // the engine's own range; speed outside it is made by time-stretch
	MaxSpeed     float64
	Pauses       Pauses // what the engine puts between two pieces of text
	TextFeatures        // what its texts may hold beside words
	Steps        int    // of an Utterance without any; 0 where the engine has none
	Reproducible bool   // the same Utterance gives the same samples
	Concurrency  int    // callers at once
	Device       string // cpu, cuda:0, ...
	Threads      int    // 0 where the engine has no say
	Runtimes     map[string]string
}

// Clone returns a copy whose lists a caller may change.
func (i Info) Clone() Info {
	i.Languages, i.Voices, i.Tags = slices.Clone(i.Languages), slices.Clone(i.Voices), slices.Clone(i.Tags)
	return i
}

// TextFeatures is what an engine reads in a text beside words.
type TextFeatures struct {
	Phonemes bool     // IPA in double brackets, such as [[həlˈoʊ]]
	Digits   bool     // whole numbers; for other engines English ones are spelled out
	Tags     []string // the marks of expression that it plays, as it writes them, such as <laugh>
}

// Pauses are the silences that an engine puts after a piece of text when more follows. Speak emits none after its last piece,
// so who joins several utterances puts them between.
type Pauses struct {
	Sentence time.Duration // after . ! ? … and their like
	Clause   time.Duration // after , ; :
}

// Voice is one voice of a model.
type Voice struct {
	ID       string `json:"id"` // what Utterance.Voice takes
	Name     string `json:"name"`
	Language string `json:"language"` // BCP 47
	Gender   string `json:"gender,omitempty"`
	Reason   string `json:"reason,omitempty"` // why this build cannot speak with it, else empty
}

// Utterance is one chunk of text to speak.
type Utterance struct {
	Text     string
	Voice    string  // Voice.ID; empty for the first
	Language string  // BCP 47; empty for the voice's own
	Speed    float64 // 1 is the voice's own pace; within [MinSpeed, MaxSpeed]
	Pitch    float64 // semitones, 0 is the voice's own; engines without pitch ignore it
	Seed     int64   // 0..2^31-1
	Steps    int     // denoising steps, 1..100 (usual: 2, 5, 8, 12); 0 for the engine's own choice; engines without steps ignore it
}

// Aligned is a Speaker that can tell when each word sounds. SpeakWords is Speak with the words of each buffer beside it, in
// order, their times in seconds from the start of that buffer; a model that does not tell gives none.
type Aligned interface {
	Speaker
	SpeakWords(ctx context.Context, u Utterance, emit func(audio.Buffer, []backend.Word) error) error
}

// Sentence is a list of phonemes in the sense of the model that is fed with them: one code point each,
// or a cluster.
type Sentence []string

// Phonemizer turns text into phonemes, sentence by sentence. voice is the phonemizer's own word for an accent
// (espeak-ng: en-us).
type Phonemizer interface {
	Phonemize(ctx context.Context, text, voice string) ([]Sentence, error)
}

// Pronouncer converts a piece of text without sentence punctuation to phonemes, as espeak-ng writes it: IPA with stress,
// clauses joined by one space, language flags such as (en) left in. tie joins the letters of one sound by ^, as in t^ʃ.
// voice is the word for an accent (en-us). Text without a sound gives an empty string.
type Pronouncer interface {
	Pronounce(ctx context.Context, text, voice string, tie bool) (string, error)
}

// Files are the files of one model, absolute paths by role (graph, config, card, ...).
type Files map[string]string

// Description is what the files of a model say about it without loading it.
type Description struct {
	Key        string // the engine's own name of the model, such as en_US-lessac-medium; from the file name
	Name       string // shown name
	Languages  []string
	SampleRate int
	Voices     []Voice
	License    string // as the card says it, else empty
}

// Options say how a model is opened.
type Options struct {
	Threads int    // 0 = the engine chooses
	Device  string // cpu, or auto or empty for the engine's choice
}

// Driver knows one family of models: how its files look and how to open them.
type Driver interface {
	// Engine is the registry word.
	Engine() string
	// Find returns the files of the one model in path (a folder, or the main file). ok is false when path does not
	// look like this engine at all; an error (model_corrupt) names the file that is missing, truncated or doubled.
	Find(path string) (files Files, ok bool, err error)
	// Describe reads the small files. Errors are backend.CodeModelCorrupt and name the file.
	Describe(files Files) (Description, error)
	// Open loads the model. Errors: model_corrupt, runtime_missing, out_of_memory, unsupported_gpu.
	Open(ctx context.Context, files Files, o Options) (Speaker, error)
}

// Model is what the studio knows about a model before it is loaded.
type Model struct {
	Name        string // model_name of the registry
	DisplayName string
	Engine      string
	Languages   []string
	Voices      []Voice
	Abilities
	TextFeatures
}

// Voice is Find for those who have their own words for a missing voice.
func (m Model) Voice(id string) (Voice, bool) {
	v, err := m.Find(id)
	return v, err == nil
}

// Find returns the voice with this id, the first one for an empty id. For a mixture it is one with the id that Canonical gives,
// with the language of its first voice and the gender of more than half of it. Error: backend.CodeNotFound, which says what is wrong with a mixture.
func (m Model) Find(id string) (Voice, error) {
	if v, ok := m.named(id); ok {
		return v, nil
	}
	if !m.Mixes || len(m.Voices) == 0 {
		return Voice{}, NoVoice(cmp.Or(m.DisplayName, m.Name), id, m.Voices)
	}
	mix, err := ParseMix(id)
	if err != nil {
		return Voice{}, err
	}
	mixed := Voice{ID: mix.String()}
	genders := map[string]float64{}
	for i, share := range mix {
		v, ok := m.named(share.Voice)
		switch {
		case !ok:
			return Voice{}, NoVoice(cmp.Or(m.DisplayName, m.Name), share.Voice, m.Voices)
		case len(mix) == 1:
			return v, nil
		case i == 0:
			mixed.Name, mixed.Language, mixed.Reason = v.Name, v.Language, v.Reason
		default:
			mixed.Name += " + " + v.Name
			mixed.Reason = cmp.Or(mixed.Reason, v.Reason)
		}
		if genders[v.Gender] += share.Part; genders[v.Gender] > 0.5 {
			mixed.Gender = v.Gender
		}
	}
	return mixed, nil
}

// named returns the voice with exactly this id, the first one for an empty id.
func (m Model) named(id string) (Voice, bool) {
	for _, v := range m.Voices {
		if v.ID == id || id == "" {
			return v, true
		}
	}
	return Voice{}, false
}

// Abilities are what the models of an engine can do beyond speaking.
type Abilities struct {
	Mixes        bool // their voices can be mixed, see ParseMix
	Steps        bool // they take Utterance.Steps
	Multilingual bool // each voice speaks all languages of its model
}

// Able is a Driver whose models can do more than speak.
type Able interface{ Abilities() Abilities }

// TextReader is a Driver that knows before a model is loaded what its engine reads. A single model may read less.
type TextReader interface{ TextFeatures() TextFeatures }

// Loaded is a model in memory, counted as in use until Release is called.
type Loaded struct {
	Speaker
	Model    string
	Revision string
	Files    []backend.FileHash
	Release  func()
	Memory   int64 // bytes that it takes, as measured or estimated; 0 where that is not known
	// Spoke takes how fast it was, in seconds of work per second of sound, and how many sentences were spoken side by side;
	// nil where nobody keeps that.
	Spoke func(rtf float64, workers int)
}
