package pocket

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/tokens"
	"github.com/voicewright/voicewright/engines/voicecache"
)

// The roles of a model's files.
const (
	RoleBundle    = "bundle"           // bundle.json
	RoleBOS       = "bos"              // bos_before_voice.npy, where the bundle names it
	RoleTokenizer = "tokenizer"        // tokenizer.model
	RoleEncoder   = "mimi_encoder"     // mimi_encoder.onnx
	RoleText      = "text_conditioner" // text_conditioner.onnx
	RoleMain      = "flow_lm_main"     // flow_lm_main_int8.onnx or flow_lm_main.onnx
	RoleFlow      = "flow_lm_flow"
	RoleDecoder   = "mimi_decoder"
)

// The files of a model.
const (
	bundleFile = "bundle.json"
	graphsDir  = "onnx"
	small      = "_int8" // at the end of the names of graphs with 8 bit weights
)

// graphRoles lists the graphs. Those that run for each frame are preferred in their small form.
var graphRoles = [...]struct {
	role  string
	often bool
}{{RoleEncoder, false}, {RoleText, false}, {RoleMain, true}, {RoleFlow, true}, {RoleDecoder, true}}

// Driver opens Pocket TTS models.
type Driver struct{ runtime *onnx.Runtime }

var (
	_ engines.Driver      = (*Driver)(nil)
	_ engines.Able        = (*Driver)(nil)
	_ engines.CloneDriver = (*Driver)(nil)
)

// NewDriver returns a driver.
func NewDriver(runtime *onnx.Runtime) *Driver { return &Driver{runtime: runtime} }

// Engine returns the engine's name in the registry.
func (d *Driver) Engine() string { return Name }

// Abilities returns that frames are refined in steps.
func (d *Driver) Abilities() engines.Abilities { return engines.Abilities{Steps: true} }

// CloneRules returns that all models clone, with up to 30 seconds of a recording.
func (d *Driver) CloneRules(string) (engines.CloneRules, bool) { return rules, true }

var rules = engines.CloneRules{Longest: longest}

// Find returns the files of the model at a path: the folder of a bundle, a folder with one bundle in it, or a file of a bundle.
// Graphs with 8 bit weights are preferred unless the path names another one. All files are checked, so a truncated one is reported.
func (d *Driver) Find(at string) (engines.Files, bool, error) {
	dir, file, ok, err := onnx.Locate(at, onnx.GraphExt, ".json", ".model")
	if !ok || err != nil {
		return nil, false, err
	}
	if file == "" {
		if dir, err = bundleIn(dir); err != nil {
			return nil, true, err
		}
	}
	if !matches(filepath.Join(dir, bundleFile)) || file != "" && !named(file) {
		return nil, false, nil
	}
	b, err := readBundle(filepath.Join(dir, bundleFile))
	if err != nil {
		return nil, true, err
	}
	files, err := list(dir, b, strings.HasSuffix(file, onnx.GraphExt) && !strings.HasSuffix(file, small+onnx.GraphExt))
	if err != nil {
		return nil, true, err
	}
	return files, true, inspect(files, b)
}

// bundleIn returns the folder of the one bundle in dir; dir itself if there is none.
func bundleIn(dir string) (string, error) {
	for _, pattern := range []string{bundleFile, "*/" + bundleFile, graphsDir + "/*/" + bundleFile} {
		files, err := fs.Glob(os.DirFS(dir), pattern)
		if err != nil {
			return "", fmt.Errorf("look for models: %w", err)
		}
		files = slices.DeleteFunc(files, func(file string) bool { return !matches(filepath.Join(dir, filepath.FromSlash(file))) })
		switch {
		case len(files) == 1:
			return filepath.Join(dir, filepath.FromSlash(path.Dir(files[0]))), nil
		case len(files) > 1:
			return "", onnx.TooMany(path.Dir(files[0]), "is one model of several in its folder: choose the folder of one")
		}
	}
	return dir, nil
}

// matches reports whether a file looks like the bundle of a Pocket TTS model; other programs have a bundle.json, too.
func matches(file string) bool {
	raw, err := onnx.ReadSmall(file, maxBundle)
	return err == nil && strings.Contains(string(onnx.PlainText(raw)), "flow_lm_state_manifest")
}

// named reports whether a bundle has a file of this name.
func named(file string) bool {
	base, isGraph := strings.CutSuffix(file, onnx.GraphExt)
	if !isGraph {
		return true
	}
	base = strings.TrimSuffix(base, small)
	for _, g := range graphRoles {
		if g.role == base {
			return true
		}
	}
	return false
}

// list returns the files of a bundle. Errors: backend.CodeModelCorrupt naming the file that is missing.
func list(dir string, b *bundle, full bool) (engines.Files, error) {
	files := engines.Files{RoleBundle: filepath.Join(dir, bundleFile), RoleTokenizer: filepath.Join(dir, b.Tokenizer)}
	if b.BOS {
		files[RoleBOS] = filepath.Join(dir, b.BOSFile)
	}
	for _, g := range graphRoles {
		names := []string{g.role + onnx.GraphExt, g.role + small + onnx.GraphExt}
		if g.often && !full {
			slices.Reverse(names)
		}
		i := slices.IndexFunc(names, func(name string) bool { return onnx.IsFile(filepath.Join(dir, name)) })
		if i < 0 {
			return nil, onnx.Missing(g.role + onnx.GraphExt)
		}
		files[g.role] = filepath.Join(dir, names[i])
	}
	return files, nil
}

// inspect reads everything but the weights.
func inspect(files engines.Files, b *bundle) error {
	if _, err := readFrontend(files, b); err != nil {
		return err
	}
	if _, err := b.readBOS(files[RoleBOS]); err != nil {
		return err
	}
	for _, g := range graphRoles {
		if _, err := onnx.Inspect(files[g.role]); err != nil {
			return err
		}
	}
	return nil
}

// readFrontend reads the tokenizer. Errors: backend.CodeModelCorrupt naming the file.
func readFrontend(files engines.Files, b *bundle) (*frontend, error) {
	raw, err := onnx.ReadSmall(files[RoleTokenizer], maxTokenizer)
	if err != nil {
		return nil, err
	}
	t, err := tokens.ReadSentencePiece(raw)
	if err != nil {
		return nil, onnx.Corrupt(files[RoleTokenizer], "is damaged or cut off").WithCause(err)
	}
	return &frontend{bundle: b, tokens: t}, nil
}

// Describe reads the bundle. Errors: backend.CodeModelCorrupt naming the file and the field.
func (d *Driver) Describe(files engines.Files) (engines.Description, error) {
	b, err := readBundle(files[RoleBundle])
	if err != nil {
		return engines.Description{}, err
	}
	return engines.Description{
		Key: Name + "-" + b.Name, Name: b.title(), Languages: []string{b.spoken.tag}, SampleRate: b.Rate, Clones: true,
	}, nil
}

// title returns the name to show, such as Pocket TTS German 24l for german_24l.
func (b *bundle) title() string {
	_, edition, _ := strings.Cut(b.Language, "_")
	return strings.TrimSpace("Pocket TTS " + b.spoken.name + " " + edition)
}

// Open loads the model. Errors: backend.CodeModelCorrupt, CodeOutOfMemory, CodeRuntimeMissing.
func (d *Driver) Open(ctx context.Context, files engines.Files, o engines.Options) (engines.Engine, error) {
	place, err := d.runtime.Place(o)
	if err != nil {
		return nil, err
	}
	b, err := readBundle(files[RoleBundle])
	if err != nil {
		return nil, err
	}
	f, err := readFrontend(files, b)
	if err != nil {
		return nil, err
	}
	bos, err := b.readBOS(files[RoleBOS])
	if err != nil {
		return nil, err
	}
	perRun, callers := onnx.Threads(o.Threads, usualThreads())
	runtimes, err := d.runtime.Versions(ctx, nil)
	if err != nil {
		return nil, err
	}
	g, err := openGraphs(ctx, d.runtime, files, b, onnx.SessionOptions{Threads: perRun, Place: place})
	if err != nil {
		return nil, err
	}
	g.bos = bos
	return &Engine{
		frontend: f, graphs: g, name: b.title(),
		voices: voicecache.New(voicecache.Options[*voice]{
			Name:    strings.Join([]string{Name, strconv.Itoa(voiceFormat), o.Model, o.Revision, filepath.Base(files[RoleMain])}, " "),
			Entries: voices, Encode: store, Decode: b.restore,
		}),
		info: engines.Info{
			Engine: Name, SampleRate: b.Rate, Channels: 1, Languages: []string{b.spoken.tag}, MinSpeed: 1, MaxSpeed: 1,
			Steps: usualSteps, Clones: &engines.CloneRules{Longest: longest}, Reproducible: g.sessions().Reproducible(), Concurrency: callers,
			Placement: place.Placement, Threads: perRun, Runtimes: runtimes,
		},
	}, nil
}
