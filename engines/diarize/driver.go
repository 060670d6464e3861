package diarize

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
	RoleSegmentation = "segmentation"
	RoleEmbedding    = "embedding"
)

// The keys of metadata that tell the networks apart.
const (
	keyClasses   = "powerset_max_classes" // only of segmentation networks
	keyFramework = "framework"            // only of embedding networks

)

// trained are the settings of the filter bank by the framework that an embedding network was trained with: 3D-Speaker's
// (torchaudio's kaldi.fbank as speakerlab calls it) and WeSpeaker's (wespeaker/dataset/processor.py, compute_fbank and
// apply_cmvn). sherpa-onnx runs all of them with other ones. Unverified with published networks.
var trained = map[string]Features{
	"3d-speaker": {Snip: true, MeanFree: true},
	"wespeaker":  {Snip: true, Hamming: true, Loud: true, MeanFree: true},
}

// Driver opens pairs of networks.
type Driver struct{ runtime *onnx.Runtime }

var (
	_ engines.Driver = (*Driver)(nil)
	_ engines.Able   = (*Driver)(nil)
)

// NewDriver returns a driver.
func NewDriver(runtime *onnx.Runtime) *Driver { return &Driver{runtime: runtime} }

// Engine returns the engine's name in the registry.
func (d *Driver) Engine() string { return Name }

// Abilities returns what the models can do: they tell speakers apart.
func (d *Driver) Abilities() engines.Abilities { return engines.Abilities{Diarizes: true} }

// Find returns the networks in a folder: one of each kind, told apart by what they say about themselves.
func (d *Driver) Find(path string) (engines.Files, bool, error) {
	dir, _, ok, err := onnx.Locate(path, onnx.GraphExt)
	if !ok || err != nil {
		return nil, false, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, false, fmt.Errorf("read folder: %w", err)
	}
	files := engines.Files{}
	for _, entry := range entries {
		name := filepath.Join(dir, entry.Name())
		if filepath.Ext(name) != onnx.GraphExt || engines.SideFile(entry.Name()) {
			continue
		}
		role := roleOf(name)
		if files[role] != "" && role != "" {
			return nil, true, onnx.TooManyGraphs(name)
		}
		files[role] = name
	}
	delete(files, "")
	switch {
	case files[RoleSegmentation] == "":
		return nil, false, nil
	case files[RoleEmbedding] == "":
		return nil, true, onnx.Missing(filepath.Join(dir, "embedding"+onnx.GraphExt))
	}
	return files, true, nil
}

// roleOf returns which network a graph is; empty for another one, and for what is no graph.
func roleOf(path string) string {
	m, err := onnx.Inspect(path)
	switch {
	case err != nil:
		return ""
	case m.Metadata[keyClasses] != "":
		return RoleSegmentation
	case m.Metadata[keyFramework] != "":
		return RoleEmbedding
	}
	return ""
}

// Describe reads what the networks say about themselves. Errors: backend.CodeModelCorrupt naming the file.
func (d *Driver) Describe(files engines.Files) (engines.Description, error) {
	m, err := onnx.Inspect(files[RoleSegmentation])
	if err != nil {
		return engines.Description{}, err
	}
	if _, err := readShape(files[RoleSegmentation], m.Metadata); err != nil {
		return engines.Description{}, err
	}
	if _, err := features(files[RoleEmbedding]); err != nil {
		return engines.Description{}, err
	}
	key := strings.TrimSuffix(filepath.Base(files[RoleEmbedding]), onnx.GraphExt) // one segmentation network serves many of these
	return engines.Description{Key: key, Name: "Speakers (" + key + ")", SampleRate: Rate}, nil
}

// features returns the settings of the filter bank of an embedding network.
func features(path string) (Features, error) {
	m, err := onnx.Inspect(path)
	if err != nil {
		return Features{}, err
	}
	framework := m.Metadata[keyFramework]
	o, ok := trained[framework]
	if !ok {
		return Features{}, onnx.WrongValue(path, keyFramework, errors.New("is "+framework+", which is not known"))
	}
	return o, nil
}

// Open loads the networks. Errors: backend.CodeModelCorrupt naming the file, backend.CodeRuntimeMissing, backend.CodeOutOfMemory,
// backend.CodeUnsupportedGPU.
func (d *Driver) Open(ctx context.Context, files engines.Files, o engines.Options) (engines.Engine, error) {
	place, err := d.runtime.Place(o)
	if err != nil {
		return nil, err
	}
	settings, err := features(files[RoleEmbedding])
	if err != nil {
		return nil, err
	}
	versions, err := d.runtime.Versions(ctx, nil)
	if err != nil {
		return nil, err
	}
	run := onnx.SessionOptions{Threads: o.Threads, Place: place}
	e, err := open(ctx, d.runtime, files[RoleSegmentation], files[RoleEmbedding], settings, run)
	if err != nil {
		return nil, err
	}
	e.info.Runtimes, e.info.Placement = versions, place.Placement
	return e, nil
}
