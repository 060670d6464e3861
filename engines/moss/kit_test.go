package moss

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(closing{m}) }

// closing closes the models that the tests share.
type closing struct{ *testing.M }

func (c closing) Run() int {
	code := c.M.Run()
	for _, e := range opened {
		if err := e.Close(); err != nil {
			panic(err)
		}
	}
	return code
}

var (
	opened  = map[string]*Engine{} // by path
	opening sync.Mutex
)

// The folders of the kit's model, in the layout of the makers.
const (
	repos      = "repo/OpenMOSS-Team"
	speechRepo = "MOSS-TTS-Nano-100M-ONNX"
	codecRepo  = "MOSS-Audio-Tokenizer-Nano-ONNX"
)

// kit returns a file of the parity kit.
func kit(t testing.TB, parts ...string) string {
	t.Helper()
	return enginetest.KitFile(t, "moss", parts...)
}

func library(t testing.TB) *onnx.Runtime {
	t.Helper()
	return onnx.New(onnx.Options{Path: enginetest.Library(t)})
}

// openKit returns the kit's model with one thread, which all tests share.
func openKit(t testing.TB) *Engine {
	t.Helper()
	opening.Lock()
	defer opening.Unlock()
	path := kit(t, repos)
	if opened[path] == nil {
		d := NewDriver(library(t))
		opened[path] = enginetest.OpenFiles(t, d, enginetest.Find(t, d, path), engines.Options{Threads: 1}).(*Engine)
	}
	return opened[path]
}

func openAt(t testing.TB, path string, threads int) *Engine {
	t.Helper()
	return enginetest.Open(t, NewDriver(library(t)), path, threads).(*Engine)
}

// folder copies the kit's model, with other contents for some files; nil leaves a file out.
func folder(t testing.TB, changed map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS(kit(t, repos))))
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
func edited(t testing.TB, name, from, to string) []byte {
	t.Helper()
	raw, err := os.ReadFile(kit(t, repos, filepath.FromSlash(name)))
	require.NoError(t, err)
	require.Contains(t, string(raw), from)
	return []byte(strings.Replace(string(raw), from, to, 1))
}

// recording reads a recording of the kit.
func recording(t testing.TB, file string) audio.Buffer {
	t.Helper()
	f, err := os.Open(kit(t, file))
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	b, err := audio.ReadWAV(f)
	require.NoError(t, err)
	return b
}

type soundCase struct {
	Shape       []int        `json:"shape"`
	First       [][2]float32 `json:"first4"`
	Last        [][2]float32 `json:"last4"`
	Sum         [2]float64   `json:"sum"`
	RMS         [2]float64   `json:"rms"`
	FrameStarts [][2]float32 `json:"frame_starts"` // the sample with the number 100 of each frame
}

type localStep struct {
	Text    int32 `json:"text_token_id"`
	Audio   int32 `json:"audio_token_id"`
	Channel int32 `json:"channel_index"`
	Step    int32 `json:"step_type"`
	Past    int32 `json:"past_valid_lengths"`
}

type framesCase struct {
	Mode       string            `json:"mode"`
	Text       string            `json:"text"`
	Voice      string            `json:"voice"` // or @ and the file of a recording
	MaxFrames  int               `json:"max_new_frames"`
	IDs        []int32           `json:"text_token_ids"`
	Rows       [][]int32         `json:"input_rows"`
	Random     []float64         `json:"random"`
	Frames     [][]int32         `json:"frames"`
	Stop       string            `json:"stop"`
	Prefill    []float32         `json:"global_hidden_prefill_last"`
	Hidden     [][]float32       `json:"global_hidden_steps"`
	Lengths    []int32           `json:"past_valid_lengths"`
	Continue   []int32           `json:"should_continue"`
	LocalSteps int               `json:"local_steps"`
	Local      []localStep       `json:"local_step_inputs"`
	TextLogits [][2]float32      `json:"text_logit_pair_9_7"`
	Files      map[string]string `json:"files"`
	Waveform   soundCase         `json:"waveform"`
	Streaming  struct {
		Groups     []int             `json:"groups"`
		Difference float64           `json:"max_difference_to_full"`
		States     []json.RawMessage `json:"offset3_and_positions0_after_each_group"`
	} `json:"streaming"`
}

type synthesisCase struct {
	Text           string       `json:"text"`
	Voice          string       `json:"voice"`
	MaxFrames      int          `json:"max_new_frames"`
	MaxTokens      int          `json:"max_text_tokens"`
	Normalized     string       `json:"normalized"`
	Chunks         []string     `json:"chunks"`
	FramesPerChunk []int        `json:"frames_per_chunk"`
	Random         []float64    `json:"random"`
	Codes          [][]int32    `json:"audio_token_ids"`
	Shape          []int        `json:"waveform_shape"`
	RMS            [2]float64   `json:"rms"`
	First          [][2]float64 `json:"pcm16_first8"`
	SumAbs         float64      `json:"pcm16_sum_abs"`
}

type parityKit struct {
	References []struct {
		File  string    `json:"file"`
		Shape []int     `json:"waveform_shape"`
		Codes [][]int32 `json:"codes"`
	} `json:"reference_audio"`
	Frames     []framesCase    `json:"frames"`
	Synthesize []synthesisCase `json:"synthesize"`
	PCM16      []struct {
		X     float64 `json:"x"`
		PCM16 int     `json:"pcm16"`
	} `json:"pcm16"`
}

func readKit(t *testing.T) parityKit {
	t.Helper()
	var k parityKit
	raw, err := os.ReadFile(kit(t, "cases.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &k))
	require.NotEmpty(t, k.References)
	require.NotEmpty(t, k.Frames)
	require.NotEmpty(t, k.Synthesize)
	require.NotEmpty(t, k.PCM16)
	return k
}

// differ fails if two lists differ by more than the tolerance, and records the largest difference.
func differ(t *testing.T, largest *float64, tolerance float64, want, got []float32) {
	t.Helper()
	require.Len(t, got, len(want))
	for i := range want {
		d := math.Abs(float64(want[i]) - float64(got[i]))
		*largest = max(*largest, d)
		require.LessOrEqual(t, d, tolerance, "value %d of %d: %g, not %g", i, len(want), got[i], want[i])
	}
}
