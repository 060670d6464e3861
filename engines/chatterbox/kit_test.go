package chatterbox

import (
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx"
)

// The kit's models.
const (
	turboRepo        = "repo/ResembleAI/chatterbox-turbo-ONNX"
	multilingualRepo = "repo/onnx-community/chatterbox-multilingual-ONNX"
)

// kit returns a file of the parity kit.
func kit(t testing.TB, parts ...string) string {
	t.Helper()
	return enginetest.KitFile(t, "chatterbox", parts...)
}

func library(t testing.TB) *onnx.Runtime {
	t.Helper()
	return onnx.New(onnx.Options{Path: enginetest.Library(t)})
}

func openAt(t testing.TB, path string, threads int) *Engine {
	t.Helper()
	return enginetest.Open(t, NewDriver(library(t)), path, threads).(*Engine)
}

// opened holds the kit's models, which the tests share until the program ends.
var opened sync.Map

// openKit returns one of the kit's models.
func openKit(t testing.TB, repo string) *Engine {
	t.Helper()
	if e, ok := opened.Load(repo); ok {
		return e.(*Engine)
	}
	d := NewDriver(library(t))
	e := enginetest.OpenFiles(t, d, enginetest.Find(t, d, kit(t, filepath.FromSlash(repo))), engines.Options{Threads: 1})
	opened.Store(repo, e)
	return e.(*Engine)
}

// folder copies one of the kit's models, with other contents for some files; nil leaves a file out.
func folder(t testing.TB, repo string, changed map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS(kit(t, filepath.FromSlash(repo)))))
	for name, content := range changed {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.RemoveAll(path))
		if content != nil {
			require.NoError(t, os.WriteFile(path, content, 0o600))
		}
	}
	return dir
}

// recording returns the kit's reference.
func recording(t testing.TB) audio.Buffer {
	t.Helper()
	f, err := os.Open(kit(t, "reference_24k.wav"))
	require.NoError(t, err)
	defer f.Close()
	b, err := audio.ReadWAV(f)
	require.NoError(t, err)
	return b
}

// tensorFile is a file of numbers; its shape is only in some places of the kit.
type tensorFile struct {
	Shape []int64 `json:"shape"`
	File  string  `json:"file"`
}

// floats returns the numbers of a file of float32.
func floats(t testing.TB, file string) []float32 {
	t.Helper()
	return enginetest.ReadNpy[float32](t, kit(t, filepath.FromSlash(file)))
}

// ints returns the numbers of a file of int64.
func ints(t testing.TB, file string) []int64 {
	t.Helper()
	raw, err := os.ReadFile(kit(t, filepath.FromSlash(file)))
	require.NoError(t, err)
	size := int(binary.LittleEndian.Uint16(raw[8:10]))
	require.Contains(t, string(raw[10:10+size]), "<i8")
	var out []int64
	for body := raw[10+size:]; len(body) > 0; body = body[8:] {
		out = append(out, int64(binary.LittleEndian.Uint64(body)))
	}
	return out
}

type stepCase struct {
	Token      int       `json:"token"`
	Top        []int     `json:"top5"`
	TopScores  []float32 `json:"top5_logits"`
	U          float64   `json:"u"`
	P          float64   `json:"p"`
	Candidates int       `json:"candidates"`
}

type speechCase struct {
	Name         string  `json:"name"`
	Language     string  `json:"lang"`
	Text         string  `json:"text"`
	Normalized   string  `json:"normalized"`
	Prepared     string  `json:"prepared"`
	IDs          []int64 `json:"ids"`
	Places       []int64 `json:"position_ids"`
	Mode         string  `json:"mode"`
	Exaggeration float32 `json:"exaggeration"`
	Params       struct {
		Temperature float32  `json:"temperature"`
		TopK        int      `json:"top_k"`
		TopP        *float64 `json:"top_p"`
		MinP        float64  `json:"min_p"`
		Penalty     float32  `json:"repetition_penalty"`
		Guidance    float32  `json:"cfg_weight"`
		Limit       int      `json:"max_new_tokens"`
	} `json:"params"`
	PromptLen int               `json:"prompt_len"`
	Generated []int             `json:"generated"`
	Steps     []stepCase        `json:"steps"`
	Stop      string            `json:"stop_reason"`
	Speech    []int64           `json:"speech_tokens"`
	Decoder   []int64           `json:"decoder_tokens"`
	Files     map[string]string `json:"files"`
	Waveform  struct {
		Samples int       `json:"samples"`
		First   []float32 `json:"first8"`
		Last    []float32 `json:"last8"`
		Sum     float64   `json:"sum"`
		RMS     float64   `json:"rms"`
	} `json:"waveform"`
}

// kind returns how a case chooses its tokens: greedy, sample, cfg.
func (c speechCase) kind() string {
	if c.Mode == "greedy" && c.Params.Guidance > 0 {
		return "greedy with guidance"
	}
	return c.Mode
}

type trimCase struct {
	Generated    []int   `json:"generated_with_start"`
	Card         []int64 `json:"card"`
	Turbo        []int64 `json:"pytorch_turbo"`
	Multilingual []int64 `json:"pytorch"`
}

type parityKit struct {
	Repo       string                `json:"repo"`
	Reference  map[string]tensorFile `json:"reference_outputs"`
	Twice      map[string]tensorFile `json:"reference_twice_outputs"`
	LengthRule struct {
		Cases []struct {
			Samples int  `json:"samples"`
			Rate    int  `json:"rate"`
			OK      bool `json:"ok"`
		} `json:"cases"`
	} `json:"reference_length_rule"`
	Languages []string     `json:"supported_languages"`
	Trim      []trimCase   `json:"trim"`
	Cases     []speechCase `json:"cases"`
}

func readKit(t testing.TB, name string) parityKit {
	t.Helper()
	var k parityKit
	raw, err := os.ReadFile(kit(t, name+"_cases.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &k))
	require.NotEmpty(t, k.Reference)
	require.NotEmpty(t, k.Trim)
	require.NotEmpty(t, k.Cases)
	return k
}
