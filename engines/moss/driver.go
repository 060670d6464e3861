package moss

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
)

// The roles of a model's files.
const (
	RoleManifest  = "manifest"          // browser_poc_manifest.json, which names the next two and the codec's
	RoleMeta      = "meta"              // tts_browser_onnx_meta.json, which names the graphs of the language model
	RoleTokenizer = "tokenizer"         // tokenizer.model
	RolePrefill   = "prefill"           // moss_tts_prefill.onnx
	RoleStep      = "decode_step"       // moss_tts_decode_step.onnx
	RoleFrame     = "local_frame"       // moss_tts_local_fixed_sampled_frame.onnx
	RoleCodec     = "codec_meta"        // codec_browser_onnx_meta.json of the second repository, which names the codec's graphs
	RoleEncode    = "codec_encode"      // moss_audio_tokenizer_encode.onnx
	RoleDecode    = "codec_decode_step" // moss_audio_tokenizer_decode_step.onnx
	RoleData      = "data/"             // before the name of a file of weights beside a graph
)

const (
	manifestName = "browser_poc_manifest.json"
	key          = "moss-tts-nano"
	shown        = "MOSS-TTS-Nano"
)

// Driver opens MOSS-TTS-Nano models.
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

// Abilities returns that each voice speaks all languages.
func (d *Driver) Abilities() engines.Abilities { return engines.Abilities{Multilingual: true} }

// CloneRules returns the rules of all models of this engine.
func (d *Driver) CloneRules(string) (engines.CloneRules, bool) { return rules(), true }

func rules() engines.CloneRules { return engines.CloneRules{Longest: longestReference} }

// Find returns the files of the model in path: the manifest, the folder with it, or a folder that has that folder in it. All
// files are checked, so a truncated one is reported.
func (d *Driver) Find(path string) (engines.Files, bool, error) {
	dir, file, ok, err := onnx.Locate(path, ".json")
	if !ok || err != nil {
		return nil, false, err
	}
	if file == "" {
		if file, err = findManifest(dir); file == "" || err != nil {
			return nil, err != nil, err
		}
	}
	if filepath.Base(file) != manifestName {
		return nil, false, nil
	}
	files, err := filesOf(filepath.Join(dir, file))
	return files, true, err
}

// findManifest returns the path of the only manifest in a folder, or in the folders of its first two levels, from that folder;
// empty if there is none.
func findManifest(dir string) (string, error) {
	var files []string
	for _, pattern := range []string{manifestName, "*/" + manifestName, "*/*/" + manifestName} {
		more, err := fs.Glob(os.DirFS(dir), pattern)
		if err != nil {
			return "", fmt.Errorf("find the model: %w", err)
		}
		if files = append(files, more...); len(files) > 0 {
			break
		}
	}
	if len(files) > 1 {
		return "", onnx.TooMany(files[1], "is one too many in the folders: choose one")
	}
	return filepath.FromSlash(strings.Join(files, "")), nil
}

// filesOf returns the files of the model with this manifest, all of which exist.
func filesOf(path string) (engines.Files, error) {
	m, err := readManifest(path)
	if err != nil {
		return nil, err
	}
	files := engines.Files{RoleManifest: path}
	for _, one := range []struct{ role, field, name string }{
		{RoleMeta, "tts_meta", m.Files.Meta}, {RoleTokenizer, "tokenizer_model", m.Files.Tokenizer}, {RoleCodec, "codec_meta", m.Files.Codec},
	} {
		if files[one.role], err = beside(path, "model_files."+one.field, one.name); err != nil {
			return nil, err
		}
	}
	lm, err := readMeta(files[RoleMeta])
	if err != nil {
		return nil, err
	}
	codec, err := readCodec(files[RoleCodec])
	if err != nil {
		return nil, err
	}
	for _, one := range []struct{ role, from, field, name string }{
		{RolePrefill, files[RoleMeta], "prefill", lm.Files.Prefill},
		{RoleStep, files[RoleMeta], "decode_step", lm.Files.Step},
		{RoleFrame, files[RoleMeta], "local_fixed_sampled_frame", lm.Files.Frame},
		{RoleEncode, files[RoleCodec], "encode", codec.Files.Encode},
		{RoleDecode, files[RoleCodec], "decode_step", codec.Files.Step},
	} {
		if files[one.role], err = beside(one.from, "files."+one.field, one.name); err != nil {
			return nil, err
		}
		if err := addWeights(files, files[one.role]); err != nil {
			return nil, err
		}
	}
	if _, _, err := readText(files); err != nil {
		return nil, err
	}
	return files, unique(files)
}

// beside returns the path of a file that a field of the file at path names: in the same folder, in one beside that, or in the
// same folder without the name of the other one, where a copied model has all its files.
func beside(path, field, name string) (string, error) {
	local := filepath.FromSlash(name)
	if !filepath.IsLocal(strings.TrimPrefix(local, ".."+string(filepath.Separator))) {
		return "", onnx.WrongValue(path, field, fmt.Errorf("found %q", name))
	}
	places := []string{filepath.Join(filepath.Dir(path), local), filepath.Join(filepath.Dir(path), filepath.Base(local))}
	i := slices.IndexFunc(places, onnx.IsFile)
	if i < 0 {
		return "", onnx.Missing(places[0])
	}
	return places[i], nil
}

// addWeights adds the files that hold the weights of a graph.
func addWeights(files engines.Files, graph string) error {
	m, err := onnx.Inspect(graph)
	if err != nil {
		return err
	}
	for _, name := range m.Outside() {
		files[RoleData+name] = filepath.Join(filepath.Dir(graph), filepath.FromSlash(name))
	}
	return m.CheckOutside(graph)
}

// unique checks that no two files have one name: a copied model has them all in one folder.
func unique(files engines.Files) error {
	seen := map[string]string{}
	for _, path := range files {
		name := strings.ToLower(filepath.Base(path))
		if seen[name] != "" && seen[name] != path {
			return onnx.Corrupt(path, "has the name of another file of the model")
		}
		seen[name] = path
	}
	return nil
}

// readText reads everything but the graphs.
func readText(files engines.Files) (config, *frontend, error) {
	c, err := readConfig(files)
	if err != nil {
		return config{}, nil, err
	}
	f, err := readFrontend(files, c.meta)
	return c, f, err
}

// readConfig reads the three descriptions.
func readConfig(files engines.Files) (config, error) {
	m, err := readManifest(files[RoleManifest])
	if err != nil {
		return config{}, err
	}
	lm, err := readMeta(files[RoleMeta])
	if err != nil {
		return config{}, err
	}
	codec, err := readCodec(files[RoleCodec])
	if err != nil {
		return config{}, err
	}
	c := config{manifest: m, meta: lm, codec: codec}
	return c, c.together(files)
}

// Describe reads the manifest and what it names. Errors: backend.CodeModelCorrupt naming the file and the field.
func (d *Driver) Describe(files engines.Files) (engines.Description, error) {
	c, err := readConfig(files)
	if err != nil {
		return engines.Description{}, err
	}
	return engines.Description{
		Key: key, Name: shown, Languages: slices.Clone(languages[:]), SampleRate: c.codec.Config.SampleRate,
		Voices: c.manifest.voices(), Clones: true,
	}, nil
}

// Open loads the model. Errors: backend.CodeModelCorrupt, CodeOutOfMemory, CodeRuntimeMissing.
func (d *Driver) Open(ctx context.Context, files engines.Files, o engines.Options) (engines.Engine, error) {
	place, err := d.runtime.Place(o)
	if err != nil {
		return nil, err
	}
	c, text, err := readText(files)
	if err != nil {
		return nil, err
	}
	runtimes, err := d.runtime.Versions(ctx, nil)
	if err != nil {
		return nil, err
	}
	perRun, callers := onnx.Threads(o.Threads, usualThreads())
	g, err := openGraphs(ctx, d.runtime, files, c, onnx.SessionOptions{Threads: perRun, Place: place})
	if err != nil {
		return nil, err
	}
	return newEngine(g, text, engines.Info{Placement: place.Placement, Threads: perRun, Concurrency: callers, Runtimes: runtimes}, o), nil
}
