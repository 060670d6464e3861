package piper

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
)

// The roles of a voice's files.
const (
	RoleGraph  = "graph"  // <key>.onnx
	RoleConfig = "config" // <key>.onnx.json
	RoleCard   = "card"   // MODEL_CARD, not always there
)

const (
	configExt = onnx.GraphExt + ".json"
	cardName  = "MODEL_CARD"
)

// voiceKey is the form of the published voices' names: en_US-lessac-medium.
var voiceKey = regexp.MustCompile(`^[a-z]{2,3}_[A-Z]{2}-.+-(x_low|low|medium|high)$`)

// licenseLine is the line of a card that names the licence of the voice's data.
var licenseLine = regexp.MustCompile(`(?im)^[\s*-]*licen[sc]e[ \t]*:[ \t]*(\S.*?)\s*$`)

// Driver opens Piper voices.
type Driver struct {
	runtime    *onnx.Runtime
	phonemizer engines.Phonemizer
}

var (
	_ engines.Driver     = (*Driver)(nil)
	_ engines.TextReader = (*Driver)(nil)
	_ engines.Phonemized = (*Driver)(nil)
)

// NewDriver returns a driver; ph makes the phonemes of voices that use those of espeak-ng.
func NewDriver(runtime *onnx.Runtime, ph engines.Phonemizer) *Driver {
	return &Driver{runtime: runtime, phonemizer: ph}
}

// Engine returns the engine's name in the registry.
func (d *Driver) Engine() string { return Name }

// TextFeatures returns what Piper voices read: phonemes and digits, but no expression tags.
func (d *Driver) TextFeatures(string) engines.TextFeatures {
	return engines.TextFeatures{Phonemes: true, Digits: true}
}

// NeedsEspeak returns true: the published voices of nearly all languages speak its phonemes. The few that speak letters need none.
func (d *Driver) NeedsEspeak(string) bool { return true }

// Find returns the files of the one voice in path, a folder or the graph itself. Both files are checked, so a truncated
// one is reported.
func (d *Driver) Find(path string) (engines.Files, bool, error) {
	dir, graph, ok, err := onnx.Locate(path, onnx.GraphExt)
	if !ok || err != nil {
		return nil, false, err
	}
	graphs, configs, err := list(dir)
	if err != nil {
		return nil, false, err
	}
	alone := len(graphs) == 1
	if graph != "" {
		stem := key(graph)
		graphs, configs = []string{stem}, only(configs, stem)
	}
	stem, ok, err := pick(dir, graphs, configs)
	if !ok || err != nil {
		return nil, ok, err
	}
	return files(dir, stem, alone)
}

// list returns the names without extension of the graphs and of the configs in a folder.
func list(dir string) (graphs, configs []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("read folder: %w", err)
	}
	for _, e := range entries {
		if engines.SideFile(e.Name()) {
			continue
		}
		if stem, ok := strings.CutSuffix(e.Name(), configExt); ok {
			configs = append(configs, stem)
		} else if stem, ok := strings.CutSuffix(e.Name(), onnx.GraphExt); ok {
			graphs = append(graphs, stem)
		}
	}
	return graphs, configs, nil
}

func only(stems []string, stem string) []string {
	for _, s := range stems {
		if s == stem {
			return []string{s}
		}
	}
	return nil
}

// pick returns the name of the one voice. A folder with a config, or with a graph that looks like a Piper voice,
// is meant for this engine; anything less than one graph with its config is an error then.
func pick(dir string, graphs, configs []string) (stem string, ok bool, err error) {
	if len(configs) == 0 {
		for _, g := range graphs {
			if voiceKey.MatchString(g) || likeVoice(filepath.Join(dir, g+onnx.GraphExt)) {
				return "", true, onnx.Missing(g + configExt)
			}
		}
		return "", false, nil
	}
	if len(configs) > 1 {
		return "", true, onnx.TooMany(configs[1]+configExt, "is one voice too many in its folder: choose one file")
	}
	stem = configs[0]
	switch {
	case len(graphs) == 0:
		return "", true, onnx.Missing(stem + onnx.GraphExt)
	case len(graphs) > 1:
		extra := graphs[0]
		if extra == stem {
			extra = graphs[1]
		}
		return "", true, onnx.TooManyGraphs(extra + onnx.GraphExt)
	case graphs[0] != stem:
		return "", true, onnx.Missing(graphs[0] + configExt)
	}
	return stem, true, nil
}

// likeVoice reports whether a graph has the inputs of a Piper voice.
func likeVoice(path string) bool {
	model, err := onnx.Inspect(path)
	if err != nil {
		return false
	}
	have := map[string]bool{}
	for _, in := range model.Inputs {
		have[in.Name] = true
	}
	return have["input"] && have["input_lengths"] && have["scales"]
}

// files checks the two files of a voice and adds the card. A card beside several graphs may be about another one.
func files(dir, stem string, alone bool) (engines.Files, bool, error) {
	out := engines.Files{
		RoleGraph:  filepath.Join(dir, stem+onnx.GraphExt),
		RoleConfig: filepath.Join(dir, stem+configExt),
	}
	if _, err := readConfig(out[RoleConfig]); err != nil {
		return nil, true, err
	}
	if _, err := onnx.Inspect(out[RoleGraph]); err != nil {
		return nil, true, err
	}
	if card := filepath.Join(dir, cardName); alone && ownCard(card, out[RoleGraph]) {
		out[RoleCard] = card
	}
	return out, true, nil
}

// ownCard reports whether a card is a regular file in the folder of its voice, or, where the files are links as in the
// cache of a hub, in the folder that the graph links to. A card that links elsewhere could be any file of the user's.
func ownCard(card, graph string) bool {
	info, err := os.Stat(card)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	target, err := filepath.EvalSymlinks(card)
	folder, err2 := filepath.EvalSymlinks(filepath.Dir(card))
	blob, err3 := filepath.EvalSymlinks(graph)
	at := filepath.Dir(target)
	return errors.Join(err, err2, err3) == nil && (at == folder || at == filepath.Dir(blob))
}

// Describe reads config and card. Errors: backend.CodeModelCorrupt naming the file and the field;
// backend.CodeLanguageNotSupported for a voice with phonemes that this engine cannot make.
func (d *Driver) Describe(files engines.Files) (engines.Description, error) {
	c, err := readConfig(files[RoleConfig])
	if err != nil {
		return engines.Description{}, err
	}
	k := key(files[RoleGraph])
	if err := c.checkSupported(k); err != nil {
		return engines.Description{}, err
	}
	licence, err := license(files[RoleCard])
	if err != nil {
		return engines.Description{}, err
	}
	return engines.Description{
		Key: k, Name: shownModel(k), Languages: []string{c.language()}, SampleRate: c.Audio.SampleRate,
		Voices: voices(c.speakers(shownVoice(k))), License: licence,
	}, nil
}

// Open loads the voice. Errors: backend.CodeModelCorrupt, CodeLanguageNotSupported, CodeOutOfMemory,
// CodeRuntimeMissing (ONNX Runtime, or the phonemizer of a voice that needs it).
func (d *Driver) Open(ctx context.Context, files engines.Files, o engines.Options) (engines.Engine, error) {
	place, err := d.runtime.Place(o)
	if err != nil {
		return nil, err
	}
	c, err := readConfig(files[RoleConfig])
	if err != nil {
		return nil, err
	}
	path := files[RoleGraph]
	if err := c.checkSupported(key(path)); err != nil {
		return nil, err
	}
	runtimes, err := d.runtimes(ctx, c)
	if err != nil {
		return nil, err
	}
	model, err := onnx.Inspect(path)
	if err != nil {
		return nil, err
	}
	perRun, callers := onnx.Threads(o.Threads, usualThreads)
	frames, hidden := timing(model)
	options := onnx.SessionOptions{Threads: perRun, Seeded: true, Place: place}
	if hidden {
		options.Expose = []string{frames}
	}
	session, err := d.runtime.Open(ctx, path, signature(c.NumSpeakers, frames), options)
	if err != nil {
		return nil, err
	}
	espeak := c.PhonemeType == phonemesEspeak
	info := engines.Info{
		Reproducible: session.Reproducible() || (c.noise() == 0 && c.noiseW() == 0),
		TextFeatures: engines.TextFeatures{Phonemes: espeak, Digits: espeak},
		Concurrency:  callers,
		Placement:    place.Placement,
		Threads:      perRun,
		Runtimes:     runtimes,
	}
	g := &graph{session: session, speakers: c.NumSpeakers, hop: c.HopLength, timed: frames != ""}
	return newEngine(key(path), c, d.phonemizer, g, info), nil
}

// runtimes returns the versions of what the voice runs on. A missing phonemizer is reported when the voice is opened,
// not at its first sentence.
func (d *Driver) runtimes(ctx context.Context, c config) (map[string]string, error) {
	if c.PhonemeType != phonemesEspeak {
		return d.runtime.Versions(ctx, nil)
	}
	return d.runtime.Versions(ctx, d.phonemizer)
}

// maxCard is the largest card that is read, in bytes.
const maxCard = 1 << 20

// license returns the licence that a card names, empty without a card or such a line.
func license(card string) (string, error) {
	if card == "" {
		return "", nil
	}
	raw, err := onnx.ReadSmall(card, maxCard)
	if err != nil {
		return "", err
	}
	if m := licenseLine.FindSubmatch(onnx.PlainText(raw)); m != nil && len(m[1]) <= onnx.MaxText {
		return string(m[1]), nil
	}
	return "", nil
}

// key returns the voice's name in Piper's catalogue: the graph's base name.
func key(path string) string { return strings.TrimSuffix(filepath.Base(path), onnx.GraphExt) }

// shownModel returns `Lessac (medium)` for en_US-lessac-medium and other keys unchanged.
func shownModel(key string) string {
	if !voiceKey.MatchString(key) {
		return key
	}
	return shownVoice(key) + " (" + strings.ReplaceAll(key[strings.LastIndex(key, "-")+1:], "_", "-") + ")"
}

// shownVoice returns `Lessac` for en_US-lessac-medium and other keys unchanged.
func shownVoice(key string) string {
	if !voiceKey.MatchString(key) {
		return key
	}
	name := strings.ReplaceAll(key[strings.Index(key, "-")+1:strings.LastIndex(key, "-")], "_", " ")
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(first)) + name[size:]
}
