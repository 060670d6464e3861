package chatterbox

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/voicecache"
)

// The roles of a model's files. A graph's weights are in a file of its own beside it, with _data after the graph's name.
const (
	RoleEncoder   = "speech_encoder"      // onnx/speech_encoder*.onnx
	RoleEmbed     = "embed_tokens"        // onnx/embed_tokens*.onnx
	RoleLanguage  = "language_model"      // onnx/language_model*.onnx
	RoleDecoder   = "conditional_decoder" // onnx/conditional_decoder*.onnx
	RoleTokenizer = "tokenizer"           // tokenizer.json
	RoleCangjie   = "cangjie"             // Cangjie5_TC.json, for Chinese; only Multilingual

	roleData = "_data" // after the role of a graph: its weights
)

// graphRoles are the roles of the graphs, which are the beginnings of their names as well.
var graphRoles = [...]string{RoleEncoder, RoleEmbed, RoleLanguage, RoleDecoder}

// suffixes are the ends of the names of a graph's editions, the first that is there is used. Those with float16 come last, as
// most of them cannot be used.
var suffixes = [...]string{"_q4", "", "_quantized", "_q4f16", "_fp16"}

const (
	graphsDir     = "onnx"
	tokenizerFile = "tokenizer.json"
	cangjieFile   = "Cangjie5_TC.json"
)

// likeOurs is how many of the graphs a folder of this engine has at least: other engines use some of the names, too.
const likeOurs = 2

// Driver opens Chatterbox models.
type Driver struct{ runtime *onnx.Runtime }

var (
	_ engines.Driver      = (*Driver)(nil)
	_ engines.CloneDriver = (*Driver)(nil)
	_ engines.TextReader  = (*Driver)(nil)
)

// NewDriver returns a driver.
func NewDriver(runtime *onnx.Runtime) *Driver { return &Driver{runtime: runtime} }

// Engine returns the engine's name in the registry.
func (d *Driver) Engine() string { return Name }

// CloneRules returns the lengths of a reference that a model can use: more than 5 s for Turbo and Nano.
func (d *Driver) CloneRules(key string) (engines.CloneRules, bool) {
	e, ok := editions[key]
	return e.rules, ok
}

// TextFeatures returns the expression tags of Turbo and Nano; Multilingual has none.
func (d *Driver) TextFeatures(key string) engines.TextFeatures {
	if key == keyMultilingual {
		return engines.TextFeatures{}
	}
	return engines.TextFeatures{Tags: slices.Clone(marks[:])}
}

// Find returns the files of the model in path: the folder with tokenizer.json and onnx in it, the folder onnx itself, or one of
// the graphs. The graphs and their weights are checked, so a truncated file is reported.
func (d *Driver) Find(path string) (engines.Files, bool, error) {
	dir, file, ok, err := onnx.Locate(path, onnx.GraphExt)
	if !ok || err != nil {
		return nil, false, err
	}
	if file == "" && graphsIn(filepath.Join(dir, graphsDir)) >= likeOurs {
		dir = filepath.Join(dir, graphsDir)
	}
	if graphsIn(dir) < likeOurs || file != "" && roleOf(file) == "" {
		return nil, false, nil
	}
	files, err := find(dir, file)
	if err != nil {
		return nil, true, err
	}
	s, err := readSizes(files)
	if err != nil {
		return nil, true, err
	}
	if _, err := readFrontend(files, s.edition()); err != nil {
		return nil, true, err
	}
	return files, true, nil
}

// roleOf returns the role of a graph by its name, empty for other files.
func roleOf(file string) string {
	for _, role := range graphRoles {
		suffix, ok := strings.CutPrefix(strings.TrimSuffix(file, onnx.GraphExt), role)
		if ok && slices.Contains(suffixes[:], suffix) {
			return role
		}
	}
	return ""
}

// graph returns the file of a role in a folder; ok is false if there is none.
func graph(dir, role string) (path string, ok bool) {
	for _, suffix := range suffixes {
		if path := filepath.Join(dir, role+suffix+onnx.GraphExt); onnx.IsFile(path) {
			return path, true
		}
	}
	return "", false
}

// graphsIn returns how many of the graphs are in a folder.
func graphsIn(dir string) int {
	found := 0
	for _, role := range graphRoles {
		if _, ok := graph(dir, role); ok {
			found++
		}
	}
	return found
}

// find returns the files of the model whose graphs are in dir; chosen is the name of a graph that is used before others of its
// role, or empty.
func find(dir, chosen string) (engines.Files, error) {
	files := engines.Files{}
	for _, role := range graphRoles {
		path, ok := graph(dir, role)
		switch {
		case chosen != "" && roleOf(chosen) == role:
			path = filepath.Join(dir, chosen)
		case !ok:
			return nil, onnx.Missing(role + onnx.GraphExt)
		}
		files[role] = path
		if data := path + roleData; onnx.IsFile(data) {
			files[role+roleData] = data
		}
	}
	for role, name := range map[string]string{RoleTokenizer: tokenizerFile, RoleCangjie: cangjieFile} {
		for _, folder := range []string{dir, filepath.Dir(dir)} {
			if file := filepath.Join(folder, name); onnx.IsFile(file) && files[role] == "" {
				files[role] = file
			}
		}
	}
	if files[RoleTokenizer] == "" {
		return nil, onnx.Missing(tokenizerFile)
	}
	return files, nil
}

// Describe reads the shapes of the graphs and the tokenizer. Errors: backend.CodeModelCorrupt naming the file.
func (d *Driver) Describe(files engines.Files) (engines.Description, error) {
	s, err := readSizes(files)
	if err != nil {
		return engines.Description{}, err
	}
	f, err := readFrontend(files, s.edition())
	if err != nil {
		return engines.Description{}, err
	}
	return engines.Description{
		Key: f.edition.key, Name: f.edition.name, Languages: slices.Clone(f.languages), SampleRate: sampleRate, Clones: true,
	}, nil
}

// preparation names the way in which references are prepared: stored voices of another one are not used.
const preparation = Name + " 1"

// Open loads the model. Errors: backend.CodeModelCorrupt, CodeOutOfMemory, CodeRuntimeMissing.
func (d *Driver) Open(ctx context.Context, files engines.Files, o engines.Options) (engines.Engine, error) {
	place, err := d.runtime.Place(o)
	if err != nil {
		return nil, err
	}
	s, err := readSizes(files)
	if err != nil {
		return nil, err
	}
	f, err := readFrontend(files, s.edition())
	if err != nil {
		return nil, err
	}
	perRun, callers := onnx.Threads(o.Threads, usualThreads())
	runtimes, err := d.runtime.Versions(ctx, nil)
	if err != nil {
		return nil, err
	}
	g, err := openGraphs(ctx, d.runtime, files, s, onnx.SessionOptions{Threads: perRun, Seeded: true, Place: place})
	if err != nil {
		return nil, err
	}
	rules := f.edition.rules
	return &Engine{
		edition: f.edition, frontend: f, graphs: g,
		voices: voicecache.New(voicecache.Options[*voice]{
			Name: fmt.Sprintf("%s %s %s %s", preparation, f.edition.key, o.Model, o.Revision), Entries: keptVoices,
			Encode: encodeVoice, Decode: func(raw []byte) (*voice, error) { return decodeVoice(s, raw) },
		}),
		info: engines.Info{
			Engine: Name, SampleRate: sampleRate, Channels: 1, Languages: f.languages, MinSpeed: 1, MaxSpeed: 1,
			Pauses: pauses(), TextFeatures: engines.TextFeatures{Tags: f.tags}, Clones: &rules,
			Reproducible: g.sessions().Reproducible(), Concurrency: callers, Placement: place.Placement, Threads: perRun, Runtimes: runtimes,
		},
	}, nil
}
