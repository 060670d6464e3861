package kitten

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	ort "github.com/yalue/onnxruntime_go"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/espeak"
	"github.com/voicewright/voicewright/engines/onnx/onnxtest"
)

// longChunk returns the inputs of the longest chunk of the kit.
func longChunk(b *testing.B, e *Engine) request {
	for _, c := range readKit(b).Cases {
		if len(c.Chunks) == 2 && len(c.Chunks[0].IDs) > 400 {
			r := &phonemeText{}
			r.add(c.Chunks[0].Phonemes)
			symbols, _ := e.frontend.symbols(r)
			return request{symbols: frame(symbols), style: e.styles.row("expr-voice-5-m", 399), speed: 0.8}
		}
	}
	b.Fatal("the kit has no long chunk")
	return request{}
}

// BenchmarkOverhead compares the engine, from symbols to samples without the tail, with a bare loop over the binding on
// the same tiny graph (one thread). Both run in turns, and the one that begins alternates. `us/s` is what the engine
// adds, in microseconds per second of sound: the graph is thousands of times smaller than a real one, which takes
// 50,000 us or more for a second of sound, so the ratio of a real one follows from it.
func BenchmarkOverhead(b *testing.B) {
	e := open(b, modelDir(b, "repo"), letters{}, 1)
	r := longChunk(b, e)
	bare := onnxtest.NewBareSession(b, kit(b, "repo", nanoGraph), []string{"input_ids", "style", "speed"}, []string{"waveform", "duration"})
	defer func() { require.NoError(b, bare.Destroy()) }()
	var pairs onnxtest.Pairs
	seconds := 0.0
	engine := func() error {
		samples, _, err := e.sound(b.Context(), r)
		seconds = float64(len(samples)) / sampleRate
		return err
	}
	for b.Loop() {
		pairs.Add(b, 40, engine, func() error { return bareRun(bare, r) })
	}
	ours, theirs := pairs.Medians()
	b.ReportMetric((ours-theirs)*1e6/seconds, "us/s")
	b.ReportMetric(ours/theirs, "ratio")
}

func bareRun(s *ort.DynamicAdvancedSession, r request) error {
	ids := make([]int64, len(r.symbols))
	for i, symbol := range r.symbols {
		ids[i] = symbol.id
	}
	in, err1 := ort.NewTensor(ort.NewShape(1, int64(len(ids))), ids)
	style, err2 := ort.NewTensor(ort.NewShape(1, styleSize), r.style)
	speed, err3 := ort.NewTensor(ort.NewShape(1), []float32{r.speed})
	if err := errors.Join(err1, err2, err3); err != nil {
		return err
	}
	return onnxtest.RunBare(s, []ort.Value{in, style, speed}, 2)
}

// BenchmarkOpen measures the Go memory of a loaded model without its graph; its styles are 3.3 MB.
func BenchmarkOpen(b *testing.B) {
	d := newDriver(b, letters{})
	files, _, err := d.Find(modelDir(b, "repo"))
	require.NoError(b, err)
	var held float64
	for b.Loop() {
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		speaker, err := d.Open(b.Context(), files, engines.Options{})
		require.NoError(b, err)
		runtime.GC()
		runtime.ReadMemStats(&after)
		held = float64(after.HeapAlloc) - float64(before.HeapAlloc)
		require.NoError(b, speaker.Close())
	}
	b.ReportMetric(held/1e6, "MB-held")
}

// BenchmarkFrontend is text to ids with the espeak-ng of this machine, a sentence of 64 characters.
func BenchmarkFrontend(b *testing.B) {
	p := espeak.NewPhonemizer()
	b.Cleanup(func() { require.NoError(b, p.Close()) })
	f := newFrontend(p)
	for b.Loop() {
		for _, chunk := range chunks("The quick brown fox jumps over the lazy dog, and then it sleeps.") {
			r, err := f.read(b.Context(), chunk)
			require.NoError(b, err)
			f.symbols(r)
		}
	}
}

// TestFlatMemory: speaking a long text holds no more than a few sentences.
func TestFlatMemory(t *testing.T) {
	e := open(t, modelDir(t, "repo"), letters{}, 0)
	speak := func(times int) {
		u := engines.Utterance{Text: strings.Repeat("This goes on and on, and then some more. ", times)}
		require.NoError(t, e.Speak(t.Context(), u, func(audio.Buffer) error { return nil }))
	}
	speak(200)
	before := enginetest.Resident(t)
	speak(1500)
	grown := enginetest.Resident(t) - before
	t.Logf("resident memory grew by %d kB over 1,500 sentences", grown>>10)
	require.Less(t, grown, int64(16<<20))
}
