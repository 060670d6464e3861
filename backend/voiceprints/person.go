package voiceprints

import (
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
)

const (
	extension   = ".json"
	fileVersion = 1
	maxFile     = 4 << 20 // bytes; twenty recordings have 100 KB
	maxKept     = 20      // recordings of a person: those that were remembered last
	maxLength   = 4096    // of a print
)

// person is the file of a known speaker.
type person struct {
	Version   int             `json:"version"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Consent   backend.Consent `json:"consent"`
	CreatedAt time.Time       `json:"created_at"`
	UpdatedAt time.Time       `json:"updated_at"`
	// Model is a hash of the files of the model that made the prints. Prints of others cannot be compared with them.
	Model      string     `json:"model"`
	Recordings []recorded `json:"recordings"`
}

// recorded is the print of the lines of a speaker of a transcript.
type recorded struct {
	Transcript string    `json:"transcript"` // the id; remembered again it replaces this
	Seconds    float64   `json:"seconds"`
	Print      []float32 `json:"print"`
}

var (
	errDamaged = errors.New("the file of a voice print is damaged")
	errNewer   = errors.New("the file of a voice print is of a newer version")
)

// read returns the person of a file. An error says that it is not one of this program, or of a newer one.
func read(path string) (p person, err error) {
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return p, errors.Join(err, errDamaged)
	}
	f, err := os.Open(path)
	if err != nil {
		return p, err
	}
	defer func() { _ = f.Close() }()
	raw, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return p, err
	}
	err = json.Unmarshal(raw, &p)
	if p.Version > fileVersion {
		return p, errNewer
	}
	if err != nil {
		return p, errors.Join(err, errDamaged)
	}
	if !p.valid() {
		return p, errDamaged
	}
	return p, nil
}

func (p person) valid() bool {
	name, err := checkName(p.Name)
	if p.Version != fileVersion || p.ID == "" || err != nil || name != p.Name || len(p.Recordings) == 0 {
		return false
	}
	if p.Consent.Kind != backend.ConsentOwnVoice && p.Consent.Kind != backend.ConsentPermission {
		return false
	}
	length := len(p.Recordings[0].Print)
	if length > maxLength || slices.ContainsFunc(p.Recordings, func(r recorded) bool { return len(r.Print) != length || r.Seconds <= 0 }) {
		return false
	}
	norm := 0.0
	for _, x := range p.mean() {
		norm += float64(x) * float64(x)
	}
	return norm > 0 && !math.IsInf(norm, 0) && !math.IsNaN(norm)
}

func (p person) encode() ([]byte, error) { return json.Marshal(p) }

// mean returns the sum of the prints of all recordings, each as long as its speech.
func (p person) mean() []float32 {
	out := make([]float32, len(p.Recordings[0].Print))
	for _, r := range p.Recordings {
		for i, x := range r.Print {
			out[i] += x * float32(r.Seconds)
		}
	}
	return out
}

// with returns a person with the recordings and the consent of one who has the same name.
func (p person) with(more person) person {
	p.Consent, p.UpdatedAt = more.Consent, more.UpdatedAt
	if p.Model != more.Model || len(p.Recordings[0].Print) != len(more.Recordings[0].Print) {
		p.Model, p.Recordings = more.Model, more.Recordings
		return p
	}
	list := slices.Clone(p.Recordings)
	for _, r := range more.Recordings {
		list = slices.DeleteFunc(list, func(old recorded) bool { return old.Transcript == r.Transcript })
		list = append(list, r)
	}
	p.Recordings = list[max(0, len(list)-maxKept):]
	return p
}

// view returns what users see of a person where a model is installed.
func (p person) view(model string) KnownSpeaker {
	out := KnownSpeaker{
		ID: p.ID, Name: p.Name, Recordings: len(p.Recordings), Consent: p.Consent, Usable: model != "" && p.Model == model,
		CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
	}
	for _, r := range p.Recordings {
		out.Seconds += r.Seconds
	}
	return out
}

// Examine returns how many people are in a folder of voice prints, and the files that cannot be read. Error: database_newer where
// there is none, but one of a newer program.
func Examine(dir string) (people int, damaged []string, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil, nil
	}
	if err != nil {
		return 0, nil, backend.FileError("read the voice prints", dir, err)
	}
	newer := ""
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		path := filepath.Join(dir, e.Name())
		p, err := read(path)
		if errors.Is(err, errNewer) {
			newer = path
			continue
		}
		if err != nil || p.ID+extension != e.Name() {
			damaged = append(damaged, path)
			continue
		}
		people++
	}
	if newer != "" && len(damaged) == 0 {
		return 0, nil, backend.E(backend.CodeDatabaseNewer, "A voice print was written by a newer Voicewright: "+newer+".",
			"Install the current version; until then the voice is not recognized.")
	}
	return people, damaged, nil
}
