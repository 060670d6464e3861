// Package registry is the list of models that Voicewright knows: what each one speaks or hears, under which
// licence, and exactly which files of which hub repository make it up. The list of the program is registry.json;
// a user's own models have the same schema. The package reads, checks and chooses; it touches no network and no disk.
package registry

import (
	_ "embed" // for registry.json
	"slices"
)

//go:embed registry.json
var embedded []byte

// The families of models.
const (
	Speech        = "speech"        // text to sound
	Transcription = "transcription" // sound to text
)

// Branch is the one revision that is not a commit; only files that are not pinned may have it.
const Branch = "main"

// Entry is one model of the registry (decisions.md section 2, Model status entry and Model names).
type Entry struct {
	Name        string `json:"model_name"` // such as kokoro-q8; 1 to 64 of A-Z a-z 0-9 . _ -
	DisplayName string `json:"display_name"`
	Engine      string `json:"engine"` // kokoro, supertonic, kitten, piper, pocket, chatterbox, moss, whisper
	Family      string `json:"family"` // Speech or Transcription
	// Key is the engine's own name of the model where its voices differ from those of its siblings
	// (Piper: the voice key; KittenTTS: the size), and empty where they are the same.
	Key        string    `json:"key"`
	Note       string    `json:"note"`      // what it is good for, in five words
	Languages  []string  `json:"languages"` // BCP 47, those that can be spoken or heard
	License    License   `json:"license"`
	SampleRate int       `json:"sample_rate"` // Hz, of the sound that it makes or hears
	Voices     []Voice   `json:"voices"`      // presets; the first is the default voice
	Cloning    bool      `json:"cloning"`     // speaks with a voice that is given by a sample
	Default    bool      `json:"default"`     // the first choice of its family
	Variants   []Variant `json:"variants"`    // in order of preference, see Choose
}

// License says what a model may be used for.
type License struct {
	Name           string `json:"name"`
	URL            string `json:"url"`
	AcceptRequired bool   `json:"accept_required"` // the user accepts it before the first download
}

// Voice is a preset voice of a model.
type Voice struct {
	ID       string `json:"id"` // what the engine takes
	Name     string `json:"name"`
	Language string `json:"language"`         // BCP 47
	Gender   string `json:"gender,omitempty"` // female, male, neutral, or empty where it is not known
	Grade    string `json:"grade,omitempty"`  // A to F as its makers judge it, or empty
	Usable   *bool  `json:"usable,omitempty"` // nil is true
	Reason   string `json:"reason,omitempty"` // one sentence: why it is not usable
}

// CanSpeak says whether this build can speak with the voice.
func (v Voice) CanSpeak() bool { return v.Usable == nil || *v.Usable }

// Usable is how many voices this build can speak with.
func (e Entry) Usable() int {
	n := 0
	for _, v := range e.Voices {
		if v.CanSpeak() {
			n++
		}
	}
	return n
}

// Variant is one set of files that makes up a model, such as its quantised form.
type Variant struct {
	Name     string `json:"variant"` // fp32, q8, large-v3-turbo, ...
	When     When   `json:"when"`
	MemoryMB int    `json:"memory_mb"` // estimate when loaded, 1,000,000 bytes
	Files    []File `json:"files"`
	// Mirrors hold the same files under the same paths. Only for files with a pinned hash.
	Mirrors []Mirror `json:"mirrors"`
}

// When is the condition under which a variant is chosen; zero fields ask for nothing.
type When struct {
	MinMemoryMB int    `json:"min_memory_mb,omitempty"` // of the machine
	OS          string `json:"os,omitempty"`            // as runtime.GOOS
	Arch        string `json:"arch,omitempty"`          // as runtime.GOARCH
	Translate   bool   `json:"translate,omitempty"`     // only for translating into English
}

// File is one file of a variant. Its place in the cache follows from repository, revision and path;
// a file of a user's own model that was imported from disk has no repository.
type File struct {
	Repo     string `json:"repo"`     // owner/name at the hub
	Revision string `json:"revision"` // commit of 40 hex digits; Branch where no commit is known
	Path     string `json:"path"`     // in the repository, with slashes
	// Bytes is the exact size where Pinned. Else it is what was last seen, or 0, and the hub's header decides.
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`        // 64 hex digits where Pinned, else empty: the hub's header gives it
	MD5    string `json:"md5,omitempty"` // 32 hex digits, as Piper's catalogue gives it
	Role   string `json:"role"`          // what the engine knows it by: graph, config, voice/af_heart, ...
	Pinned bool   `json:"pinned"`        // hash and size were verified when this list was made
}

// Mirror is another repository with the same files.
type Mirror struct {
	Repo     string `json:"repo"`
	Revision string `json:"revision"` // commit of 40 hex digits
}

// Machine is what a variant is chosen for.
type Machine struct {
	MemoryMB  int    // all memory, 1,000,000 bytes; 0 where unknown, which counts as little
	OS        string // runtime.GOOS
	Arch      string // runtime.GOARCH
	Translate bool   // the work is to translate into English
}

// Load gives the models that the program brings.
func Load() ([]Entry, error) { return Parse(embedded) }

// PresetID is the preset_voice_id of a voice: its id, behind `<key>#` where the model has a key
// (decisions.md section 2).
func (e Entry) PresetID(voice string) string {
	if e.Key == "" {
		return voice
	}
	return e.Key + "#" + voice
}

// Choose gives the first variant whose condition holds on the machine. A checked entry always has one;
// variants behind one without a condition are had by name only. The entry must have a variant.
func (e Entry) Choose(m Machine) Variant {
	i := slices.IndexFunc(e.Variants, func(v Variant) bool { return v.When.holds(m) })
	if i < 0 {
		i = len(e.Variants) - 1
	}
	return e.Variants[i]
}

// Variant gives the variant of this name.
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
		(w.Arch == "" || w.Arch == m.Arch) &&
		(m.Translate || !w.Translate)
}

// Bytes is the size of all files, as far as it is known.
func (v Variant) Bytes() int64 {
	var n int64
	for _, f := range v.Files {
		n += f.Bytes
	}
	return n
}

// SizeMB is the size of all files in units of 1,000,000 bytes, rounded up.
func (v Variant) SizeMB() int { return int((v.Bytes() + 999_999) / 1_000_000) }

// Pinned says whether hash and size of every file are fixed in the registry.
func (v Variant) Pinned() bool {
	return !slices.ContainsFunc(v.Files, func(f File) bool { return !f.Pinned })
}
