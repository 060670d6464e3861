//go:build unix

package diarize

import (
	"math/rand/v2"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	ort "github.com/yalue/onnxruntime_go"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/onnx/onnxtest"
)

// paces are those of a Diarizer.
var paces = []struct {
	name string
	pace engines.Pace
}{{"thorough", engines.Thorough}, {"balanced", engines.Balanced}, {"fast", engines.Fast}}

func openTrueShape(b *testing.B) (*Engine, engines.Files) {
	b.Helper()
	files, _ := trueShape(b)
	return openFiles(b, files), files
}

func openFiles(b *testing.B, files engines.Files) *Engine {
	b.Helper()
	e, err := NewDriver(newRuntime(b)).Open(b.Context(), files, engines.Options{})
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, e.Close()) })
	return e.(*Engine)
}

// BenchmarkSpeakers measures a conversation of three speakers with networks of the true size and random weights: `rtf` is the time
// on the clock for each second of sound, `cpu-rtf` the processor time, `embedded` the seconds that the embedding network hears for
// each.
func BenchmarkSpeakers(b *testing.B) {
	e, _ := openTrueShape(b)
	sound := newTalk(2 * 60 * Rate)
	seconds := float64(sound.Samples()) / Rate
	for _, p := range paces {
		b.Run(p.name, func(b *testing.B) {
			clock, processor := time.Now(), processorTime()
			for b.Loop() {
				_, err := e.Diarize(b.Context(), sound, engines.DiarizeOptions{Count: 3, Pace: p.pace})
				require.NoError(b, err)
			}
			all := seconds * float64(b.N)
			b.ReportMetric(time.Since(clock).Seconds()/all, "rtf")
			b.ReportMetric((processorTime()-processor)/all, "cpu-rtf")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func processorTime() float64 {
	self, _ := enginetest.ProcessorTime()
	return self
}

// BenchmarkSpeakersStages measures, one after the other, the processor time of each stage for a second of sound, and its share.
// `bare-cpu-rtf` is that of the networks' runs by the binding alone, with its usual options.
func BenchmarkSpeakersStages(b *testing.B) {
	e, files := openTrueShape(b)
	sound := newTalk(2 * 60 * Rate)
	for _, p := range paces {
		b.Run(p.name, func(b *testing.B) {
			m := &stages{Engine: e, b: b, spent: map[string]float64{}}
			m.openBare(files)
			for b.Loop() {
				m.run(sound, shares[p.pace])
			}
			all := float64(sound.Samples()) / Rate * float64(b.N)
			b.ReportMetric(m.embedded/all, "embedded")
			total := 0.0
			for name, spent := range m.spent {
				if name != stageBare {
					total += spent
				}
			}
			for name, spent := range m.spent {
				if name != stageBare {
					b.ReportMetric(100*spent/total, name+"-%")
				}
			}
			b.ReportMetric(total/all, "cpu-rtf")
			b.ReportMetric(m.spent[stageBare]/all, "bare-cpu-rtf")
			b.ReportMetric(0, "ns/op")
		})
	}
}

const stageBare = "bare"

// stages runs an engine's stages one by one.
type stages struct {
	*Engine
	b        *testing.B
	bare     [2]*ort.DynamicAdvancedSession
	spent    map[string]float64 // processor time by stage, in seconds
	embedded float64            // seconds
}

func (m *stages) openBare(files engines.Files) {
	for i, role := range []string{RoleSegmentation, RoleEmbedding} {
		model, err := onnx.Inspect(files[role])
		require.NoError(m.b, err)
		m.bare[i] = onnxtest.NewBareSession(m.b, files[role], []string{model.Inputs[0].Name}, []string{model.Outputs[0].Name})
		m.b.Cleanup(func() { require.NoError(m.b, m.bare[i].Destroy()) })
	}
}

// measure adds the time of work to a stage.
func (m *stages) measure(name string, work func() error) {
	before := processorTime()
	require.NoError(m.b, work())
	m.spent[name] += processorTime() - before
}

func (m *stages) run(sound engines.SoundSource, shift float32) {
	s := &scan{shape: m.segmenter.shape, samples: sound.Samples(), shift: int(shift * float32(m.segmenter.window))}
	n, tail := windowsOf(s.samples, s.window, s.shift)
	s.tail, s.windows = tail, make([]activity, n)
	for i := range n {
		m.window(sound, s, i)
	}
	ctx := m.b.Context()
	var labels []int
	m.measure("clusters", func() (err error) {
		labels, _, err = s.label(ctx, threshold, 3)
		return err
	})
	m.measure("turns", func() error {
		_, err := s.turns(ctx, labels, 3, minOn, minOff)
		return err
	})
}

func (m *stages) window(sound engines.SoundSource, s *scan, i int) {
	ctx, start := m.b.Context(), i*s.shift
	samples := make([]float32, s.window)
	m.measure("reading", func() error { return sound.Read(ctx, samples[:min(s.window, s.samples-start)], start) })
	m.measure("segmentation", func() error {
		scores, err := m.segmenter.scores(ctx, samples)
		if err == nil {
			s.windows[i] = m.segmenter.decode(scores)
		}
		return err
	})
	m.measureBare(0, samples, 1, 1, int64(s.window))
	for local := range s.locals {
		stretches, enough := s.alone(s.windows[i], local, start)
		if !enough {
			continue
		}
		voice := join(samples, stretches, start)
		m.embedded += float64(len(voice)) / Rate
		var features []float32
		m.measure("filter-bank", func() error {
			features = m.embedder.bank.compute(voice)
			return nil
		})
		m.measure("embedding", func() error {
			vector, err := m.embedder.run(ctx, features)
			if err == nil {
				s.voices = append(s.voices, newVoice(i, local, vector))
			}
			return err
		})
		m.measureBare(1, features, 1, int64(len(features)/Bands), Bands)
	}
}

func (m *stages) measureBare(network int, values []float32, shape ...int64) {
	m.measure(stageBare, func() error {
		in, err := ort.NewTensor(ort.NewShape(shape...), values)
		if err != nil {
			return err
		}
		return onnxtest.RunBare(m.bare[network], []ort.Value{in}, 1)
	})
}

func newVoice(window, local int, vector []float32) voice {
	return voice{window: window, local: local, vector: unit(vector)}
}

// BenchmarkSpeakersClusters measures the comparison of voices: of as many as are compared each with each, and of twelve hours. Those of
// the same of six speakers are alike.
func BenchmarkSpeakersClusters(b *testing.B) {
	for _, n := range []int{exactVoices, 86_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			rows := randomVoices(n)
			before, processor := resetPeak(b), processorTime()
			var peak float64 // of the first
			for b.Loop() {
				labels, err := manyVoices(rows, 3*12).cluster(b.Context(), threshold, 0)
				require.NoError(b, err)
				require.Equal(b, 5, slices.Max(labels))
				if peak == 0 {
					peak = float64(peakMemory(b)-before) / 1e6
				}
			}
			b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s")
			b.ReportMetric((processorTime()-processor)/float64(b.N), "cpu-s")
			b.ReportMetric(peak, "MB")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func randomVoices(n int) [][]float32 {
	const width, speakers = 192, 6
	random := rand.New(rand.NewPCG(4, 4))
	rows := make([][]float32, n)
	for i := range rows {
		row := make([]float32, width)
		for j := range row {
			row[j] = float32(random.NormFloat64() * 0.3)
		}
		row[random.IntN(speakers)] += 15
		rows[i] = unit(row)
	}
	return rows
}

// BenchmarkSpeakersMemory measures by how much the process grows with both networks and the search, at most: ten minutes and an hour
// with networks of the true size, and one and twelve hours with ones that cost nothing and answer as many numbers.
func BenchmarkSpeakersMemory(b *testing.B) {
	for _, c := range []struct {
		name    string
		minutes int
		pace    engines.Pace
		cheap   bool
	}{
		{"10-minutes", 10, engines.Thorough, false},
		{"1-hour-fast", 60, engines.Fast, false},
		{"1-hour-cheap", 60, engines.Thorough, true},
		{"12-hours-cheap", 12 * 60, engines.Thorough, true},
	} {
		b.Run(c.name, func(b *testing.B) {
			sound, files := newTerseTalk(c.minutes*60*Rate), cheapShape(b)
			if !c.cheap {
				sound = newTalk(sound.Samples())
				files, _ = trueShape(b)
			}
			before := resetPeak(b)
			e := openFiles(b, files)
			opened := peakMemory(b)
			for b.Loop() {
				_, err := e.Diarize(b.Context(), sound, engines.DiarizeOptions{Max: 20, Pace: c.pace})
				require.NoError(b, err)
			}
			b.ReportMetric(float64(opened-before)/1e6, "opened-MB")
			b.ReportMetric(float64(peakMemory(b)-before)/1e6, "MB")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// resetPeak returns the resident memory, in bytes, after all that can be has been returned to the system; the peak is counted from it.
func resetPeak(b *testing.B) int64 {
	b.Helper()
	if runtime.GOOS != "linux" {
		b.Skip("the peak of the memory is read from /proc")
	}
	debug.FreeOSMemory()
	onnx.Trim()
	require.NoError(b, os.WriteFile("/proc/self/clear_refs", []byte("5"), 0o600))
	return peakMemory(b)
}

var peakLine = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

func peakMemory(b *testing.B) int64 {
	b.Helper()
	raw, err := os.ReadFile("/proc/self/status")
	require.NoError(b, err)
	found := peakLine.FindSubmatch(raw)
	require.NotNil(b, found)
	kilobytes, err := strconv.ParseInt(string(found[1]), 10, 64)
	require.NoError(b, err)
	return kilobytes << 10
}
