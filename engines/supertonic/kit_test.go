package supertonic

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx"
)

// kit returns a file of the parity kit.
func kit(t testing.TB, parts ...string) string {
	t.Helper()
	return enginetest.KitFile(t, "supertonic", parts...)
}

func library(t testing.TB) *onnx.Runtime {
	t.Helper()
	return onnx.New(onnx.Options{Path: enginetest.Library(t)})
}

// openKit opens the kit's model.
func openKit(t testing.TB, threads int) *Engine {
	t.Helper()
	return openAt(t, kit(t, "repo"), threads)
}

func openAt(t testing.TB, path string, threads int) *Engine {
	t.Helper()
	return enginetest.Open(t, NewDriver(library(t)), path, threads).(*Engine)
}

// folder copies the kit's model, with other contents for some files; nil leaves a file out.
func folder(t testing.TB, changed map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS(kit(t, "repo"))))
	for name, content := range changed {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.RemoveAll(path))
		if content != nil {
			require.NoError(t, os.WriteFile(path, content, 0o600))
		}
	}
	return dir
}

// edited returns a text file of the kit's model with one part replaced.
func edited(t *testing.T, name, from, to string) []byte {
	t.Helper()
	raw, err := os.ReadFile(kit(t, "repo", filepath.FromSlash(name)))
	require.NoError(t, err)
	require.Contains(t, string(raw), from)
	return []byte(strings.Replace(string(raw), from, to, 1))
}

type normalizeCase struct {
	Text       string   `json:"text"`
	Lang       string   `json:"lang"`
	Normalized string   `json:"normalized"`
	NoTag      string   `json:"normalized_no_tag"`
	IDs        []*int64 `json:"ids"`
	IDsDropped []int64  `json:"ids_dropped"`
	Error      string   `json:"error"`
}

type chunkCase struct {
	Text   string   `json:"text"`
	MaxLen int      `json:"max_len"`
	Chunks []string `json:"chunks"`
	Error  string   `json:"error"`
}

// array is the name of a file of numbers.
type array struct {
	File string `json:"file"`
}

func (a array) read(t *testing.T) []float32 {
	t.Helper()
	return enginetest.ReadNpy[float32](t, kit(t, filepath.FromSlash(a.File)))
}

type soundCase struct {
	Samples int       `json:"samples"`
	Sum     float64   `json:"sum"`
	RMS     float64   `json:"rms"`
	First   []float32 `json:"first"`
	Last    []float32 `json:"last"`
	Full    *array    `json:"full"`
	Strided *array    `json:"strided"`
}

type pieceCase struct {
	Text            string    `json:"text"`
	Normalized      string    `json:"normalized"`
	IDs             []int64   `json:"text_ids"`
	TextMaskOnes    int       `json:"text_mask_ones"`
	DurationModel   float64   `json:"duration_model"`
	DurationSeconds float64   `json:"duration_seconds"`
	WavLength       int       `json:"wav_length"`
	LatentLength    int       `json:"latent_length"`
	LatentMaskOnes  int       `json:"latent_mask_ones"`
	Noise           array     `json:"noise_raw"`
	CurrentStep     []float64 `json:"current_step"`
	TotalStep       float64   `json:"total_step"`
	SamplesVocoder  int       `json:"samples_vocoder"`
	SamplesTrimmed  int       `json:"samples_trimmed"`
	TextEmb         *array    `json:"text_emb"`
	TextEmbSum      *float64  `json:"text_emb_sum"`
	Latents         []array   `json:"latents"`
	LatentSums      []float64 `json:"latent_sums"`
	Wav             soundCase `json:"wav"`
}

type synthesisCase struct {
	Name    string      `json:"name"`
	Text    string      `json:"text"`
	Model   string      `json:"model"`
	Lang    string      `json:"lang"`
	Voice   string      `json:"voice"`
	Steps   int         `json:"total_steps"`
	Speed   float64     `json:"speed"`
	MaxLen  *int        `json:"max_chunk_length"`
	Silence float64     `json:"silence_duration"`
	Error   string      `json:"error"`
	Chunks  []pieceCase `json:"chunks"`

	SilenceSamples int `json:"silence_samples"`
	TrimmedTotal   int `json:"trimmed_total_samples"`
}

type parityKit struct {
	SampleRate int             `json:"sample_rate"`
	Hop        int             `json:"samples_per_latent_frame"`
	Normalize  []normalizeCase `json:"normalize"`
	Chunk      []chunkCase     `json:"chunk"`
	Synthesis  []synthesisCase `json:"synthesis"`
}

func readKit(t *testing.T) parityKit {
	t.Helper()
	var k parityKit
	raw, err := os.ReadFile(kit(t, "cases.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &k))
	require.NotEmpty(t, k.Normalize)
	require.NotEmpty(t, k.Chunk)
	require.NotEmpty(t, k.Synthesis)
	return k
}
