package kokoro

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx"
)

// kit returns a file of the parity kit.
func kit(t testing.TB, parts ...string) string {
	t.Helper()
	return enginetest.KitFile(t, "kokoro", parts...)
}

func library(t testing.TB) *onnx.Runtime {
	t.Helper()
	return onnx.New(onnx.Options{Path: enginetest.Library(t)})
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	return raw
}

func write(t testing.TB, path string, content []byte) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, content, 0o600))
}

// styles returns the rows of the true voice files that the kit needs, by voice and row. A kit without its own is of the
// same voices as the one in testdata.
func styles(t testing.TB) map[string]map[string][]byte {
	t.Helper()
	const name = "styles.json.gz"
	f, err := os.Open(kit(t, name))
	if os.IsNotExist(err) {
		f, err = os.Open(filepath.Join("testdata", "kit", name))
	}
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	var out map[string]map[string][]byte
	require.NoError(t, json.NewDecoder(z).Decode(&out))
	return out
}

// voiceFile makes a voice file of its rows; a row that is not among them is like the one before.
func voiceFile(t testing.TB, rows map[string][]byte) []byte {
	t.Helper()
	var last []byte
	for _, row := range rows {
		last = row
	}
	out := make([]byte, 0, voiceBytes)
	for i := range styleRows {
		if row, ok := rows[strconv.Itoa(i)]; ok {
			last = row
		}
		require.Len(t, last, styleWidth*4)
		out = append(out, last...)
	}
	return out
}

// folder makes the folder of a model: a repository of the kit (repo, repo_tone, repo_timestamped) with the voices that
// the kit speaks with and, where there is an override, another graph of the kit.
func folder(t testing.TB, repo string, graph ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{configName, tokenizerName} {
		write(t, filepath.Join(dir, name), read(t, kit(t, repo, name)))
	}
	from := kit(t, repo, graphDir, mainGraph)
	if len(graph) > 0 {
		from = kit(t, graph...)
	}
	write(t, filepath.Join(dir, graphDir, mainGraph), read(t, from))
	for id, rows := range styles(t) {
		write(t, filepath.Join(dir, voiceDir, id+voiceExt), voiceFile(t, rows))
	}
	return dir
}

// letters is a front end whose phonemes are the lower-case letters and the marks themselves.
type letters struct{}

func (letters) Phonemes(_ context.Context, text string, _ bool) (string, error) {
	return strings.NewReplacer("[[", "", "]]", "").Replace(strings.ToLower(text)), nil
}

func (letters) Pronounce(_ context.Context, text, _ string, _ bool) (string, error) {
	return strings.ToLower(text), nil
}

func driver(t testing.TB) *Driver {
	t.Helper()
	return NewDriver(library(t), letters{}, letters{})
}

func openAt(t testing.TB, d *Driver, path string) *Engine {
	t.Helper()
	return enginetest.Open(t, d, path, 0).(*Engine)
}

type kitBatch struct {
	Phonemes     string           `json:"phonemes"`
	InputIDs     []int64          `json:"input_ids"`
	StyleRow     int              `json:"style_row"`
	StyleHead    []float32        `json:"style_head"`
	Raw          enginetest.Stats `json:"raw"`
	RawMid       []float32        `json:"raw_mid"`
	Trim         [2]int           `json:"trim"`
	Trimmed      enginetest.Stats `json:"trimmed"`
	PauseSamples int              `json:"pause_samples"`
	StyleRowJS   int              `json:"style_row_js"`
	RawJS        enginetest.Stats `json:"raw_js_rule"`
	Array        string           `json:"array"`
}

type kitCase struct {
	ID         int              `json:"id"`
	Language   string           `json:"lang"`
	Voice      string           `json:"voice"`
	Speed      float64          `json:"speed"`
	Text       string           `json:"text"`
	IsPhonemes bool             `json:"is_phonemes"`
	Phonemes   string           `json:"phonemes"`
	Batches    []kitBatch       `json:"batches"`
	Final      enginetest.Stats `json:"final"`
	Untrimmed  enginetest.Stats `json:"final_untrimmed"`
}

type timedCase struct {
	Phonemes   string           `json:"phonemes"`
	Speed      float64          `json:"speed"`
	SpeedFed   int32            `json:"speed_fed_int32"`
	Continuous bool             `json:"continuous"`
	Final      enginetest.Stats `json:"final"`
	Timings    [][]any          `json:"timings"`
}

type parityKit struct {
	Cases  []kitCase `json:"cases"`
	Errors []struct {
		Text string `json:"text"`
		Args struct {
			Voice      string  `json:"voice"`
			Speed      float64 `json:"speed"`
			Language   string  `json:"lang"`
			IsPhonemes bool    `json:"is_phonemes"`
		} `json:"args"`
	} `json:"errors"`
	Timed       []timedCase `json:"timed_variant"`
	Timestamped struct {
		Phonemes string           `json:"phonemes"`
		Voice    string           `json:"voice"`
		StyleRow int              `json:"style_row"`
		InputIDs []int64          `json:"input_ids"`
		Frames   []float64        `json:"frames"`
		Waveform enginetest.Stats `json:"waveform"`
	} `json:"timestamped"`
	Tone []struct {
		Speed        float64   `json:"speed"`
		InputIDs     []int     `json:"input_ids"`
		StyleRow     int       `json:"style_row"`
		Voice        string    `json:"voice"`
		Samples      int       `json:"samples"`
		FramesPerID  int       `json:"frames_per_id"`
		HeaderRatios []float64 `json:"header_ratios"`
	} `json:"tone"`
}

func readKit(t testing.TB) parityKit {
	t.Helper()
	var k parityKit
	require.NoError(t, json.Unmarshal(read(t, kit(t, "cases.json")), &k))
	require.NotEmpty(t, k.Cases)
	return k
}
