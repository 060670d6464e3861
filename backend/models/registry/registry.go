// Package registry is the list of models: their languages, voices, licence, and the exact files in the repositories of the hub.
// The built-in list is registry.json; the list of a user's own models has the same schema. The package parses and checks lists
// and chooses variants. It uses neither network nor disk.
package registry

import (
	_ "embed" // for registry.json
	"encoding/json"
	"fmt"
	"slices"
)

//go:embed registry.json
var embedded []byte

// The families of models.
const (
	Speech        = "speech"        // text to audio
	Transcription = "transcription" // audio to text
	Speakers      = "speakers"      // audio to who speaks when
)

// Branch is the only revision that is not a commit. Only files that are not pinned may have it.
const Branch = "main"

// Entry is one model of the registry (decisions.md section 2, Model status entry and Model names).
type Entry struct {
	Name        string `json:"model_name"` // such as kokoro-q8; 1 to 64 of A-Z a-z 0-9 . _ -
	DisplayName string `json:"display_name"`
	Engine      string `json:"engine"` // kokoro, supertonic, kitten, piper, pocket, chatterbox, moss, whisper, diarize
	Family      string `json:"family"` // Speech, Transcription or Speakers
	// Key is the engine's name of the model where models of one engine have different voices
	// (Piper: the voice key; KittenTTS: the size), and empty where they have the same.
	Key       string   `json:"key"`
	Note      string   `json:"note"`      // what it is good for, in about five words
	Languages []string `json:"languages"` // BCP 47, spoken or transcribed; none for Speakers, which need not know the language
	// LanguageNotes are the shortcomings of a model in some of its languages, one sentence by tag.
	LanguageNotes map[string]string `json:"language_notes,omitempty"`
	License       License           `json:"license"`
	SampleRate    int               `json:"sample_rate"` // Hz, of the audio that it produces or reads
	Voices        []Voice           `json:"voices"`      // presets; the first is the default voice
	Cloning       bool              `json:"cloning"`     // can clone the voice of a sample
	Default       bool              `json:"default"`     // the default model of its family
	// Translator is the model that translates in place of this one, which was not trained for it; empty: this one.
	Translator string    `json:"translator,omitempty"`
	Variants   []Variant `json:"variants"` // in order of preference, see Choose
}

// License is the licence of a model.
type License struct {
	Name           string `json:"name"`
	URL            string `json:"url"`
	AcceptRequired bool   `json:"accept_required"` // the user accepts it before the first download
}

// Voice is a preset voice of a model.
type Voice struct {
	ID       string `json:"id"` // the engine's name of the voice
	Name     string `json:"name"`
	Language string `json:"language"`         // BCP 47
	Gender   string `json:"gender,omitempty"` // female, male, neutral, or empty where unknown
	Grade    string `json:"grade,omitempty"`  // A to F as its authors judge it, or empty
	Usable   *bool  `json:"usable,omitempty"` // nil is true
	Reason   string `json:"reason,omitempty"` // one sentence: why it is not usable
}

// CanSpeak reports whether this build can speak with the voice.
func (v Voice) CanSpeak() bool { return v.Usable == nil || *v.Usable }

// Usable returns how many voices this build can speak with.
func (e Entry) Usable() int {
	n := 0
	for _, v := range e.Voices {
		if v.CanSpeak() {
			n++
		}
	}
	return n
}

// Variant is one set of files of a model, such as the quantised one.
type Variant struct {
	Name     string `json:"variant"` // fp32, q8, large-v3-turbo, ...
	When     When   `json:"when"`
	MemoryMB int    `json:"memory_mb"` // estimate when loaded, 1,000,000 bytes
	Files    []File `json:"files"`
	// Mirrors have the same files under the same paths. They are used only for files with a pinned hash.
	Mirrors []Mirror `json:"mirrors"`
}

// When is the condition under which a variant is chosen; zero fields match every machine.
type When struct {
	MinMemoryMB int    `json:"min_memory_mb,omitempty"` // of the machine
	OS          string `json:"os,omitempty"`            // as runtime.GOOS
	Arch        string `json:"arch,omitempty"`          // as runtime.GOARCH
}

// File is one file of a variant. Repository, revision and path determine its path in the cache. A file that the user imported
// from a disk has no repository.
type File struct {
	Repo     string `json:"repo"`     // owner/name at the hub
	Revision string `json:"revision"` // commit of 40 hex digits, or Branch where the commit is unknown
	Path     string `json:"path"`     // in the repository, with slashes
	// Bytes is the exact size where Pinned. Else it is an earlier size or 0, and the hub's headers have the exact one.
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`        // 64 hex digits where Pinned, else empty: the hub's headers have it
	MD5    string `json:"md5,omitempty"` // 32 hex digits, from Piper's catalogue
	Role   string `json:"role"`          // the engine's name of the file: graph, config, voice/af_heart, ...
	Pinned bool   `json:"pinned"`        // hash and size were verified when this list was made
}

// Mirror is another repository with the same files.
type Mirror struct {
	Repo     string `json:"repo"`
	Revision string `json:"revision"` // commit of 40 hex digits
}

// Machine is the machine for which a variant is chosen.
type Machine struct {
	MemoryMB int    // all memory, 1,000,000 bytes; 0 where unknown, which matches only variants without a minimum
	OS       string // runtime.GOOS
	Arch     string // runtime.GOARCH
}

// Load returns the models of the built-in list. Each start calls it, so only the tests check the entries.
func Load() ([]Entry, error) {
	var file struct {
		Models []Entry `json:"models"`
	}
	if err := json.Unmarshal(embedded, &file); err != nil {
		return nil, fmt.Errorf("read the built-in list of models: %w", err)
	}
	return file.Models, nil
}

// PresetID returns the preset_voice_id of a voice: its id, after `<key>#` where the model has a key (decisions.md section 2).
func (e Entry) PresetID(voice string) string {
	if e.Key == "" {
		return voice
	}
	return e.Key + "#" + voice
}

// Choose returns the first variant whose condition the machine meets. A checked entry always has one. Variants after one without
// a condition are chosen only by name. The entry must have a variant.
func (e Entry) Choose(m Machine) Variant {
	i := slices.IndexFunc(e.Variants, func(v Variant) bool { return v.When.holds(m) })
	if i < 0 {
		i = len(e.Variants) - 1
	}
	return e.Variants[i]
}

// Variant returns the variant with a name.
func (e Entry) Variant(name string) (Variant, bool) {
	i := slices.IndexFunc(e.Variants, func(v Variant) bool { return v.Name == name })
	if i < 0 {
		return Variant{}, false
	}
	return e.Variants[i], true
}

func (w When) holds(m Machine) bool {
	return m.MemoryMB >= w.MinMemoryMB &&
		(w.OS == "" || w.OS == m.OS) &&
		(w.Arch == "" || w.Arch == m.Arch)
}

// Bytes returns the known sizes of all files together.
func (v Variant) Bytes() int64 {
	var n int64
	for _, f := range v.Files {
		n += f.Bytes
	}
	return n
}

// SizeMB returns the size of all files in units of 1,000,000 bytes, rounded up.
func (v Variant) SizeMB() int { return int((v.Bytes() + 999_999) / 1_000_000) }

// Pinned reports whether hash and size of every file are fixed in the registry.
func (v Variant) Pinned() bool {
	return !slices.ContainsFunc(v.Files, func(f File) bool { return !f.Pinned })
}
