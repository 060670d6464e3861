package diarize

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// kit is what sherpa-onnx returned, with the values in between.
type kit struct {
	Turns []struct {
		Speaker    string
		Start, End float64
	}
	FBank      []kitFeatures
	Clustering []struct {
		ID       string
		Ties     bool
		Features [][]float32
		Heights  []float64
		Results  []kitResult
	}
	Cases []kitCase
}

type kitFeatures struct {
	ID, Kind string
	Options  struct {
		Snip   bool
		High   float64
		Window string
		Scale  float64
	}
	Frames        int
	Input, Output string
}

type kitCase struct {
	ID, Segmentation, Embedding string
	Audio                       struct {
		Parts []struct {
			WAV                           string
			Start, Samples, Zeros, Square int
		}
		Gain, Offset float32
		Rate         int
	}
	Samples      int
	Ratio        float32 `json:"window_shift_ratio"`
	Windows      int
	Shift        int   `json:"window_shift"`
	Frames       int   `json:"frames_per_window"`
	ScoreWindows []int `json:"score_windows"`
	Silent       []int `json:"pairs_without_sound"`
	Results      []kitResult
	Arrays       map[string]kitArray
}

type kitResult struct {
	Threshold float32
	Speakers  int
	MinOn     float32 `json:"min_on"`
	MinOff    float32 `json:"min_off"`
	Labels    []int
	Segments  [][3]float32
	NonEmpty  *[][3]float32 `json:"segments_without_empty_speakers"`
}

type kitArray struct {
	File  string
	Shape []int
}

func loadKit(t testing.TB) (k kit) {
	t.Helper()
	raw, err := os.ReadFile(kitFile(t, "cases.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &k))
	require.NotEmpty(t, k.FBank)
	require.NotEmpty(t, k.Clustering)
	require.NotEmpty(t, k.Cases)
	return k
}

func kitFile(t testing.TB, name string) string {
	t.Helper()
	return enginetest.KitFile(t, "speakers", filepath.FromSlash(name))
}

// array returns an array of a case as whole rows; ok is false where the case has none.
func array[T any, N uint8 | int32 | float32 | float64](t testing.TB, c kitCase, name string, convert func(N) T) (rows [][]T, ok bool) {
	t.Helper()
	a, ok := c.Arrays[name]
	if !ok {
		return nil, false
	}
	raw, err := os.ReadFile(kitFile(t, a.File))
	require.NoError(t, err)
	body := raw[10+int(binary.LittleEndian.Uint16(raw[8:10])):]
	values := make([]N, len(body)/binary.Size(*new(N)))
	require.NoError(t, binary.Read(bytes.NewReader(body), binary.LittleEndian, values))
	width := a.Shape[len(a.Shape)-1]
	if len(a.Shape) == 1 {
		width = 1
	}
	var row []T
	for i, v := range values {
		row = append(row, convert(v))
		if (i+1)%width == 0 {
			rows, row = append(rows, row), nil
		}
	}
	return rows, true
}

func whole[N uint8 | int32](v N) int { return int(v) }

func same[N float32 | float64](v N) N { return v }

// column returns the only values of the rows of an array with one dimension.
func column[T any](rows [][]T) []T {
	out := make([]T, len(rows))
	for i, row := range rows {
		out[i] = row[0]
	}
	return out
}

func readWAV(t testing.TB, path string) []float32 {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer func() { _ = f.Close() }()
	b, err := audio.ReadWAV(f)
	require.NoError(t, err)
	return b.Samples
}

// sound returns the samples of a case.
func (c kitCase) sound(t testing.TB) memory {
	t.Helper()
	var all []float32
	for _, p := range c.Audio.Parts {
		switch {
		case p.Zeros > 0:
			all = append(all, make([]float32, p.Zeros)...)
		case p.Square > 0:
			for i := range p.Square {
				all = append(all, 1-2*float32(i/80%2))
			}
		default:
			part := readWAV(t, kitFile(t, p.WAV))[p.Start:]
			if p.Samples > 0 {
				part = part[:p.Samples]
			}
			all = append(all, part...)
		}
	}
	for i := range all {
		if c.Audio.Gain != 0 {
			all[i] *= c.Audio.Gain
		}
		all[i] += c.Audio.Offset
	}
	if c.Audio.Rate != 0 {
		all = audio.Resample(all, c.Audio.Rate, Rate)
		require.InDelta(t, c.Samples, len(all), 2)
		return all
	}
	require.Len(t, all, c.Samples)
	return all
}

// memory is sound in memory.
type memory []float32

func (m memory) Samples() int { return len(m) }

func (m memory) Read(_ context.Context, into []float32, start int) error {
	copy(into, m[start:])
	return nil
}

// referenceFeatures are the settings that sherpa-onnx runs every network with, but for what the file says.
func referenceFeatures(t testing.TB, path string) Features {
	t.Helper()
	m, err := onnx.Inspect(path)
	require.NoError(t, err)
	return Features{
		High: -400, Loud: m.Metadata["normalize_samples"] == "0", MeanFree: m.Metadata["feature_normalize_type"] == "global-mean",
	}
}

// open loads the model of a case; its windows are heard one after the other.
func (c kitCase) open(t testing.TB, r *onnx.Runtime) *Engine {
	t.Helper()
	embedding := kitFile(t, c.Embedding)
	m, err := open(t.Context(), r, kitFile(t, c.Segmentation), embedding, referenceFeatures(t, embedding), onnx.SessionOptions{Threads: 1})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, m.Close()) })
	return m
}

func newRuntime(t testing.TB) *onnx.Runtime {
	t.Helper()
	return onnx.New(onnx.Options{Path: enginetest.Library(t)})
}

func TestFeaturesEqualTheReference(t *testing.T) {
	enginetest.Parity(t)
	for _, c := range loadKit(t).FBank {
		t.Run(c.ID, func(t *testing.T) {
			require.True(t, regexp.MustCompile("^(povey|hamming)$").MatchString(c.Options.Window))
			bank := newFilterBank(Features{
				Snip: c.Options.Snip, High: c.Options.High, Hamming: c.Options.Window == "hamming", Loud: c.Options.Scale == int16Scale,
			})
			input := enginetest.ReadNpy[int16](t, kitFile(t, c.Input))
			samples := make([]float32, len(input))
			for i, v := range input {
				samples[i] = float32(v) / int16Scale
			}
			want := enginetest.ReadNpy[float32](t, kitFile(t, c.Output))
			got := bank.compute(samples)
			require.Len(t, got, c.Frames*Bands)
			require.Len(t, want, len(got))
			tolerance := 2e-3
			switch c.Kind {
			case "silence", "tone", "dc":
				tolerance = 2e-2
			}
			for i := range want {
				require.InDelta(t, want[i], got[i], tolerance, "frame %d, band %d", i/Bands, i%Bands)
			}
		})
	}
}

func TestClustersEqualTheReference(t *testing.T) {
	enginetest.Parity(t)
	for _, c := range loadKit(t).Clustering {
		t.Run(c.ID, func(t *testing.T) {
			var rows [][]float32
			for _, row := range c.Features {
				rows = append(rows, unit(row))
			}
			merges, err := dendrogram(t.Context(), new(distances), rows)
			require.NoError(t, err)
			require.Len(t, merges, len(c.Heights))
			for i, m := range merges {
				require.InDelta(t, c.Heights[i], m.height, 1e-6, "merge %d", i)
			}
			for _, r := range c.Results {
				if r.Speakers > len(rows) {
					continue // the reference answers one speaker; ours as many as there are rows
				}
				require.Equal(t, r.Labels, cut(len(rows), merges, r.Threshold, max(r.Speakers, 0)), "%+v", r)
			}
		})
	}
}

func TestEveryStageEqualsTheReference(t *testing.T) {
	enginetest.Parity(t)
	r := newRuntime(t)
	for _, c := range loadKit(t).Cases {
		t.Run(c.ID, func(t *testing.T) {
			m, sound := c.open(t, r), c.sound(t)
			if c.Audio.Rate == 0 {
				c.checkScores(t, m, sound)
			}
			s, err := m.scan(t.Context(), sound, c.Ratio, 0, nil)
			require.NoError(t, err)
			require.Len(t, s.windows, c.Windows)
			require.Equal(t, c.Shift, s.shift)
			if c.Audio.Rate != 0 { // resampled by another filter
				c.checkTurns(t, s, 0.02)
				return
			}
			c.checkFrames(t, m, s)
			c.checkVoices(t, m, s, sound)
			c.checkHeights(t, s)
			c.checkTurns(t, s, 1e-6)
		})
	}
}

func (c kitCase) checkScores(t *testing.T, m *Engine, sound memory) {
	want, ok := array(t, c, "scores", same[float32])
	require.True(t, ok)
	for i, window := range c.ScoreWindows {
		at := window * c.Shift
		got, err := m.segmenter.scores(t.Context(), sound[at:min(at+m.segmenter.window, len(sound))])
		require.NoError(t, err)
		for f := range c.Frames {
			n := len(m.segmenter.classes)
			require.InDeltaSlice(t, want[i*c.Frames+f], got[f*n:][:n], 1e-4, "window %d, frame %d", window, f)
		}
	}
}

func (c kitCase) checkFrames(t *testing.T, m *Engine, s *scan) {
	classes, ok := array(t, c, "classes", whole[uint8])
	require.True(t, ok)
	for i, row := range classes {
		run := int32(0)
		require.Equal(t, len(row), s.windows[i].frames())
		for f, class := range row {
			require.Equal(t, m.segmenter.classes[class], s.windows[i].at(f, &run), "window %d, frame %d", i, f)
		}
	}
	want, ok := array(t, c, "speakers_per_frame", whole[uint8])
	require.True(t, ok)
	if len(s.windows) == 1 {
		return
	}
	err := s.frames(t.Context(), make([]int, len(s.voices)), 1, func(frame, count int, _ []int) {
		require.Equal(t, want[frame][0], count, "frame %d", frame)
	})
	require.NoError(t, err)
}

func (c kitCase) checkVoices(t *testing.T, m *Engine, s *scan, sound memory) {
	pairs, ok := array(t, c, "pairs", whole[int32])
	if !ok {
		require.Empty(t, s.voices)
		return
	}
	ranges, _ := array(t, c, "ranges", whole[int32])
	vectors, _ := array(t, c, "embeddings", same[float32])
	silent := map[int]bool{}
	for _, i := range c.Silent {
		silent[i] = true
	}
	require.Len(t, s.voices, len(pairs)-len(silent))
	at := 0
	for i, pair := range pairs {
		start := pair[0] * s.shift
		stretches, enough := s.alone(s.windows[pair[0]], pair[1], start)
		require.True(t, enough)
		for _, stretch := range stretches {
			want := ranges[0]
			ranges = ranges[1:]
			require.Equal(t, i, want[0])
			require.Equal(t, [2]int{min(want[1], len(sound)), min(want[2], len(sound))}, [2]int{stretch.Start, stretch.End})
		}
		if silent[i] {
			continue
		}
		require.Equal(t, pair, []int{s.voices[at].window, s.voices[at].local})
		got, err := m.embedder.embed(t.Context(), join(sound[start:], stretches, start))
		require.NoError(t, err)
		largest := 0.0
		for _, v := range vectors[at] {
			largest = max(largest, float64(v), -float64(v))
		}
		require.InDeltaSlice(t, vectors[at], got, 1e-3*largest, "voice %d", i)
		require.InDeltaSlice(t, unit(got), s.voices[at].vector, 1e-6)
		at++
	}
	require.Empty(t, ranges)
}

func (c kitCase) checkHeights(t *testing.T, s *scan) {
	want, ok := array(t, c, "heights", same[float64])
	if !ok {
		return
	}
	merges, err := dendrogram(t.Context(), new(distances), vectors(s.voices))
	require.NoError(t, err)
	require.Len(t, merges, len(want))
	for i, h := range column(want) {
		require.InDelta(t, h, merges[i].height, 1e-3)
	}
}

func (c kitCase) checkTurns(t *testing.T, s *scan, tolerance float64) {
	for i, r := range c.Results {
		labels, speakers, err := s.label(t.Context(), r.Threshold, r.Speakers)
		require.NoError(t, err)
		if r.Labels != nil && r.Speakers <= len(s.voices) {
			require.Equal(t, r.Labels, labels, "result %d", i)
		}
		want := r.Segments
		if r.NonEmpty != nil {
			want = *r.NonEmpty
		}
		if r.Speakers > len(s.voices) && len(s.windows) > 1 {
			continue
		}
		var clipped [][3]float32
		length := float32(s.samples) / Rate
		for _, w := range want {
			if w[1] = min(w[1], length); w[0] < w[1] {
				clipped = append(clipped, w)
			}
		}
		got, err := s.turns(t.Context(), labels, speakers, r.MinOn, r.MinOff)
		require.NoError(t, err)
		require.Len(t, got, len(clipped), "result %d %v", i, r.Threshold)
		for j, w := range clipped {
			require.InDelta(t, w[0], got[j].start, tolerance, "result %d, turn %d", i, j)
			require.InDelta(t, w[1], got[j].end, tolerance, "result %d, turn %d", i, j)
			require.Equal(t, int(w[2]), got[j].speaker, "result %d, turn %d", i, j)
		}
	}
}
