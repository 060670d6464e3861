package kitten

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	ort "github.com/yalue/onnxruntime_go"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/espeak"
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
// the same tiny graph (one thread). Both run in turns, and who begins changes. `us/s` is what the engine
// adds, in microseconds per second of sound: the graph is thousands of times smaller than a real one, which takes
// 50,000 us or more for a second of sound, so the ratio of a real one follows from it.
func BenchmarkOverhead(b *testing.B) {
	e := open(b, modelDir(b, "repo"), letters{}, 1)
	r := longChunk(b, e)
	bare, err := newBareLoop(kit(b, "repo", nanoGraph))
	require.NoError(b, err)
	defer func() { require.NoError(b, bare.Destroy()) }()
	var ours, theirs []float64
	seconds := 0.0
	engine := func() {
		ours = append(ours, timed(b, func() error {
			samples, _, err := e.sound(b.Context(), r)
			seconds = float64(len(samples)) / sampleRate
			return err
		}))
	}
	loop := func() { theirs = append(theirs, timed(b, func() error { return bareRun(bare, r) })) }
	for b.Loop() {
		for range 20 {
			engine()
			loop()
			loop()
			engine()
		}
	}
	sort.Float64s(ours)
	sort.Float64s(theirs)
	added := ours[len(ours)/2] - theirs[len(theirs)/2]
	b.ReportMetric(added*1e6/seconds, "us/s")
	b.ReportMetric(ours[len(ours)/2]/theirs[len(theirs)/2], "ratio")
}

func timed(b *testing.B, work func() error) float64 {
	start := time.Now()
	require.NoError(b, work())
	return time.Since(start).Seconds()
}

func newBareLoop(path string) (*ort.DynamicAdvancedSession, error) {
	options, err := ort.NewSessionOptions()
	if err != nil {
		return nil, err
	}
	defer func() { _ = options.Destroy() }()
	if err := options.SetIntraOpNumThreads(1); err != nil {
		return nil, err
	}
	return ort.NewDynamicAdvancedSession(path, []string{"input_ids", "style", "speed"}, []string{"waveform", "duration"}, options)
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
	out := []ort.Value{nil, nil}
	err := s.Run([]ort.Value{in, style, speed}, out)
	for _, v := range append([]ort.Value{in, style, speed}, out...) {
		if v != nil {
			_ = v.Destroy()
		}
	}
	return err
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
	before := residentBytes(t)
	speak(1500)
	grown := residentBytes(t) - before
	t.Logf("resident memory grew by %d kB over 1,500 sentences", grown>>10)
	require.Less(t, grown, int64(16<<20))
}

// residentBytes returns the resident memory of this process, 0 where the system has no /proc.
func residentBytes(t *testing.T) int64 {
	t.Helper()
	runtime.GC()
	raw, err := os.ReadFile(filepath.Join("/proc", "self", "statm"))
	if errors.Is(err, os.ErrNotExist) {
		return 0
	}
	require.NoError(t, err)
	var pages int64
	for _, c := range strings.Fields(string(raw))[1] {
		pages = pages*10 + int64(c-'0')
	}
	return pages * int64(os.Getpagesize())
}
