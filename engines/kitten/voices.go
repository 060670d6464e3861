package kitten

import (
	"archive/zip"
	"fmt"
	"io"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
)

// The styles of one voice: a row for each length of text, in characters.
const (
	styleRows = 400
	styleSize = 256
)

const arrayExt = ".npy"

// maxStyles is the largest style file that is opened, in bytes; the published ones have 3.3 MB.
const maxStyles = 32 << 20

// styles are the rows of the voices, flat, by voice.
type styles map[string][]float32

// row returns the style of a voice for a text of so many characters; the last row serves all longer texts.
func (s styles) row(voice string, characters int) []float32 {
	at := min(characters, styleRows-1) * styleSize
	return s[voice][at : at+styleSize]
}

// openStyles opens voices.npz and returns its arrays by voice. The caller closes the file. Errors are
// backend.CodeModelCorrupt naming the file.
func openStyles(path string) (io.Closer, map[string]*zip.File, error) {
	f, size, err := onnx.OpenFile(path)
	if err != nil {
		return nil, nil, err
	}
	arrays, err := arraysIn(f, path, size)
	if err != nil {
		_ = f.Close()
		return nil, nil, err
	}
	return f, arrays, nil
}

func arraysIn(f io.ReaderAt, path string, size int64) (map[string]*zip.File, error) {
	if size > maxStyles {
		return nil, onnx.Corrupt(path, fmt.Sprintf("is larger than %d bytes", maxStyles))
	}
	archive, err := zip.NewReader(f, size)
	if err != nil {
		return nil, onnx.Corrupt(path, "is damaged or cut off").WithCause(err)
	}
	arrays := map[string]*zip.File{}
	for _, a := range archive.File {
		if voice, ok := strings.CutSuffix(a.Name, arrayExt); ok {
			arrays[voice] = a
		}
	}
	switch n := len(arrays); {
	case n == 0:
		return nil, onnx.Corrupt(path, "has no voices")
	case n > onnx.MaxVoiceFiles:
		return nil, onnx.TooManyVoices(path, n)
	}
	return arrays, nil
}

// readStyles reads voices.npz: a zip with one array of 400 rows of 256 float32 for each voice. Errors are
// backend.CodeModelCorrupt naming the file and the voice.
func readStyles(path string) (styles, error) {
	file, arrays, err := openStyles(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	all := styles{}
	for voice, array := range arrays {
		if all[voice], err = readStyle(array); err != nil {
			return nil, onnx.Corrupt(path, fmt.Sprintf("has a damaged voice %s: %v", voice, err)).WithCause(err)
		}
	}
	return all, nil
}

func readStyle(f *zip.File) ([]float32, error) {
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("open array: %w", err)
	}
	defer func() { _ = r.Close() }()
	return onnx.ReadNpy(r, styleRows, styleSize)
}

// listVoices returns the names of the voices in voices.npz without reading their styles.
func listVoices(path string) ([]string, error) {
	file, arrays, err := openStyles(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return slices.Collect(maps.Keys(arrays)), nil
}

// voices returns the named voices in the order of their names, with the names to show from the config. An alias of a
// missing voice is an error that names the style file at path.
func (c config) voices(names []string, path string) ([]engines.Voice, error) {
	have := map[string]bool{}
	for _, name := range names {
		have[name] = true
	}
	shown := map[string]string{}
	for alias, voice := range c.Aliases {
		if !have[voice] {
			return nil, onnx.Corrupt(path, "lacks the voice "+voice)
		}
		if first, ok := shown[voice]; !ok || alias < first {
			shown[voice] = alias
		}
	}
	out := make([]engines.Voice, 0, len(names))
	for _, name := range names {
		v := engines.Voice{ID: name, Name: shown[name], Language: language, Gender: gender(name)}
		if v.Name == "" {
			v.Name = name
		}
		out = append(out, v)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].ID < out[j].ID })
	return out, nil
}

// gender returns the gender at the end of a voice's name, as in expr-voice-2-f.
func gender(name string) string {
	switch {
	case strings.HasSuffix(name, "-f"):
		return "female"
	case strings.HasSuffix(name, "-m"):
		return "male"
	}
	return ""
}
