package pocket

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"path"
	"path/filepath"
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

// closing closes the engines that the tests shared, after the last one.
type closing struct{ m *testing.M }

func (c closing) Run() int {
	code := c.m.Run()
	for _, e := range shared.engines {
		if err := e.Close(); err != nil {
			panic(err)
		}
	}
	return code
}

// shared holds the opened kits by the path of a file in them.
var shared = struct {
	sync.Mutex
	engines map[string]*Engine
}{engines: map[string]*Engine{}}

// kit returns a file of the parity kit.
func kit(t testing.TB, parts ...string) string {
	t.Helper()
	return enginetest.KitFile(t, "pocket", parts...)
}

// bundleDir returns the folder of the kit's one bundle.
func bundleDir(t testing.TB) string {
	t.Helper()
	found, err := filepath.Glob(kit(t, "repo", "onnx", "*"))
	require.NoError(t, err)
	require.Len(t, found, 1)
	return found[0]
}

func library(t testing.TB) *onnx.Runtime {
	t.Helper()
	return onnx.New(onnx.Options{Path: enginetest.Library(t)})
}

// openKit returns the kit's model, with weights of 32 bits (fp32) or of 8 bits (int8), on one thread; tests do not close it.
func openKit(t testing.TB, precision string) *Engine {
	t.Helper()
	at := bundleDir(t)
	if precision == "fp32" {
		at = filepath.Join(at, RoleMain+onnx.GraphExt)
	}
	shared.Lock()
	defer shared.Unlock()
	if shared.engines[at] == nil {
		d := NewDriver(library(t))
		shared.engines[at] = enginetest.OpenFiles(t, d, enginetest.Find(t, d, at), engines.Options{Threads: 1}).(*Engine)
	}
	return shared.engines[at]
}

// folder copies the kit's bundle, with other contents for some files; nil leaves a file out.
func folder(t testing.TB, changed map[string][]byte) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "bundle")
	require.NoError(t, os.CopyFS(dir, os.DirFS(bundleDir(t))))
	for name, content := range changed {
		at := filepath.Join(dir, name)
		require.NoError(t, os.RemoveAll(at))
		if content != nil {
			require.NoError(t, os.WriteFile(at, content, 0o600))
		}
	}
	return dir
}

// changed returns the engine with other values in bundle.json, on the same graphs.
func changed(t testing.TB, e *Engine, fields json.RawMessage) *Engine {
	t.Helper()
	b, g, out := *e.graphs.bundle, *e.graphs, *e
	require.NoError(t, json.Unmarshal(fields, &b))
	var err error
	g.bos, err = b.readBOS(filepath.Join(bundleDir(t), b.BOSFile))
	require.NoError(t, err)
	g.bundle, out.graphs, out.frontend = &b, &g, &frontend{bundle: &b, tokens: e.frontend.tokens}
	return &out
}

// recording reads a WAV file of the kit.
func recording(t testing.TB, file string) audio.Buffer {
	t.Helper()
	f, err := os.Open(kit(t, filepath.FromSlash(file)))
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	in, err := audio.ReadWAV(f)
	require.NoError(t, err)
	return in
}

// reference returns a recording as a profile gives it to an engine.
func reference(in audio.Buffer, cache string) *engines.Reference {
	var raw []byte
	for _, v := range in.Samples {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
	}
	sum := sha256.Sum256(raw)
	return &engines.Reference{
		Key: hex.EncodeToString(sum[:]), Cache: cache,
		Audio: func(context.Context) (audio.Buffer, error) { return in, nil },
	}
}

// array is the name of a file of numbers.
type array struct {
	File  string  `json:"file"`
	Shape []int64 `json:"shape"`
}

func (a array) read(t *testing.T) []float32 {
	t.Helper()
	return enginetest.ReadNpy[float32](t, kit(t, filepath.FromSlash(a.File)))
}

type textCase struct {
	Text       string  `json:"text"`
	Pad        bool    `json:"pad_with_spaces_for_short_inputs"`
	Semicolons bool    `json:"remove_semicolons"`
	Prepared   string  `json:"prepared"`
	After      int     `json:"frames_after_eos"`
	IDs        []int64 `json:"token_ids"`
	MaxFrames  int     `json:"max_frames"`
	Error      string  `json:"error"`
	Upstream   string  `json:"upstream_prepared"`
}

type splitCase struct {
	Text       string   `json:"text"`
	MaxTokens  int      `json:"max_tokens"`
	Semicolons bool     `json:"remove_semicolons"`
	Chunks     []string `json:"chunks"`
	Tokens     []int    `json:"tokens_per_chunk"`
}

type voiceCase struct {
	File      string  `json:"file"`
	Rate      int     `json:"source_rate"`
	Samples   int     `json:"source_samples"`
	Input     array   `json:"encoder_input"`
	Poly      array   `json:"poly"`
	Embedding array   `json:"embedding"`
	Positions int     `json:"positions_used"`
	Steps     []int64 `json:"state_steps"`
	Caches    []array `json:"cache_used"` // of the first and the last layer
	RestNaN   bool    `json:"cache_rest_is_nan"`
	End       []int64 `json:"current_end_shape"`
}

type presetCase struct {
	File  string `json:"file"`
	Voice int    `json:"same_state_as_voice"`
}

type callsCase struct {
	Encoder int `json:"mimi_encoder_calls"`
	Main    int `json:"flow_lm_main_calls"`
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

type mimiState struct {
	Path   string    `json:"path"`
	Shape  []int64   `json:"shape"`
	Values []float64 `json:"values"`
	Sum    *float64  `json:"sum"`
}

type generateCase struct {
	Name        string          `json:"name"`
	Text        string          `json:"text"`
	Voice       string          `json:"voice"`
	Temperature float64         `json:"temperature"`
	Steps       int             `json:"lsd_steps"`
	Precision   string          `json:"precision"`
	MaxFrames   *int            `json:"max_frames_argument"`
	AfterEOS    *int            `json:"frames_after_eos_argument"`
	Overrides   json.RawMessage `json:"bundle_overrides"`
	Error       string          `json:"error"`

	Prepared       string      `json:"prepared"`
	IDs            []int64     `json:"token_ids"`
	After          int         `json:"frames_after_eos"`
	Limit          int         `json:"frame_limit"`
	EOSStep        *int        `json:"eos_step"`
	Frames         int         `json:"frames"`
	Calls          int         `json:"main_calls_after_prefill"`
	EOSLogits      []float32   `json:"eos_logits"`
	AfterVoice     int         `json:"positions_after_voice"`
	AtEnd          int         `json:"positions_at_end"`
	Samples        int         `json:"samples"`
	DecodeChunks   []int       `json:"decode_chunks"`
	Noise          array       `json:"noise"`
	Latents        array       `json:"latents"`
	TextEmbeddings *array      `json:"text_embeddings"`
	Conditioning   *array      `json:"conditioning"`
	FlowS          []float32   `json:"flow_s"`
	FlowT          []float32   `json:"flow_t"`
	FlowDir        *array      `json:"flow_dir_first_frame"`
	FlowX          *array      `json:"flow_x_first_frame"`
	FirstCache     *array      `json:"final_cache_layer0"`
	LastCache      *array      `json:"final_cache_layer5"`
	MimiStates     []mimiState `json:"mimi_states_after_first_call"`
	Audio          soundCase   `json:"audio"`
}

type utteranceCase struct {
	Text   string   `json:"text"`
	Tokens int      `json:"max_tokens"`
	Chunks []string `json:"chunks"`
	Cases  []string `json:"generate_cases"`
	Total  int      `json:"total_samples"`
}

type parityKit struct {
	Text       []textCase      `json:"text"`
	Split      []splitCase     `json:"split"`
	Voices     []voiceCase     `json:"voices"`
	Presets    []presetCase    `json:"presets"`
	Calls      []callsCase     `json:"voice_cache_calls_after_each_of_two_generates"`
	Generate   []generateCase  `json:"generate"`
	Utterances []utteranceCase `json:"utterances"`
}

func readKit(t testing.TB) parityKit {
	t.Helper()
	var k parityKit
	raw, err := os.ReadFile(kit(t, "cases.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &k))
	for _, n := range []int{len(k.Text), len(k.Split), len(k.Voices), len(k.Presets), len(k.Calls), len(k.Generate), len(k.Utterances)} {
		require.Positive(t, n)
	}
	return k
}

// voiceOf returns the voice of a recording of the kit, from the samples that the reference gave to the encoder.
func (k parityKit) voiceOf(t *testing.T, e *Engine, file string) *voice {
	t.Helper()
	for _, c := range k.Voices {
		if path.Base(c.File) == file {
			embeddings, err := e.graphs.encode(t.Context(), c.Input.read(t))
			require.NoError(t, err)
			v, err := e.graphs.hear(t.Context(), embeddings)
			require.NoError(t, err)
			return v
		}
	}
	require.Fail(t, "no such voice", file)
	return nil
}
