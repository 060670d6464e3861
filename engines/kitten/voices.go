package kitten

import (
	"archive/zip"
	"fmt"
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

// maxVoices bounds how many voices a file may have; the published ones have 8.
const maxVoices = 1024

// styles are the rows of the voices, flat, by voice.
type styles map[string][]float32

// row gives the style of a voice for a text of so many characters; the last row serves all longer texts.
func (s styles) row(voice string, characters int) []float32 {
	at := min(characters, styleRows-1) * styleSize
	return s[voice][at : at+styleSize]
}

// readStyles reads voices.npz: a zip with one array of 400 rows of 256 float32 for each voice. Errors are
// backend.CodeModelCorrupt naming the file and the voice.
func readStyles(path string) (styles, error) {
	archive, err := zip.OpenReader(path)
	if err != nil {
		return nil, onnx.Corrupt(path, "is damaged or cut off").Because(err)
	}
	defer func() { _ = archive.Close() }()
	if len(archive.File) > maxVoices {
		return nil, onnx.Corrupt(path, fmt.Sprintf("has %d voices, more than %d", len(archive.File), maxVoices))
	}
	all := styles{}
	for _, f := range archive.File {
		voice, ok := strings.CutSuffix(f.Name, arrayExt)
		if !ok {
			continue
		}
		if all[voice], err = readStyle(f); err != nil {
			return nil, onnx.Corrupt(path, fmt.Sprintf("has a damaged voice %s: %v", voice, err)).Because(err)
		}
	}
	if len(all) == 0 {
		return nil, onnx.Corrupt(path, "has no voices")
	}
	return all, nil
}

func readStyle(f *zip.File) ([]float32, error) {
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("open array: %w", err)
	}
	defer func() { _ = r.Close() }()
	return readNpy(r, styleRows, styleSize)
}

// listVoices gives the names of the voices in voices.npz without reading their styles.
func listVoices(path string) ([]string, error) {
	archive, err := zip.OpenReader(path)
	if err != nil {
		return nil, onnx.Corrupt(path, "is damaged or cut off").Because(err)
	}
	defer func() { _ = archive.Close() }()
	var names []string
	for _, f := range archive.File {
		if voice, ok := strings.CutSuffix(f.Name, arrayExt); ok {
			names = append(names, voice)
		}
	}
	if len(names) == 0 {
		return nil, onnx.Corrupt(path, "has no voices")
	}
	return names, nil
}

// voices describes the named voices in the order of their names, each with the name that the config gives it. An alias
// of a voice that is not there is an error that names the style file at path.
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

// gender reads the end of a voice's name, as in expr-voice-2-f.
func gender(name string) string {
	switch {
	case strings.HasSuffix(name, "-f"):
		return "female"
	case strings.HasSuffix(name, "-m"):
		return "male"
	}
	return ""
}
