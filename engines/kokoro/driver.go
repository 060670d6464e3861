package kokoro

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
)

// The roles of a model's files. The role of a voice is RoleVoice and its id, such as voice/af_heart.
const (
	RoleGraph     = "graph"     // onnx/model*.onnx
	RoleTokenizer = "tokenizer" // tokenizer.json
	RoleVoice     = "voice/"    // voices/<id>.bin
)

const (
	voiceExt      = ".bin"
	graphDir      = "onnx"
	voiceDir      = "voices"
	mainGraph     = "model.onnx"
	tokenizerName = "tokenizer.json"
	configName    = "config.json"
	modelType     = "style_text_to_speech_2" // in config.json
)

// Driver opens Kokoro models.
type Driver struct {
	runtime *onnx.Runtime
	front   *frontend
}

var (
	_ engines.Driver     = (*Driver)(nil)
	_ engines.Able       = (*Driver)(nil)
	_ engines.TextReader = (*Driver)(nil)
	_ engines.Phonemized = (*Driver)(nil)
)

// NewDriver returns a driver. english makes the phonemes of the English voices, foreign those of all others.
func NewDriver(runtime *onnx.Runtime, english English, foreign engines.Pronouncer) *Driver {
	return &Driver{runtime: runtime, front: &frontend{english: english, foreign: foreign}}
}

// Engine returns the engine's name in the registry.
func (d *Driver) Engine() string { return Name }

// TextFeatures returns what Kokoro reads: phonemes, but no expression tags.
func (d *Driver) TextFeatures(string) engines.TextFeatures {
	return engines.TextFeatures{Phonemes: true}
}

// NeedsEspeak reports whether a language is not English, which has its own phonemes here.
func (d *Driver) NeedsEspeak(language string) bool { return !engines.SameLanguage("en", language) }

// Abilities returns that voices can be mixed: a voice is a table of styles.
func (d *Driver) Abilities() engines.Abilities { return engines.Abilities{Mixes: true} }

// Find returns the files of the one model in path: a folder with onnx/model*.onnx, tokenizer.json and voices/*.bin, or with
// all of them flat, or the graph in such a folder. Each file is checked, so a truncated one is reported.
func (d *Driver) Find(path string) (engines.Files, bool, error) {
	dir, graph, ok, err := onnx.Locate(path, onnx.GraphExt)
	if !ok || err != nil {
		return nil, false, err
	}
	root := dir
	if graph != "" && filepath.Base(dir) == graphDir {
		root = filepath.Dir(dir)
	}
	f, err := scan(root)
	if graph != "" {
		f.graphs = []string{filepath.Join(dir, graph)}
	}
	if err != nil || !f.ours() {
		return nil, false, err
	}
	files, err := f.files()
	return files, true, err
}

// modelFiles lists the files of a model in a folder.
type modelFiles struct {
	root      string
	graphs    []string // paths
	voices    []string // paths
	tokenizer bool
	typed     bool // config.json says that it is a model of this family
}

// scan lists the files of a model in the folder root.
func scan(root string) (modelFiles, error) {
	f := modelFiles{root: root}
	for _, dir := range []string{filepath.Join(root, graphDir), root, filepath.Join(root, voiceDir)} {
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return f, fmt.Errorf("read folder: %w", err)
		}
		for _, e := range entries {
			path := filepath.Join(dir, e.Name())
			switch {
			case engines.SideFile(e.Name()):
			case strings.HasSuffix(e.Name(), onnx.GraphExt):
				f.graphs = append(f.graphs, path)
			case strings.HasSuffix(e.Name(), voiceExt) && filepath.Base(dir) != graphDir:
				f.voices = append(f.voices, path)
			case e.Name() == tokenizerName && dir == root:
				f.tokenizer = true
			case e.Name() == configName && dir == root:
				f.typed = typed(path)
			}
		}
	}
	return f, nil
}

// typed reports whether a config file names this family; an unreadable one, which may be another program's, does not.
func typed(path string) bool {
	var c struct {
		ModelType string `json:"model_type"`
	}
	return onnx.ReadJSON(path, maxTokenizer, &c) == nil && c.ModelType == modelType
}

// ours reports whether a folder holds a model of this engine: its config or a voice's name says so, or it has a
// tokenizer and a graph with a style input. KittenTTS has such graphs, but no tokenizer.
func (f modelFiles) ours() bool {
	if f.typed || slices.ContainsFunc(f.voices, func(v string) bool { return voiceForm.MatchString(voiceID(v)) }) {
		return true
	}
	return f.tokenizer && slices.ContainsFunc(f.graphs, func(path string) bool {
		m, err := onnx.Inspect(path)
		return err == nil && like(m)
	})
}

// files returns the files of a model, or an error that names the first invalid one.
func (f modelFiles) files() (engines.Files, error) {
	graph, err := f.graph()
	if err != nil {
		return nil, err
	}
	if _, err := inspect(graph); err != nil {
		return nil, err
	}
	out := engines.Files{RoleGraph: graph, RoleTokenizer: filepath.Join(f.root, tokenizerName)}
	if _, err := readVocabulary(out[RoleTokenizer]); err != nil {
		return nil, err
	}
	for _, path := range f.voices {
		out[RoleVoice+voiceID(path)] = path
	}
	if _, err := voicesOf(out); err != nil {
		return nil, err
	}
	return out, nil
}

// graph returns the one graph, model.onnx where there are several.
func (f modelFiles) graph() (string, error) {
	if len(f.graphs) == 0 {
		return "", onnx.Missing(mainGraph)
	}
	for _, path := range f.graphs {
		if filepath.Base(path) == mainGraph || len(f.graphs) == 1 {
			return path, nil
		}
	}
	return "", onnx.TooManyGraphs(f.graphs[1])
}

// Describe reads the tokenizer and the lengths of the voices. Errors: backend.CodeModelCorrupt naming the file.
func (d *Driver) Describe(files engines.Files) (engines.Description, error) {
	if _, err := readVocabulary(files[RoleTokenizer]); err != nil {
		return engines.Description{}, err
	}
	all, err := voicesOf(files)
	if err != nil {
		return engines.Description{}, err
	}
	k := key(files[RoleGraph])
	_, languages := usable(all)
	return engines.Description{
		Key: k, Name: shownModel(k), Languages: languages, SampleRate: sampleRate, Voices: listed(all),
	}, nil
}

// key returns the name of a model as in the registry: kokoro for model.onnx, kokoro-q8 for model_quantized.onnx.
func key(path string) string {
	stem := strings.TrimSuffix(filepath.Base(path), onnx.GraphExt)
	kind, ok := strings.CutPrefix(stem, strings.TrimSuffix(mainGraph, onnx.GraphExt))
	switch {
	case !ok:
		return stem
	case kind == "_quantized":
		return Name + "-q8"
	}
	return Name + strings.ReplaceAll(kind, "_", "-")
}

// shownModel returns `Kokoro q8` for kokoro-q8 and other keys unchanged.
func shownModel(key string) string {
	kind, ok := strings.CutPrefix(key, Name)
	if !ok {
		return key
	}
	return "Kokoro" + strings.ReplaceAll(kind, "-", " ")
}

// Open loads the model; a voice's file is read when it first speaks. Errors: backend.CodeModelCorrupt naming the file
// and what is wrong in it, CodeEngineMismatch for a variant that this build cannot run, CodeOutOfMemory,
// CodeRuntimeMissing (ONNX Runtime, or espeak-ng where no voice is English).
func (d *Driver) Open(ctx context.Context, files engines.Files, o engines.Options) (engines.Engine, error) {
	place, err := d.runtime.Place(o)
	if err != nil {
		return nil, err
	}
	symbols, err := readVocabulary(files[RoleTokenizer])
	if err != nil {
		return nil, err
	}
	voices, err := voicesOf(files)
	if err != nil {
		return nil, err
	}
	runtimes, err := d.runtimes(ctx, voices)
	if err != nil {
		return nil, err
	}
	perRun, callers := onnx.Threads(o.Threads, usualThreads)
	g, err := open(ctx, d.runtime, files[RoleGraph], onnx.SessionOptions{Threads: perRun, Seeded: true, Place: place})
	if err != nil {
		return nil, err
	}
	info := engines.Info{
		Reproducible: g.session.Reproducible(), Concurrency: callers, Placement: place.Placement, Threads: perRun,
		Runtimes: runtimes,
	}
	return newEngine(key(files[RoleGraph]), symbols, voices, d.front, g, info), nil
}

// runtimes returns the versions of what the model runs on. English needs no espeak-ng, so a missing one is an error
// only if no voice speaks English; else the text that needs it fails.
func (d *Driver) runtimes(ctx context.Context, voices []*voice) (map[string]string, error) {
	if err := d.runtime.Init(); err != nil {
		return nil, err
	}
	out, err := d.runtime.Versions(ctx, d.front.foreign)
	english := slices.ContainsFunc(voices, func(v *voice) bool { return v.accent.english() })
	if err != nil && (!english || ctx.Err() != nil) {
		return nil, backend.AsError(err)
	}
	return out, nil
}
