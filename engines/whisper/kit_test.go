//go:build whisper

package whisper

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/whisper/whispertest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// kit is what whisper-cli made of the authored models.
type kit struct {
	dir   string
	Audio struct {
		Tones struct {
			Words []string
			Hz    map[string]float64
		} `json:"tones70"`
	}
	Cases []kitCase
}

type kitCase struct {
	Name, Model, Audio, Language string
	Args                         []string
	Segments                     []struct {
		From int `json:"t0_ms"`
		To   int `json:"t1_ms"`
		Text string
	}
}

func readKit(t testing.TB) kit {
	t.Helper()
	k := kit{dir: enginetest.Kit(t, "whisper", "testdata/kit")}
	raw, err := os.ReadFile(filepath.Join(k.dir, "cases.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &k))
	return k
}

// applicable returns the cases of options that the engine has, and the options.
func (k kit) applicable(t testing.TB) map[string]engines.TranscribeOptions {
	t.Helper()
	all := map[string]engines.TranscribeOptions{}
	for _, c := range k.Cases {
		var o engines.TranscribeOptions
		known := []string{"-m", "-f", "-t", "-bs", "-of"} // with a value
		flags := []string{"-ng", "-oj", "-ojf", "-osrt", "-ovtt", "-otxt"}
		applies := true
		for i := 0; i < len(c.Args); i++ {
			switch a := c.Args[i]; {
			case slices.Contains(flags, a):
			case a == "-bs" && c.Args[i+1] != "1":
				applies = false
			case slices.Contains(known, a):
				i++
			case a == "-l":
				i++
				o.Language = strings.TrimPrefix(c.Args[i], "auto")
			case a == "--prompt":
				i++
				o.Prompt = c.Args[i]
			default:
				applies = false
			}
		}
		if applies {
			all[c.Name] = o
		}
	}
	require.GreaterOrEqual(t, len(all), 17)
	return all
}

// golden is a file of whisper-cli.
type golden struct {
	Result        struct{ Language string }
	Transcription []struct {
		Offsets struct{ From, To int }
		Text    string
		Tokens  []struct {
			ID      int
			Text    string
			P       float64
			Offsets *struct{ From, To int }
		}
	}
}

func (k kit) golden(t testing.TB, name string, into any) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(k.dir, "golden", name+".json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, into))
}

// samples returns the audio of a case.
func (k kit) samples(t testing.TB, name string) []float32 {
	t.Helper()
	root := enginetest.Root(t)
	switch name {
	case "jfk":
		return readWAV(t, filepath.Join(root, "backend/audio/testdata/speech/jfk.wav"))
	case "librivox70":
		files, err := filepath.Glob(filepath.Join(root, "engines/vad/testdata/librivox/*.wav"))
		require.NoError(t, err)
		require.Len(t, files, 5)
		var all []float32
		for len(all) < 1120000 {
			for _, f := range files {
				all = append(all, readWAV(t, f)...)
			}
		}
		return all[:1120000]
	case "tones70":
		var all []float32
		for _, word := range k.Audio.Tones.Words {
			all = append(all, tone(k.Audio.Tones.Hz[word], 5)...)
		}
		return all
	default:
		t.Fatalf("no audio %s", name)
		return nil
	}
}

// tone returns seconds of a tone; 0 Hz is silence.
func tone(hz float64, seconds int) []float32 {
	samples := make([]float32, seconds*engines.TranscriberRate)
	for n := range samples {
		samples[n] = float32(math.Round(16383*math.Sin(2*math.Pi*hz*float64(n)/engines.TranscriberRate))) / 32768
	}
	return samples
}

func readWAV(t testing.TB, path string) []float32 {
	t.Helper()
	b, err := new(audio.Codecs).DecodeMono(t.Context(), path, engines.TranscriberRate)
	require.NoError(t, err)
	return b.Samples
}

// openModel opens a model of the kit until the test ends, with the one thread that whisper-cli had.
func openModel(t testing.TB, name string) *Engine {
	t.Helper()
	return openFile(t, readKit(t).model(t, name))
}

// model returns the path of a model file of the kit.
func (k kit) model(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join(k.dir, "repo", name)
	if _, err := os.Stat(path); err == nil {
		return path
	}
	return whispertest.Path(t, strings.TrimSuffix(strings.TrimPrefix(name, "ggml-"), ".bin"))
}

func openFile(t testing.TB, path string) *Engine {
	t.Helper()
	e, err := NewDriver(slog.New(slog.DiscardHandler)).Open(t.Context(), engines.Files{RoleModel: path}, engines.Options{Threads: 1})
	require.NoError(t, err)
	engine, ok := e.(*Engine)
	require.True(t, ok)
	t.Cleanup(func() { require.NoError(t, engine.Close()) })
	return engine
}

// transcribe returns the segments of a run that succeeds.
func transcribe(t testing.TB, e *Engine, samples []float32, o engines.TranscribeOptions) (string, []backend.Segment) {
	t.Helper()
	var segments []backend.Segment
	language, err := e.Transcribe(t.Context(), samples, o, func(s backend.Segment) error {
		segments = append(segments, s)
		return nil
	})
	require.NoError(t, err)
	return language, segments
}

// line returns a segment as text, for comparison.
func line(from, to float64, text string) string { return fmt.Sprintf("%.3f-%.3f %s", from, to, text) }
