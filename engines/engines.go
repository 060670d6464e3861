// Package engines declares the interfaces of the speech engines: what an engine can do, its input, and how a model on
// disk is opened. Every implementation passes the suite in engines/enginetest.
package engines

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

// Engine is a loaded model of any family.
type Engine interface {
	Info() Info
	Close() error
}

// Speaker turns text into audio with one loaded model. Implementations are safe for concurrent use by
// Info().Concurrency callers. Speak MUST return an error that is backend.ErrCancelled within 200 ms after ctx ends,
// MUST call emit in order and never after it returned, MUST stop at emit's first error and return it, and MUST be
// deterministic on the CPU for equal Utterances where Info().Reproducible says so. Text without a speakable character
// is backend.CodeNothingToSpeak; a graph that returns NaN, Inf or silence is backend.CodeEngineFailed.
type Speaker interface {
	Engine
	Speak(ctx context.Context, u Utterance, emit func(audio.Buffer) error) error
}

// Varied is an engine whose voices can each sound like other speakers.
type Varied interface {
	// Variants returns the other speakers of voices, as voices of their own.
	Variants(voices []Voice) []Voice
}

// Info describes a loaded engine.
type Info struct {
	Engine       string // name in the registry: espeak, piper, ...
	SampleRate   int    // Hz
	Channels     int
	Languages    []string // BCP 47
	Voices       []Voice
	MinSpeed     float64 // the engine's own range; other speeds are made by time-stretching
	MaxSpeed     float64
	Pauses       Pauses      // silence between two pieces of text
	TextFeatures             // what its texts may hold besides words
	Steps        int         // of an Utterance without any; 0 where the engine has none
	Clones       *CloneRules // of a Cloner; nil for others
	Reproducible bool        // equal Utterances return equal samples
	Concurrency  int         // calls of Speak in parallel
	Device       string      // cpu, cuda:0, ...
	Placement    *Placement  // of a model that may be on a GPU; the device is then read from it. nil: it stays on Device
	Threads      int         // 0 where the engine cannot choose
	Runtimes     map[string]string
}

// Clone returns a copy whose lists a caller may change, with the present device. A GPU does one run at a time, and not the same samples
// each time.
func (i Info) Clone() Info {
	if i.Placement != nil {
		i.Device = i.Placement.Device()
		if i.Device != CPU {
			i.Concurrency = 1
		}
		if why := i.Placement.Why(); i.Device != CPU || why != nil && why.Params["reason"] == GPURun {
			i.Reproducible = false // also of what began on the GPU
		}
	}
	i.Languages, i.Voices, i.Tags = slices.Clone(i.Languages), slices.Clone(i.Voices), slices.Clone(i.Tags)
	return i
}

// TextFeatures is what an engine reads in a text besides words.
type TextFeatures struct {
	Phonemes bool     // IPA in double brackets, such as [[həlˈoʊ]]
	Digits   bool     // whole numbers; for other engines English ones are spelled out
	Tags     []string // expression tags that it plays, in its own spelling, such as <laugh>
}

// Pauses are the silences that an engine puts after a piece of text when more follows. Speak emits none after its last
// piece, so callers that join several utterances insert them.
type Pauses struct {
	Sentence time.Duration // after . ! ? … and their like
	Clause   time.Duration // after , ; :
}

// Voice is one voice of a model.
type Voice struct {
	ID       string `json:"id"` // value of Utterance.Voice
	Name     string `json:"name"`
	Language string `json:"language"` // BCP 47
	Gender   string `json:"gender,omitempty"`
	Reason   string `json:"reason,omitempty"` // why this build cannot speak with it, else empty
}

// Utterance is one chunk of text to speak.
type Utterance struct {
	Text      string
	Voice     string     // Voice.ID; empty for the first
	Language  string     // BCP 47; empty for the voice's own
	Reference *Reference // the voice to clone, in the place of Voice; only for a Cloner
	Speed     float64    // 1 is the voice's own pace; within [MinSpeed, MaxSpeed]
	Pitch     float64    // semitones, 0 is the voice's own; engines without pitch ignore it
	Seed      int64      // 0..2^31-1
	Steps     int        // denoising steps, 1..100 (usual: 2, 5, 8, 12); 0 for the engine's own choice; engines without steps ignore it
}

// Aligned is a Speaker that reports when each word is spoken. SpeakWords is Speak that also emits the words of each
// buffer, in order, with their times in seconds from the start of that buffer; no words if the model has no timing.
type Aligned interface {
	Speaker
	SpeakWords(ctx context.Context, u Utterance, emit func(audio.Buffer, []backend.Word) error) error
}

// Sentence is a list of phonemes as its model defines them: one code point each, or a cluster.
type Sentence []string

// Phonemizer turns text into phonemes, sentence by sentence. voice is the phonemizer's name of an accent (espeak-ng: en-us).
type Phonemizer interface {
	Phonemize(ctx context.Context, text, voice string) ([]Sentence, error)
}

// Pronouncer converts a piece of text without sentence punctuation to phonemes, as espeak-ng writes it: IPA with stress,
// clauses joined by one space, language flags such as (en) left in. tie joins the letters of one sound by ^, as in t^ʃ.
// voice is the name of an accent (en-us). The result is empty for text without a sound.
type Pronouncer interface {
	Pronounce(ctx context.Context, text, voice string, tie bool) (string, error)
}

// Files are the files of one model, absolute paths by role (graph, config, card, ...).
type Files map[string]string

// Description is what the files of a model say about it; reading them does not load it.
type Description struct {
	Key        string // the engine's own name of the model, such as en_US-lessac-medium; from the file name
	Name       string // shown name
	Languages  []string
	SampleRate int
	Voices     []Voice
	License    string // as the card says it, else empty
	Clones     bool   // can clone the voice of a sample
}

// Options say how a model is opened.
type Options struct {
	Threads  int    // 0 = the engine chooses
	Device   string // cpu, cuda, cuda:1, directml, coreml, ...; auto or empty for the engine's choice
	Memory   int64  // bytes of the GPU that the model may use; 0 = no limit
	Model    string // model_name of the registry; with Revision it names what Reference.Cache holds
	Revision string // commit of the model's repository, or a hash of its files, and the variant
	// Moved is called at most once, when the model is loaded or later, if it runs on the CPU in place of the GPU that Device names; nil:
	// nobody is told.
	Moved func(why *backend.Error)
}

// Driver finds and opens the models of one family.
type Driver interface {
	// Engine returns the engine's name in the registry.
	Engine() string
	// Find returns the files of the one model in path (a folder, or the main file). ok is false when path holds no
	// model of this engine; an error (model_corrupt) names the file that is missing, truncated or ambiguous.
	Find(path string) (files Files, ok bool, err error)
	// Describe reads the small files. Errors are backend.CodeModelCorrupt and name the file.
	Describe(files Files) (Description, error)
	// Open loads the model, a Speaker, a Transcriber or a Diarizer. Errors: model_corrupt, runtime_missing, out_of_memory,
	// unsupported_cpu, unsupported_gpu.
	Open(ctx context.Context, files Files, o Options) (Engine, error)
}

// Model describes a model that need not be loaded.
type Model struct {
	Name        string // model_name of the registry
	DisplayName string
	Engine      string
	Languages   []string
	Notes       map[string]string // what it does badly in a language, one sentence by tag of Languages
	Voices      []Voice
	Variants    func() []Voice // other speakers of Voices, which are found and not listed; nil: none
	Translator  string         // the model that translates in place of this one; empty: this one
	Clones      *CloneRules    // nil if it cannot clone
	Abilities
	TextFeatures
}

// Voice is Find for callers with their own error for a missing voice.
func (m Model) Voice(id string) (Voice, bool) {
	v, err := m.Find(id)
	return v, err == nil
}

// Find returns the voice with this id, the first one for an empty id. For a mixture it returns a voice with the
// canonical id (see Canonical), the language of its first voice and the gender of more than half of it. Error:
// backend.CodeNotFound, saying what is wrong with a mixture; backend.CodeEngineMismatch for a model of another
// family, and for one that speaks only with the voice of a sample.
func (m Model) Find(id string) (Voice, error) {
	if m.Transcribes || m.Diarizes {
		return Voice{}, CannotSpeak(m.Name, m.DisplayName, m.Abilities)
	}
	if v, ok := m.named(id); ok {
		return v, nil
	}
	if m.Clones != nil && len(m.Voices) == 0 {
		return Voice{}, NoReference(cmp.Or(m.DisplayName, m.Name))
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
	if m.Variants != nil {
		for _, v := range m.Variants() {
			if v.ID == id {
				return v, true
			}
		}
	}
	return Voice{}, false
}

// Abilities are what the models of an engine can do beyond speaking.
type Abilities struct {
	Mixes        bool // their voices can be mixed, see ParseMix
	Steps        bool // they take Utterance.Steps
	Multilingual bool // each voice speaks all languages of its model
	Transcribes  bool // they are Transcribers, not Speakers
	Diarizes     bool // they are Diarizers, not Speakers
}

// Able is a Driver whose models can do more than speak.
type Able interface{ Abilities() Abilities }

// Optional is a Driver whose library is not in every build. Without it, Open returns runtime_missing.
type Optional interface{ Available() bool }

// Accelerated is a Driver whose library may be built for a GPU. UsualDevice returns the device that auto means for it, as Info names it.
type Accelerated interface{ UsualDevice() string }

// TextReader is a Driver that returns what the model with this key of the registry reads in a text (Description.Key of an
// imported one) before it is loaded. A single model may read less.
type TextReader interface{ TextFeatures(key string) TextFeatures }

// Phonemized is a Driver whose models speak some languages only with the program espeak-ng, which makes their phonemes.
// NeedsEspeak reports whether language, a BCP 47 tag, is one of them. Single models may need it for fewer languages.
type Phonemized interface{ NeedsEspeak(language string) bool }

// Loaded is a model in memory, counted as in use until Release is called.
type Loaded struct {
	Speaker
	Model    string
	Revision string
	Files    []backend.FileHash
	Release  func()
	Memory   int64 // in bytes, measured or estimated; 0 if unknown
	// Spoke records how fast speech was made, in seconds of work per second of audio, and how many sentences were
	// spoken in parallel; nil if nothing records it.
	Spoke func(rtf float64, workers int)

	info *Info // that Info returns; nil: what the engine says
}

// Info implements Engine.
func (l *Loaded) Info() Info {
	if l.info != nil {
		return *l.info
	}
	return l.Speaker.Info()
}

// Described returns the model with the Info of now, for a text of many sentences: some engines look for their program at each call.
func (l *Loaded) Described() *Loaded {
	described, info := *l, l.Info()
	described.info = &info
	return &described
}
