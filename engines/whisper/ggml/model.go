// Package ggml reads the header of whisper.cpp's model files and checks that they are complete. whisper.cpp ends the whole
// process on some damaged files, so every file is checked before the library reads it. The data of the weights is not read,
// which makes the check quick for files of any size; the hashes of the registry cover it.
package ggml

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/voicewright/voicewright/backend"
)

// Model is what the header of a file says.
type Model struct {
	Vocabulary  int // tokens: 51864 English-only, 51865 multilingual, 51866 multilingual with Cantonese
	AudioState  int // width of the encoder
	AudioHeads  int
	AudioLayers int
	TextState   int // width of the decoder, equal to AudioState
	TextHeads   int
	TextLayers  int
	Mels        int // 80 or 128
	FileType    int // ggml's number of the type of most weights, see Weights
}

// multilingual is the smallest vocabulary with languages other than English.
const multilingual = 51865

// Multilingual reports whether the model has languages other than English.
func (m Model) Multilingual() bool { return m.Vocabulary >= multilingual }

// Languages returns the languages of the model as BCP 47 tags, English first.
func (m Model) Languages() []string {
	if !m.Multilingual() {
		return []string{"en"}
	}
	return slices.Clone(languages[:m.Vocabulary-multilingual+firstLanguages])
}

// Size returns the name of the size, such as tiny, base or large-v3-turbo; empty for a model of other layers.
func (m Model) Size() string {
	for _, s := range sizes {
		if m.AudioLayers == s.audio && m.TextLayers == s.text {
			return s.name
		}
	}
	return ""
}

var sizes = []struct {
	name        string
	audio, text int // layers
}{
	{"tiny", 4, 4}, {"base", 6, 6}, {"small", 12, 12}, {"medium", 24, 24}, {"large", 32, 32}, {"large-v3-turbo", 32, 4},
}

// Weights returns the type of most weights: f32, f16, q4_0, q4_1, q5_0, q5_1 or q8_0.
func (m Model) Weights() string { return weightTypes[m.FileType].name }

// Is reports whether the file at path begins as a ggml file. Errors are those of reading it.
func Is(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer func() { _ = f.Close() }()
	var head [4]byte
	n, _ := f.ReadAt(head[:], 0)
	return n == len(head) && order.Uint32(head[:]) == magic, nil
}

// Check reads the header of the model file at path and checks the whole file. Error: backend.CodeModelCorrupt, saying what is
// wrong at which byte.
func Check(path string) (Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return Model{}, errCorrupt(path, "it cannot be opened").WithCause(err)
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return Model{}, errCorrupt(path, "it is not a regular file").WithCause(err)
	}
	m, err := Parse(f, info.Size())
	if err != nil {
		return Model{}, errCorrupt(path, err.Error()).WithCause(err)
	}
	return m, nil
}

func errCorrupt(path, reason string) *backend.Error {
	name := filepath.Base(path)
	return backend.E(backend.CodeModelCorrupt, fmt.Sprintf("The model file %s cannot be used: %s.", name, reason),
		"Download it again, or use another copy of it.").With("file", name).With("reason", reason)
}

// FormatError is what is wrong with a file.
type FormatError struct {
	Offset int64 // in bytes, where it was found
	Reason string
}

// Error returns the reason and the place.
func (e *FormatError) Error() string { return fmt.Sprintf("%s (at byte %d)", e.Reason, e.Offset) }
