package registry

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
)

// PiperRepo is the hub repository of Piper's voices; PiperVoices is its index, which ParseVoices reads.
const (
	PiperRepo   = "rhasspy/piper-voices"
	PiperVoices = "voices.json"
)

// maxSpeakers is far more than the 904 speakers of the largest published voice.
const maxSpeakers = 10000

// piperMemoryMB is the memory of the runtime and one run of a voice, without the graph, as in registry.json.
const piperMemoryMB = 180

// CatalogueItem is one Piper voice that can be registered (decisions.md section 2, GET /models/catalogue).
type CatalogueItem struct {
	Key        string `json:"key"`        // en_US-amy-low
	Name       string `json:"name"`       // amy
	Language   string `json:"language"`   // BCP 47
	Quality    string `json:"quality"`    // x_low, low, medium, high
	Speakers   int    `json:"speakers"`   // 1 for most voices
	SizeMB     int    `json:"size_mb"`    // of all files, rounded up
	License    string `json:"license"`    // the index has none: each voice has its own, in its card
	Registered bool   `json:"registered"` // set by the caller, as ParseVoices does not have the registry

	words  string // the text that Search searches, in lower case
	voices []Voice
	files  []File
}

// ModelName returns the voice's name in the registry: piper-<key>, with a hyphen for each character that a name must not have.
func (c CatalogueItem) ModelName() string {
	name := "piper-" + strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && nameForm.MatchString(string(r)) {
			return r
		}
		return '-'
	}, c.Key)
	return name[:min(len(name), 64)]
}

// voice is one value of voices.json.
type voice struct {
	Key      string `json:"key"`
	Name     string `json:"name"`
	Language struct {
		Code    string `json:"code"`
		Native  string `json:"name_native"`
		English string `json:"name_english"`
		Country string `json:"country_english"`
	} `json:"language"`
	Quality      string           `json:"quality"`
	NumSpeakers  int              `json:"num_speakers"`
	SpeakerIDMap map[string]int64 `json:"speaker_id_map"`
	Files        map[string]struct {
		Size int64  `json:"size_bytes"`
		MD5  string `json:"md5_digest"`
	} `json:"files"`
	Aliases []string `json:"aliases"`
}

// ParseVoices parses the index of PiperRepo (engines/piper.md, Index and sizes). Items are sorted by key. Voices without a
// required file or with an invalid value are skipped. It returns an error when the file is not such an index, or has no
// usable voice.
func ParseVoices(voicesJSON []byte) ([]CatalogueItem, error) {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(voicesJSON, &raw); err != nil {
		return nil, fmt.Errorf("parse the catalogue of Piper voices: %w", located(voicesJSON, err))
	}
	items := make([]CatalogueItem, 0, len(raw))
	for _, key := range slices.Sorted(maps.Keys(raw)) {
		var v voice
		if json.Unmarshal(raw[key], &v) != nil || v.Key != key {
			continue
		}
		if item, ok := v.item(); ok && EntryFor(item).Check() == nil {
			items = append(items, item)
		}
	}
	if len(items) == 0 {
		return nil, errors.New("parse the catalogue of Piper voices: it has no usable voice")
	}
	return items, nil
}

// item returns the catalogue item of a voice. It reports false without the two files that a voice needs.
func (v voice) item() (CatalogueItem, bool) {
	item := CatalogueItem{
		Key: v.Key, Name: v.Name, Language: piperLanguage(v.Language.Code), Quality: v.Quality,
		Speakers: max(v.NumSpeakers, 1), License: piperLicense,
		words: strings.ToLower(strings.Join(append([]string{
			v.Key, v.Name, v.Language.Code, v.Language.Native, v.Language.English, v.Language.Country, v.Quality,
		}, v.Aliases...), " ")),
	}
	if item.Speakers > maxSpeakers || len(v.SpeakerIDMap) > maxSpeakers {
		return CatalogueItem{}, false
	}
	item.voices = v.voices(item)
	roles := []struct{ base, role string }{
		{v.Key + ".onnx", "graph"}, {v.Key + ".onnx.json", "config"}, {"MODEL_CARD", "card"},
	}
	paths := slices.Sorted(maps.Keys(v.Files))
	for _, r := range roles {
		i := slices.IndexFunc(paths, func(p string) bool { return path.Base(p) == r.base })
		if i < 0 {
			continue
		}
		f := v.Files[paths[i]]
		item.files = append(item.files, File{
			Repo: PiperRepo, Revision: Branch, Path: paths[i], Bytes: f.Size, MD5: strings.ToLower(f.MD5), Role: r.role,
		})
	}
	item.SizeMB = Variant{Files: item.files}.SizeMB()
	return item, len(item.files) >= 2 && item.files[0].Role == "graph" && item.files[1].Role == "config"
}

// voices returns the speakers as the Piper engine names them: 0 for a single one, else their names in the order of their
// numbers, with the number for a speaker without a name.
func (v voice) voices(item CatalogueItem) []Voice {
	if item.Speakers == 1 {
		return []Voice{{ID: "0", Name: displayName(v.Name), Language: item.Language, Gender: piperGender(v.Name)}}
	}
	type speaker struct {
		name   string
		number int64
	}
	named := make(map[int64]bool, len(v.SpeakerIDMap))
	speakers := make([]speaker, 0, item.Speakers)
	for name, number := range v.SpeakerIDMap {
		named[number] = true
		speakers = append(speakers, speaker{name, number})
	}
	for number := range int64(item.Speakers) {
		word := strconv.FormatInt(number, 10)
		if _, taken := v.SpeakerIDMap[word]; !named[number] && !taken {
			speakers = append(speakers, speaker{word, number})
		}
	}
	slices.SortFunc(speakers, func(a, b speaker) int {
		return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.name, b.name))
	})
	out := make([]Voice, len(speakers))
	for i, s := range speakers {
		out[i] = Voice{ID: s.name, Name: s.name, Language: item.Language, Gender: piperGender(s.name)}
	}
	return out
}

// Search returns the items that have every word of search in their key, name, language (its code, native and English name),
// country, quality or former names, ignoring case, and that speak language: "en" also finds en-US. Empty values match all
// items. The order stays.
func Search(items []CatalogueItem, search, language string) []CatalogueItem {
	words := strings.Fields(strings.ToLower(search))
	out := make([]CatalogueItem, 0, len(items))
	for _, item := range items {
		if !backend.MatchesLanguage(item.Language, language) {
			continue
		}
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(item.words, w) }) {
			out = append(out, item)
		}
	}
	return out
}

// piperLicense is the licence of every voice of the catalogue, which has none itself.
const piperLicense = "See the MODEL_CARD of the voice"

// EntryFor returns the registry entry of a voice of the catalogue. Its files have sizes and MD5 but are not pinned: the hub's
// headers have commit and SHA-256 when they are downloaded. The item must come from ParseVoices.
func EntryFor(item CatalogueItem) Entry {
	rate := 22050 // Hz (engines/piper.md, Index and sizes)
	if item.Quality == "low" || item.Quality == "x_low" {
		rate = 16000
	}
	v := Variant{Name: item.Quality, Files: item.files}
	v.MemoryMB = (12*v.SizeMB() + 10*piperMemoryMB + 99) / 100 * 10 // 1.2 times the files plus the runtime, rounded up to tens
	license := License{Name: piperLicense}
	if i := slices.IndexFunc(item.files, func(f File) bool { return f.Role == "card" }); i >= 0 {
		license.URL = "https://huggingface.co/" + PiperRepo + "/blob/" + Branch + "/" + item.files[i].Path
	}
	return Entry{
		Name: item.ModelName(), Key: item.Key,
		DisplayName: displayName(item.Name) + " (" + strings.ReplaceAll(item.Quality, "_", "-") + ")",
		Engine:      "piper", Family: Speech, Languages: []string{item.Language}, License: license, SampleRate: rate,
		Voices: item.voices, Variants: []Variant{v},
	}
}

// piperLanguage returns the tag of a code such as en_US; one that is no language stays as it is.
func piperLanguage(code string) string {
	if tag, ok := backend.CanonicalLanguage(code); ok {
		return tag
	}
	return code
}

// displayName returns `Northern english male` for northern_english_male.
func displayName(name string) string {
	name = strings.ReplaceAll(name, "_", " ")
	first, size := utf8.DecodeRuneInString(name)
	if size == 0 {
		return name
	}
	return string(unicode.ToUpper(first)) + name[size:]
}
