package supertonic

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
)

// The roles of a model's files.
const (
	RoleDuration  = "duration_predictor" // onnx/duration_predictor.onnx
	RoleEncoder   = "text_encoder"       // onnx/text_encoder.onnx
	RoleEstimator = "vector_estimator"   // onnx/vector_estimator.onnx
	RoleVocoder   = "vocoder"            // onnx/vocoder.onnx
	RoleConfig    = "config"             // onnx/tts.json
	RoleIndexer   = "indexer"            // onnx/unicode_indexer.json
	RoleVoice     = "voice/"             // before the name of a voice: voice_styles/<name>.json
)

// The folders of a model, as the makers publish it.
const (
	graphsDir = "onnx"
	stylesDir = "voice_styles"
	styleExt  = ".json"
)

// names lists the files that every model has in its folder onnx, by their roles.
var names = [...]struct{ role, file string }{
	{RoleDuration, "duration_predictor.onnx"},
	{RoleEncoder, "text_encoder.onnx"},
	{RoleEstimator, "vector_estimator.onnx"},
	{RoleVocoder, "vocoder.onnx"},
	{RoleConfig, "tts.json"},
	{RoleIndexer, "unicode_indexer.json"},
}

// likeOurs is how many of these files a folder of this engine has at least: other engines use some of the names, too.
const likeOurs = 2

// Driver opens Supertonic models.
type Driver struct{ runtime *onnx.Runtime }

var (
	_ engines.Driver     = (*Driver)(nil)
	_ engines.Able       = (*Driver)(nil)
	_ engines.TextReader = (*Driver)(nil)
)

// NewDriver returns a driver.
func NewDriver(runtime *onnx.Runtime) *Driver { return &Driver{runtime: runtime} }

// Engine returns the engine's name in the registry.
func (d *Driver) Engine() string { return Name }

// Abilities returns that the engine takes denoising steps and that each voice speaks all languages.
func (d *Driver) Abilities() engines.Abilities {
	return engines.Abilities{Steps: true, Multilingual: true}
}

// TextFeatures returns the expression tags of Supertonic 3; older generations have none.
func (d *Driver) TextFeatures(string) engines.TextFeatures {
	return engines.TextFeatures{Tags: slices.Clone(marks3[:])}
}

// Find returns the files of the model in path: the folder with onnx and voice_styles in it, the folder onnx itself, or
// a file of that. All files are checked, so a truncated one is reported.
func (d *Driver) Find(path string) (engines.Files, bool, error) {
	dir, ok, err := locate(path)
	if !ok || err != nil {
		return nil, false, err
	}
	files := engines.Files{}
	for _, n := range names {
		file := filepath.Join(dir, n.file)
		if !onnx.IsFile(file) {
			return nil, true, onnx.Missing(file)
		}
		files[n.role] = file
	}
	if err := addStyles(files, dir); err != nil {
		return nil, true, err
	}
	if err := inspect(files); err != nil {
		return nil, true, err
	}
	return files, true, nil
}

// locate returns the folder of the graphs.
func locate(path string) (dir string, ok bool, err error) {
	dir, file, ok, err := onnx.Locate(path, onnx.GraphExt, ".json")
	switch {
	case !ok || err != nil:
		return "", false, err
	case file != "":
		return dir, named(file) && matches(dir), nil
	case matches(filepath.Join(dir, graphsDir)):
		return filepath.Join(dir, graphsDir), true, nil
	}
	return dir, matches(dir), nil
}

// matches reports whether a folder looks like the graphs of a Supertonic model.
func matches(dir string) bool {
	found := 0
	for _, n := range names {
		if onnx.IsFile(filepath.Join(dir, n.file)) {
			found++
		}
	}
	return found >= likeOurs
}

func named(file string) bool {
	for _, n := range names {
		if n.file == file {
			return true
		}
	}
	return false
}

// addStyles adds the voices: those in the folder of the graphs, else those beside it.
func addStyles(files engines.Files, graphs string) error {
	for _, dir := range []string{filepath.Join(graphs, stylesDir), filepath.Join(filepath.Dir(graphs), stylesDir)} {
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return onnx.Corrupt(dir, "cannot be read").WithCause(err)
		}
		for _, e := range entries {
			if id, ok := strings.CutSuffix(e.Name(), styleExt); ok && !engines.SideFile(e.Name()) && !strings.HasPrefix(id, ".") &&
				id != "" && !e.IsDir() {
				files[RoleVoice+id] = filepath.Join(dir, e.Name())
			}
		}
		if len(voices(files)) > 0 {
			return nil
		}
	}
	return onnx.Corrupt(stylesDir, "is missing or has no voice in it")
}

// inspect reads everything but the weights.
func inspect(files engines.Files) error {
	if _, _, err := readText(files); err != nil {
		return err
	}
	if _, err := readStyles(files); err != nil {
		return err
	}
	for _, role := range []string{RoleDuration, RoleEncoder, RoleEstimator, RoleVocoder} {
		if _, err := onnx.Inspect(files[role]); err != nil {
			return err
		}
	}
	return nil
}

// readText reads the files of the frontend: the config and the number of each character.
func readText(files engines.Files) (config, []int32, error) {
	c, err := readConfig(files[RoleConfig])
	if err != nil {
		return config{}, nil, err
	}
	table, err := readIndexer(files[RoleIndexer])
	return c, table, err
}

// readStyles reads all voices, by their names.
func readStyles(files engines.Files) (map[string]style, error) {
	all, out := voices(files), map[string]style{}
	if len(all) > onnx.MaxVoiceFiles {
		return nil, onnx.TooManyVoices(files[RoleVoice+all[0].ID], len(all))
	}
	for _, v := range all {
		s, err := readStyle(files[RoleVoice+v.ID])
		if err != nil {
			return nil, err
		}
		out[v.ID] = s
	}
	if len(out) == 0 {
		return nil, onnx.Corrupt(stylesDir, "is missing or has no voice in it")
	}
	return out, nil
}

// Describe reads the config. Errors: backend.CodeModelCorrupt naming the file and the field.
func (d *Driver) Describe(files engines.Files) (engines.Description, error) {
	c, err := readConfig(files[RoleConfig])
	if err != nil {
		return engines.Description{}, err
	}
	return engines.Description{
		Key: c.edition.key, Name: c.edition.name, Languages: slices.Clone(c.edition.languages),
		SampleRate: c.AE.SampleRate, Voices: voices(files),
	}, nil
}

// Open loads the model. Errors: backend.CodeModelCorrupt, CodeOutOfMemory, CodeRuntimeMissing.
func (d *Driver) Open(ctx context.Context, files engines.Files, o engines.Options) (engines.Engine, error) {
	place, err := d.runtime.Place(o)
	if err != nil {
		return nil, err
	}
	c, table, err := readText(files)
	if err != nil {
		return nil, err
	}
	styles, err := readStyles(files)
	if err != nil {
		return nil, err
	}
	perRun, callers := onnx.Threads(o.Threads, usualThreads())
	runtimes, err := d.runtime.Versions(ctx, nil)
	if err != nil {
		return nil, err
	}
	g, err := openGraphs(ctx, d.runtime, files, c, onnx.SessionOptions{Threads: perRun, Place: place})
	if err != nil {
		return nil, err
	}
	return &Engine{
		frontend: &frontend{table: table, edition: c.edition}, graphs: g, styles: styles,
		info: engines.Info{
			Engine: Name, SampleRate: c.AE.SampleRate, Channels: 1, Languages: c.edition.languages, Voices: voices(files),
			Pauses:   engines.Pauses{Sentence: pause * time.Millisecond, Clause: pause * time.Millisecond},
			MinSpeed: minSpeed, MaxSpeed: maxSpeed, TextFeatures: engines.TextFeatures{Tags: c.edition.marks},
			Reproducible: g.sessions().Reproducible(), Concurrency: callers,
			Placement: place.Placement, Threads: perRun, Runtimes: runtimes,
		},
	}, nil
}
