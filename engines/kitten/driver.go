package kitten

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
)

// The roles of a model's files.
const (
	RoleGraph  = "graph"  // kitten_tts_<size>_v0_8.onnx
	RoleConfig = "config" // config.json
	RoleVoices = "voices" // voices.npz
)

const (
	configName = "config.json"
	voicesName = "voices.npz"
)

// Driver opens KittenTTS models.
type Driver struct {
	runtime    *onnx.Runtime
	pronouncer engines.Pronouncer
}

var (
	_ engines.Driver     = (*Driver)(nil)
	_ engines.TextReader = (*Driver)(nil)
	_ engines.Phonemized = (*Driver)(nil)
)

// NewDriver returns a driver; p makes the en-us phonemes of espeak-ng for all models.
func NewDriver(runtime *onnx.Runtime, p engines.Pronouncer) *Driver {
	return &Driver{runtime: runtime, pronouncer: p}
}

// Engine returns the engine's name in the registry.
func (d *Driver) Engine() string { return Name }

// TextFeatures returns what KittenTTS reads: phonemes, but no expression tags.
func (d *Driver) TextFeatures(string) engines.TextFeatures {
	return engines.TextFeatures{Phonemes: true}
}

// NeedsEspeak returns true: KittenTTS speaks its phonemes.
func (d *Driver) NeedsEspeak(string) bool { return true }

// Find returns the files of the one model in path, a folder or the graph itself. A folder belongs to this engine if its
// config names graph and voices, or a graph has the name of a published one; then a missing or truncated file is an
// error.
func (d *Driver) Find(path string) (engines.Files, bool, error) {
	dir, graph, ok, err := onnx.Locate(path, onnx.GraphExt)
	if !ok || err != nil {
		return nil, false, err
	}
	graphs, err := publishedGraphs(dir)
	if err != nil {
		return nil, false, err
	}
	c, err := readConfig(filepath.Join(dir, configName))
	switch {
	case !c.matches(graph, graphs):
		return nil, false, nil
	case err != nil:
		return nil, true, err
	}
	if graph == "" {
		if graph, err = c.graph(graphs); err != nil {
			return nil, true, err
		}
	}
	files, err := c.files(dir, graph)
	return files, true, err
}

// matches reports whether a folder with this config and these published graphs holds a model of this engine; with a graph,
// whether that graph is one.
func (c config) matches(graph string, graphs []string) bool {
	named := c.ModelFile != "" && strings.HasSuffix(c.Voices, ".npz")
	if graph == "" {
		return named || len(graphs) > 0
	}
	return named && c.ModelFile == graph || published.MatchString(graph)
}

// publishedGraphs returns the graphs of a folder that have the name of a published one.
func publishedGraphs(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("read folder: %w", err)
	}
	var graphs []string
	for _, e := range entries {
		if published.MatchString(e.Name()) && !engines.SideFile(e.Name()) {
			graphs = append(graphs, e.Name())
		}
	}
	return graphs, nil
}

// graph returns the name of the graph in a folder: the one that the config names, else the only one.
func (c config) graph(graphs []string) (string, error) {
	switch {
	case c.ModelFile != "":
		return c.ModelFile, nil
	case len(graphs) > 1:
		return "", onnx.TooManyGraphs(graphs[1])
	}
	return graphs[0], nil
}

// files checks and returns the files of a model.
func (c config) files(dir, graph string) (engines.Files, error) {
	voices := c.Voices
	if voices == "" {
		voices = voicesName
	}
	out := engines.Files{
		RoleGraph:  filepath.Join(dir, graph),
		RoleConfig: filepath.Join(dir, configName),
		RoleVoices: filepath.Join(dir, voices),
	}
	for _, role := range []string{RoleGraph, RoleVoices} {
		if _, err := os.Stat(out[role]); errors.Is(err, os.ErrNotExist) {
			return nil, onnx.Missing(out[role])
		}
	}
	if _, err := onnx.Inspect(out[RoleGraph]); err != nil {
		return nil, err
	}
	if _, err := listVoices(out[RoleVoices]); err != nil {
		return nil, err
	}
	return out, nil
}

// Describe reads the config and the list of voices. Errors: backend.CodeModelCorrupt naming the file.
func (d *Driver) Describe(files engines.Files) (engines.Description, error) {
	c, err := readConfig(files[RoleConfig])
	if err != nil {
		return engines.Description{}, err
	}
	names, err := listVoices(files[RoleVoices])
	if err != nil {
		return engines.Description{}, err
	}
	voices, err := c.voices(names, files[RoleVoices])
	if err != nil {
		return engines.Description{}, err
	}
	k := key(files[RoleGraph])
	return engines.Description{
		Key: k, Name: "KittenTTS " + k, Languages: []string{language}, SampleRate: sampleRate, Voices: voices,
	}, nil
}

// Open loads the model with the styles of all voices. Errors: backend.CodeModelCorrupt, CodeOutOfMemory,
// CodeRuntimeMissing (ONNX Runtime or espeak-ng).
func (d *Driver) Open(ctx context.Context, files engines.Files, o engines.Options) (engines.Engine, error) {
	place, err := d.runtime.Place(o)
	if err != nil {
		return nil, err
	}
	c, err := readConfig(files[RoleConfig])
	if err != nil {
		return nil, err
	}
	all, err := readStyles(files[RoleVoices])
	if err != nil {
		return nil, err
	}
	var names []string
	for name := range all {
		names = append(names, name)
	}
	voices, err := c.voices(names, files[RoleVoices])
	if err != nil {
		return nil, err
	}
	runtimes, err := d.runtime.Versions(ctx, d.pronouncer)
	if err != nil {
		return nil, err
	}
	perRun, callers := onnx.Threads(o.Threads, usualThreads)
	session, err := d.runtime.Open(ctx, files[RoleGraph], signature(), onnx.SessionOptions{Threads: perRun, Seeded: true, Place: place})
	if err != nil {
		return nil, err
	}
	return &Engine{
		key: key(files[RoleGraph]), config: c, frontend: newFrontend(d.pronouncer), session: session, styles: all,
		info: engines.Info{
			Engine: Name, SampleRate: sampleRate, Channels: 1, Languages: []string{language}, Voices: voices,
			MinSpeed: minSpeed, MaxSpeed: maxSpeed, TextFeatures: engines.TextFeatures{Phonemes: true}, Reproducible: session.Reproducible(),
			Concurrency: callers, Placement: place.Placement, Threads: perRun, Runtimes: runtimes,
		},
	}, nil
}
