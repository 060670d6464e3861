package registry

import (
	"fmt"
	"path"
	"slices"
)

const samplesFolder = "samples"

// HasSamples reports whether the makers of a model publish samples of its voices.
func (e Entry) HasSamples() bool {
	return e.Engine == "piper" && len(e.Variants) > 0 && len(e.Variants[0].Files) > 0 && e.Variants[0].Files[0].Repo == PiperRepo
}

// Sample returns the file of the published sample of a voice, whose size and hash are unknown. It reports false for a voice or
// a model without one. Each Piper voice has the samples of its speakers, by their numbers, in the folder beside its graph.
func (e Entry) Sample(voice string) (File, bool) {
	i := slices.IndexFunc(e.Voices, func(v Voice) bool { return v.ID == voice })
	if i < 0 || !e.HasSamples() {
		return File{}, false
	}
	graph := e.Variants[0].Files[0]
	return File{
		Repo: graph.Repo, Revision: graph.Revision,
		Path: path.Join(path.Dir(graph.Path), samplesFolder, fmt.Sprintf("speaker_%d.mp3", i)),
	}, true
}

// IsSample reports whether a file of a repository, as the path in it, is a published sample of a voice.
func IsSample(file string) bool { return path.Base(path.Dir(file)) == samplesFolder }
