// Command testhub is a local model hub for the tests of the page. Its catalogue has a small Piper voice, which can be
// downloaded and used, and one that claims to be larger than any disk. Some Piper voices of the list of models are there too,
// with the files of the small one and a sample. It also has pocket-de, a small model that clones voices: it speaks with the
// pitch of the sample. The files of Speakers have their size, but are damaged. It prints one line of JSON, {"hub", "control"}, and
// ends with its standard input.
//
// At the control address, POST /faults adds a fault, DELETE /faults removes all, GET /requests returns the requests.
package main

import (
	"bytes"
	"crypto/md5"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend/hub/hubtest"
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/engines/pocket/pockettest"
)

func main() {
	voice := flag.String("voice", filepath.Join("app", "testdata", "en_US-tone-medium"), "folder of the voice")
	size := flag.Int("size", 24_000_000, "size of the voice in bytes")
	flag.Parse()
	if err := run(*voice, *size); err != nil {
		fmt.Fprintln(os.Stderr, "testhub:", err)
		os.Exit(1)
	}
}

func run(voice string, size int) error {
	files, err := tone(voice, size)
	if err != nil {
		return err
	}
	for path, content := range giant() {
		files[path] = content
	}
	index, err := catalogue(files)
	if err != nil {
		return err
	}
	files[registry.PiperVoices] = hubtest.Bytes(index)
	entries, err := registry.Load()
	if err != nil {
		return err
	}
	sample, err := os.ReadFile(sampleFile)
	if err != nil {
		return err
	}
	config, err := os.ReadFile(filepath.Join(voice, "en_US-tone-medium.onnx.json"))
	if err != nil {
		return err
	}
	addListed(files, entries, config, sample)
	cloning := pocketGerman(entries)
	repos := append(damagedSpeakers(entries), hubtest.Repo{ID: registry.PiperRepo, Files: files}, cloning)
	hub := hubtest.Start(repos...)
	defer hub.Close()
	control := httptest.NewServer(controls(hub))
	defer control.Close()
	if err := json.NewEncoder(os.Stdout).Encode(map[string]string{"hub": hub.URL(), "control": control.URL}); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

const (
	toneFolder  = "en/en_US/tone/medium/"
	giantFolder = "en/en_US/giant/high/"
)

// tone returns the files of the voice, with a larger graph, so that a download takes some time.
func tone(folder string, size int) (map[string]hubtest.Content, error) {
	files := map[string]hubtest.Content{}
	for _, name := range []string{"en_US-tone-medium.onnx", "en_US-tone-medium.onnx.json", "MODEL_CARD"} {
		raw, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		if filepath.Ext(name) == ".onnx" {
			raw = padded(raw, size)
		}
		files[toneFolder+name] = hubtest.Bytes(raw)
	}
	return files, nil
}

// pocketGerman returns the repository of pocket-de. The list of models has no hashes of its files, so the hub's are taken.
func pocketGerman(entries []registry.Entry) hubtest.Repo {
	i := slices.IndexFunc(entries, func(e registry.Entry) bool { return e.Name == "pocket-de" })
	files := pockettest.Files("german")
	out := hubtest.Repo{Files: map[string]hubtest.Content{}}
	for _, f := range entries[i].Variants[0].Files {
		out.ID, out.Commit = f.Repo, f.Revision
		out.Files[f.Path] = hubtest.Bytes(files[path.Base(f.Path)])
	}
	return out
}

// damagedSpeakers returns the repositories of the model that finds speakers, with files of the listed sizes that are empty.
func damagedSpeakers(entries []registry.Entry) []hubtest.Repo {
	i := slices.IndexFunc(entries, func(e registry.Entry) bool { return e.Family == registry.Speakers })
	var out []hubtest.Repo
	for _, f := range entries[i].Variants[0].Files {
		out = append(out, hubtest.Repo{ID: f.Repo, Commit: f.Revision, Files: map[string]hubtest.Content{f.Path: hubtest.Zeros(f.Bytes)}})
	}
	return out
}

const sampleFile = "backend/audio/testdata/compressed/mono-24k.mp3"

// addListed adds voices of the list of models, which pins none of their files: they are those of the tone voice, and each voice has
// a published sample.
func addListed(files map[string]hubtest.Content, entries []registry.Entry, toneConfig, sample []byte) {
	german := strings.NewReplacer(`"en-us"`, `"de"`, `"en_US"`, `"de_DE"`).Replace(string(toneConfig))
	configs := map[string]string{"piper-en_US-lessac-medium": string(toneConfig), "piper-de_DE-thorsten-high": german}
	for _, e := range entries {
		config, ok := configs[e.Name]
		if !ok {
			continue
		}
		content := map[string]hubtest.Content{
			".onnx": files[toneFolder+"en_US-tone-medium.onnx"], ".json": hubtest.Bytes([]byte(config)), "": files[toneFolder+"MODEL_CARD"],
		}
		for _, f := range e.Variants[0].Files {
			files[f.Path] = content[path.Ext(f.Path)]
		}
		if f, ok := e.Sample(e.Voices[0].ID); ok {
			files[f.Path] = hubtest.Bytes(sample)
		}
	}
}

// padded returns a larger ONNX file, with spaces as the description of the model: its field 6, doc_string (onnx.proto).
func padded(graph []byte, size int) []byte {
	const docString = 6<<3 | 2
	spaces := max(0, size-len(graph))
	out := binary.AppendUvarint(append(bytes.Clone(graph), docString), uint64(spaces))
	return append(out, bytes.Repeat([]byte(" "), spaces)...)
}

// claimed is content that claims a size and contains only its name.
type claimed struct {
	name string
	size int64
}

func (c claimed) Size() int64 { return c.size }

func (c claimed) ReadAt(p []byte, off int64) (int, error) {
	return copy(p, c.name[min(off, int64(len(c.name))):]), io.ErrUnexpectedEOF
}

// giant returns three files whose size is just below the maximum of a catalogue.
func giant() map[string]hubtest.Content {
	files := map[string]hubtest.Content{}
	for _, name := range []string{"en_US-giant-high.onnx", "en_US-giant-high.onnx.json", "MODEL_CARD"} {
		files[giantFolder+name] = claimed{name, 1_000_000_000_000}
	}
	return files
}

// catalogue returns the index of the voices in the format of Piper.
func catalogue(files map[string]hubtest.Content) ([]byte, error) {
	type file struct {
		Size int64  `json:"size_bytes"`
		MD5  string `json:"md5_digest"`
	}
	index := map[string]any{}
	for name, quality := range map[string]string{"tone": "medium", "giant": "high"} {
		key := "en_US-" + name + "-" + quality
		folder := "en/en_US/" + name + "/" + quality + "/"
		of := map[string]file{}
		for _, path := range []string{folder + key + ".onnx", folder + key + ".onnx.json", folder + "MODEL_CARD"} {
			sum := md5.New()
			_, _ = io.Copy(sum, io.NewSectionReader(files[path], 0, files[path].Size())) // the giant ends at once, with an error
			of[path] = file{files[path].Size(), hex.EncodeToString(sum.Sum(nil))}
		}
		index[key] = map[string]any{
			"key": key, "name": name, "quality": quality, "num_speakers": 1, "speaker_id_map": map[string]int{}, "files": of,
			"language": map[string]string{
				"code": "en_US", "family": "en", "region": "US", "name_native": "English", "name_english": "English",
				"country_english": "United States",
			},
		}
	}
	return json.Marshal(index)
}

// fault is the body of POST /faults.
type fault struct {
	Kind    string  `json:"kind"`    // cut, stall, slow, corrupt, status
	Path    string  `json:"path"`    // in the repository; "" = every path
	Hub     bool    `json:"hub"`     // at the hub itself, else at its storage
	Times   int     `json:"times"`   // number of requests; 0 = all
	Offsets []int64 `json:"offsets"` // of cut, stall and corrupt
	Piece   int     `json:"piece"`   // of slow, in bytes
	Pause   int     `json:"pause"`   // of slow, in milliseconds
	Status  int     `json:"status"`  // of status
}

func (f fault) build() (hubtest.Fault, error) {
	if (f.Kind == "stall" || f.Kind == "corrupt") && len(f.Offsets) != 1 {
		return nil, fmt.Errorf("%s needs one offset", f.Kind)
	}
	switch f.Kind {
	case "cut":
		return hubtest.Cut(f.Offsets...), nil
	case "stall":
		return hubtest.Stall(f.Offsets[0]), nil
	case "corrupt":
		return hubtest.Corrupt(f.Offsets[0]), nil
	case "slow":
		return hubtest.Slow(f.Piece, time.Duration(f.Pause)*time.Millisecond), nil
	case "status":
		return hubtest.Status(f.Status), nil
	default:
		return nil, fmt.Errorf("there is no fault %q", f.Kind)
	}
}

func controls(hub *hubtest.Server) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /faults", func(w http.ResponseWriter, r *http.Request) {
		var f fault
		err := json.NewDecoder(r.Body).Decode(&f)
		if err == nil {
			var effect hubtest.Fault
			if effect, err = f.build(); err == nil {
				times := f.Times
				if times == 0 {
					times = hubtest.Always
				}
				if f.Hub {
					hub.Hub(f.Path, times, effect)
				} else {
					hub.Storage(f.Path, times, effect)
				}
			}
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
		}
	})
	mux.HandleFunc("DELETE /faults", func(http.ResponseWriter, *http.Request) { hub.Heal() })
	mux.HandleFunc("GET /requests", func(w http.ResponseWriter, r *http.Request) {
		requests := append([]hubtest.Request{}, hub.Requests(r.URL.Query().Get("path"))...) // never null
		if err := json.NewEncoder(w).Encode(requests); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	return mux
}
