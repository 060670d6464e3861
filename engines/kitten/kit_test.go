package kitten

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx"
)

// kit returns a file of the parity kit.
func kit(t testing.TB, parts ...string) string {
	t.Helper()
	return enginetest.KitFile(t, "kitten", parts...)
}

// modelDir makes a folder of links to a repository of the kit (repo, repo_mini, repo_tone), which share their voices.
func modelDir(t testing.TB, repo string) string {
	t.Helper()
	dir := t.TempDir()
	entries, err := os.ReadDir(kit(t, repo))
	require.NoError(t, err)
	files := map[string]string{voicesName: kit(t, "repo", voicesName)}
	for _, e := range entries {
		files[e.Name()] = kit(t, repo, e.Name())
	}
	for name, target := range files {
		require.NoError(t, os.Symlink(target, filepath.Join(dir, name)))
	}
	return dir
}

// newDriver makes a driver on the ONNX Runtime of this machine.
func newDriver(t testing.TB, p engines.Pronouncer) *Driver {
	t.Helper()
	return NewDriver(onnx.New(onnx.Options{Path: enginetest.Library(t)}), p)
}

// open opens the model in a folder.
func open(t testing.TB, dir string, p engines.Pronouncer, threads int) *Engine {
	t.Helper()
	return enginetest.Open(t, newDriver(t, p), dir, threads).(*Engine)
}

// letters is a pronouncer whose phonemes are the lower-case letters themselves; digits are ten letters each.
type letters struct{}

func (letters) Pronounce(_ context.Context, s, _ string, _ bool) (string, error) {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		switch {
		case r < unicode.MaxASCII && unicode.IsLetter(r):
			b.WriteRune(r)
		case r >= '0' && r <= '9':
			b.WriteString(strings.Repeat(string('a'+r-'0'), 10))
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		}
	}
	return strings.Join(strings.Fields(b.String()), " "), nil
}

// kitChunk is one graph run of a case.
type kitChunk struct {
	Text        string           `json:"text"`
	Phonemes    string           `json:"phonemes"`
	Joined      string           `json:"joined"`
	IDs         []int64          `json:"input_ids"`
	StyleRow    int              `json:"style_row"`
	StyleHead   []float32        `json:"style_head"`
	SpeedFed    float32          `json:"speed_fed"`
	Durations   []int64          `json:"durations"`
	Waveform    enginetest.Stats `json:"waveform"`
	WaveformMid []float32        `json:"waveform_mid"`
	AfterCut    enginetest.Stats `json:"after_cut"`
	Under151    json.RawMessage  `json:"input_ids_cli_1_51"`
	Array       string           `json:"array"`
}

// with151 returns the ids for the phonemes of espeak-ng 1.51.
func (c kitChunk) with151(t *testing.T) []int64 {
	t.Helper()
	if string(c.Under151) == `"same"` {
		return c.IDs
	}
	var ids []int64
	require.NoError(t, json.Unmarshal(c.Under151, &ids))
	return ids
}

type kitCase struct {
	ID     int              `json:"id"`
	Model  string           `json:"model"`
	Voice  string           `json:"voice"`
	Speed  float64          `json:"speed"`
	Text   string           `json:"text"`
	Chunks []kitChunk       `json:"chunks"`
	Final  enginetest.Stats `json:"final"`
}

// dir returns the folder of the case's model.
func (c kitCase) dir(t testing.TB) string {
	return modelDir(t, map[string]string{"nano": "repo", "mini": "repo_mini"}[c.Model])
}

type parityKit struct {
	CheckVector struct {
		Phonemes string  `json:"phonemes"`
		IDs      []int64 `json:"input_ids"`
	} `json:"check_vector"`
	Cases []kitCase `json:"cases"`
}

func readKit(t testing.TB) parityKit {
	t.Helper()
	var k parityKit
	raw, err := os.ReadFile(kit(t, "cases.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &k))
	require.NotEmpty(t, k.Cases)
	return k
}
