//go:build unix

package pocket

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	ort "github.com/yalue/onnxruntime_go"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/onnx/onnxtest"
)

// benchFrames is the length of the speech of a benchmark, 2 s.
const benchFrames = 25

// BenchmarkOverBareCalls compares the engine, from tokens to samples, with bare calls of the binding on the same graphs,
// which have all their values bound beforehand, in the memory that the engine uses, and nothing to check (one thread). Both
// run in turns, and the one that begins alternates; `cpu-ratio` is that of the shortest processor times, which other
// programs disturb least, `extra-us` their difference for each frame, and `ratio` that of the medians of the times. The goal
// is at most 1.03 (docs/benchmarks.md). The graphs of the kit take far less than published ones, so the
// difference says more there; `weighty` has a main graph with states of the published size and some work to do.
func BenchmarkOverBareCalls(b *testing.B) {
	b.Run("kit", func(b *testing.B) { overBareCalls(b, bundleDir(b), 60) })
	b.Run("weighty", func(b *testing.B) {
		raw, err := os.ReadFile(filepath.Join(bundleDir(b), bundleFile))
		require.NoError(b, err)
		overBareCalls(b, folder(b, map[string][]byte{
			RoleMain + small + onnx.GraphExt: builds(b, RoleMain).model(weighty(b)),
			bundleFile:                       regexp.MustCompile(`(\[\s*2,\s*1,\s*)320,\s*4,\s*12`).ReplaceAll(raw, []byte("${1}1000, 16, 64")),
		}), 10)
	})
}

// weighty makes the outputs of the main graph after products of matrices, 0.3 GFLOP; the published one has 76 million weights.
func weighty(b *testing.B) []byte {
	nodes := onnxtest.Join(
		onnxtest.Node("ReduceSum", "s", []string{"text_embeddings"}, onnxtest.Int("keepdims", 0)),
		shape("square", 512, 512), onnxtest.Node("Expand", "m0", []string{"s", "square"}))
	for i := range 1 {
		nodes = append(nodes, onnxtest.Node("MatMul", fmt.Sprintf("p%d", i), []string{fmt.Sprintf("m%d", i), "m0"})...)
		nodes = append(nodes, onnxtest.Node("Tanh", fmt.Sprintf("m%d", i+1), []string{fmt.Sprintf("p%d", i)})...)
	}
	dim := int64(openKit(b, "int8").graphs.bundle.Dim)
	return onnxtest.Join(nodes, onnxtest.Node("ReduceMean", "mean", []string{"m1"}, onnxtest.Int("keepdims", 0)),
		scalar("zero", 0), onnxtest.Node("Mul", "nothing", []string{"mean", "zero"}),
		shape("wide", 1, dim), onnxtest.Node("Expand", "conditioning", []string{"nothing", "wide"}),
		shape("one", 1, 1), onnxtest.Node("Expand", "eos_logit", []string{"nothing", "one"}))
}

func overBareCalls(b *testing.B, dir string, runs int) {
	d := NewDriver(library(b))
	files := enginetest.Find(b, d, dir)
	e := enginetest.OpenFiles(b, d, files, engines.Options{Threads: 1}).(*Engine)
	defer func() { require.NoError(b, e.Close()) }()
	v, err := e.graphs.learn(b.Context(), recording(b, "inputs/ref_22050_mono.wav"))
	require.NoError(b, err)
	s, err := newSpeech(b.Context(), e.graphs)
	require.NoError(b, err)
	defer s.close()
	r := request{
		voice: v, ids: e.frontend.ids("Hello there, this is a sentence."), limit: benchFrames, after: benchFrames, steps: usualSteps,
		noise: engines.NewNoise(1, 0).Fill,
	}
	bare := newBareCalls(b, files, s, r)
	_, err = s.begin(b.Context(), v, r.ids)
	require.NoError(b, err)
	for range benchFrames { // the same numbers, since the time of a graph depends on them
		_, err := s.next(b.Context())
		require.NoError(b, err)
		require.NoError(b, s.refine(b.Context(), r.steps, r.noise))
		bare.latents = append(bare.latents, s.frame...)
	}
	defer bare.close(b)
	var pairs onnxtest.Pairs
	var used [2][]float64
	timed := func(i int, work func() error) func() error {
		return func() error {
			before, _ := enginetest.ProcessorTime()
			err := work()
			after, _ := enginetest.ProcessorTime()
			used[i] = append(used[i], after-before)
			return err
		}
	}
	for b.Loop() {
		pairs.Add(b, runs, timed(0, func() error {
			_, err := s.speak(b.Context(), r, func([]float32) error { return nil })
			return err
		}), timed(1, bare.run))
	}
	ours, theirs := pairs.Medians()
	b.ReportMetric(ours/theirs, "ratio")
	ours, theirs = slices.Min(used[0]), slices.Min(used[1])
	b.ReportMetric(ours/theirs, "cpu-ratio")
	b.ReportMetric(1e6*(ours-theirs)/benchFrames, "extra-us")
	b.ReportMetric(1e3*theirs, "bare-cpu-ms")
}

// bareCalls is what a program with nothing but the binding would do for one piece, with all values made beforehand.
type bareCalls struct {
	sessions                 []*ort.DynamicAdvancedSession // text, main, flow, decoder
	made                     []ort.Value
	read, condition          [2][]ort.Value // inputs and outputs
	step                     [2][2][]ort.Value
	flow                     [2][]ort.Value
	sounds                   [][2][]ort.Value
	frame, x, direction, eos []float32
	voice                    *voice
	states                   []state
	start                    memory // of the main graph
	latents                  []float32
	groups                   [][]float32 // input of the decoder
}

func newBareCalls(b *testing.B, files engines.Files, s *speech, r request) *bareCalls {
	bu := s.g.bundle
	c := &bareCalls{
		frame: make([]float32, bu.Latent), x: make([]float32, bu.Latent), direction: make([]float32, bu.Latent), eos: make([]float32, 1),
	}
	main := stateful(bu.Flow, []onnx.Value{float("sequence", 3), float("text_embeddings", 3)}, []onnx.Value{float("conditioning", 2), float("eos_logit", 2)})
	mimi := stateful(bu.Mimi, []onnx.Value{float("latent", 3)}, []onnx.Value{float("audio_frame", 3)})
	for _, g := range []struct {
		role    string
		in, out []string
	}{
		{RoleText, []string{"token_ids"}, []string{"embeddings"}},
		{RoleMain, names(main.Inputs), names(main.Outputs)},
		{RoleFlow, []string{"c", "s", "t", "x"}, []string{"flow_dir"}},
		{RoleDecoder, names(mimi.Inputs), names(mimi.Outputs)},
	} {
		c.sessions = append(c.sessions, onnxtest.NewBareSession(b, files[g.role], g.in, g.out))
	}
	dim, tokens, latent := int64(bu.Dim), int64(len(r.ids)), int64(bu.Latent)
	emb := made1(b, c, make([]float32, tokens*dim), 1, tokens, dim)
	conditioning, eos := made1(b, c, make([]float32, dim), 1, dim), made1(b, c, c.eos, 1, 1)
	c.voice, c.states, c.start = r.voice, bu.Flow, s.flow[0]
	states := [2][]ort.Value{c.values(b, bu.Flow, s.flow[0]), c.values(b, bu.Flow, s.flow[1])}
	c.read = [2][]ort.Value{{made1(b, c, r.ids, 1, tokens)}, {emb}}
	c.condition = [2][]ort.Value{
		append([]ort.Value{made1(b, c, []float32{}, 1, 0, latent), emb}, states[0]...), append([]ort.Value{conditioning, eos}, states[1]...),
	}
	given := []ort.Value{made1(b, c, c.frame, 1, 1, latent), made1(b, c, []float32{}, 1, 0, dim)}
	for i := range 2 {
		c.step[i] = [2][]ort.Value{slices.Concat(given, states[1-i]), slices.Concat([]ort.Value{conditioning, eos}, states[i])}
	}
	c.flow = [2][]ort.Value{
		{conditioning, made1(b, c, make([]float32, 1), 1, 1), made1(b, c, make([]float32, 1), 1, 1), made1(b, c, c.x, 1, latent)},
		{made1(b, c, c.direction, 1, latent)},
	}
	sets := [2][]ort.Value{c.values(b, bu.Mimi, s.mimi[0]), c.values(b, bu.Mimi, s.mimi[1])}
	for group, left, at := firstFrames, benchFrames, 0; left > 0; group, at = min(2*group, mostFrames), 1-at {
		n := min(group, left)
		left -= n
		c.groups = append(c.groups, make([]float32, n*bu.Latent))
		c.sounds = append(c.sounds, [2][]ort.Value{
			append([]ort.Value{made1(b, c, c.groups[len(c.groups)-1], 1, int64(n), latent)}, sets[at]...),
			append([]ort.Value{made1(b, c, make([]float32, n*bu.Frame), 1, 1, int64(n*bu.Frame))}, sets[1-at]...),
		})
	}
	return c
}

func names(values []onnx.Value) (out []string) {
	for _, v := range values {
		out = append(out, v.Name)
	}
	return out
}

func made1[T onnx.Element](b *testing.B, c *bareCalls, data []T, dims ...int64) ort.Value {
	v, err := ort.NewTensor(ort.NewShape(dims...), data)
	require.NoError(b, err)
	c.made = append(c.made, v)
	return v
}

func (c *bareCalls) values(b *testing.B, states []state, m memory) (out []ort.Value) {
	for i, data := range m.data {
		switch data := data.(type) {
		case []float32:
			out = append(out, made1(b, c, data, states[i].Shape...))
		case []int64:
			out = append(out, made1(b, c, data, states[i].Shape...))
		case []bool:
			out = append(out, made1(b, c, data, states[i].Shape...))
		}
	}
	return out
}

func (c *bareCalls) run() error {
	c.start.load(c.states, c.voice.states)
	set(c.frame, float32(math.NaN()))
	if err := c.sessions[0].Run(c.read[0], c.read[1]); err != nil {
		return fmt.Errorf("text: %w", err)
	}
	if err := c.sessions[1].Run(c.condition[0], c.condition[1]); err != nil {
		return fmt.Errorf("prefill: %w", err)
	}
	for frame := range benchFrames {
		if err := c.sessions[1].Run(c.step[frame%2][0], c.step[frame%2][1]); err != nil {
			return fmt.Errorf("main: %w", err)
		}
		copy(c.x, c.latents[frame*len(c.x):])
		for range usualSteps {
			if err := c.sessions[2].Run(c.flow[0], c.flow[1]); err != nil {
				return fmt.Errorf("flow: %w", err)
			}
		}
		copy(c.frame, c.x)
	}
	latents := c.latents
	for i, s := range c.sounds {
		latents = latents[copy(c.groups[i], latents):]
		if err := c.sessions[3].Run(s[0], s[1]); err != nil {
			return fmt.Errorf("decoder: %w", err)
		}
	}
	return nil
}

func (c *bareCalls) close(b *testing.B) {
	for _, v := range c.made {
		require.NoError(b, v.Destroy())
	}
	for _, s := range c.sessions {
		require.NoError(b, s.Destroy())
	}
}

// BenchmarkFrame makes one frame: the allocations are those of the binding for its three calls, and the memory of the
// states stays the same.
func BenchmarkFrame(b *testing.B) {
	e := openKit(b, "int8")
	v, err := e.graphs.learn(b.Context(), recording(b, "inputs/ref_22050_mono.wav"))
	require.NoError(b, err)
	s, err := newSpeech(b.Context(), e.graphs)
	require.NoError(b, err)
	defer s.close()
	noise := engines.NewNoise(1, 0)
	ids := e.frontend.ids("Hello.")
	left := 0
	b.ReportAllocs()
	for b.Loop() {
		if left == 0 {
			b.StopTimer()
			left = e.graphs.bundle.cache - v.positions - len(ids)
			_, err := s.begin(b.Context(), v, ids)
			require.NoError(b, err)
			b.StartTimer()
		}
		left--
		_, err := s.next(b.Context())
		require.NoError(b, err)
		require.NoError(b, s.refine(b.Context(), usualSteps, noise.Fill))
	}
}

// BenchmarkFirstSound measures the time to the first buffer of an utterance, which is that of 3 frames, with a voice that is
// prepared, and the time of the first utterance of all, which prepares it.
func BenchmarkFirstSound(b *testing.B) {
	e := openKit(b, "int8")
	in := recording(b, "inputs/ref_22050_mono.wav")
	for _, tt := range []struct {
		name  string
		fresh bool
	}{{"prepared", false}, {"fresh", true}} {
		b.Run(tt.name, func(b *testing.B) {
			ref := reference(in, "")
			var first time.Duration
			for b.Loop() {
				if tt.fresh {
					e.Forget(ref.Key)
				}
				start, heard := time.Now(), false
				require.NoError(b, e.Speak(b.Context(), engines.Utterance{Text: "Hello.", Reference: ref}, func(audio.Buffer) error {
					if !heard {
						first, heard = first+time.Since(start), true
					}
					return nil
				}))
			}
			b.ReportMetric(1e3*first.Seconds()/float64(b.N), "first-ms")
		})
	}
}

// BenchmarkPieces measures the way from text to tokens.
func BenchmarkPieces(b *testing.B) {
	f := openKit(b, "int8").frontend
	raw, err := os.ReadFile(filepath.Join(enginetest.Root(b), "THIRD_PARTY.md"))
	require.NoError(b, err)
	text := string(raw[:min(len(raw), 20_000)])
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		f.pieces(text)
	}
}
