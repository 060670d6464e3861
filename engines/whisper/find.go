package whisper

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/whisper/ggml"
)

// extension ends the names of model files.
const extension = ".bin"

// Find finds the model in path: a ggml file, or a folder with one. Error: backend.CodeModelCorrupt for a folder with several.
func (*Driver) Find(path string) (engines.Files, bool, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, false, nil //nolint:nilerr // the caller reports a path that does not exist
	}
	if !info.IsDir() {
		return engines.Files{RoleModel: path}, isModel(path), nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, false, backend.FileError("read the folder", path, err)
	}
	var files []string
	for _, e := range entries {
		if file := filepath.Join(path, e.Name()); strings.EqualFold(filepath.Ext(e.Name()), extension) &&
			!engines.SideFile(e.Name()) && isModel(file) {
			files = append(files, file)
		}
	}
	switch len(files) {
	case 0:
		return nil, false, nil
	case 1:
		return engines.Files{RoleModel: files[0]}, true, nil
	default:
		return nil, true, backend.E(backend.CodeModelCorrupt,
			"The folder has several Whisper models, such as "+filepath.Base(files[0])+" and "+filepath.Base(files[1])+".",
			"Choose one of the files.").With("path", path)
	}
}

// isModel reports whether a file begins as a model. Pipes and devices, which could block, do not.
func isModel(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	ok, err := ggml.Is(path)
	return ok && err == nil
}

// Describe reads and checks the file. Error: backend.CodeModelCorrupt, saying what is wrong with it.
func (*Driver) Describe(files engines.Files) (engines.Description, error) {
	m, err := ggml.Check(files[RoleModel])
	if err != nil {
		return engines.Description{}, err
	}
	key := nameOf(files[RoleModel])
	return engines.Description{
		Key: key, Name: "Whisper " + key, Languages: m.Languages(), SampleRate: engines.TranscriberRate,
	}, nil
}

// nameOf returns NAME of a file ggml-NAME.bin.
func nameOf(path string) string {
	base := filepath.Base(path)
	base = strings.TrimSuffix(base, filepath.Ext(base))
	return cmp.Or(strings.TrimPrefix(base, "ggml-"), base)
}
