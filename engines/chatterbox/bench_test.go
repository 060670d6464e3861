package chatterbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	ort "github.com/yalue/onnxruntime_go"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/onnx/onnxtest"
)

// BenchmarkOverhead compares the steps of the language model, choosing tokens as Turbo does, with a bare loop over the binding
// that runs the same two graphs on the same swapped memory and chooses nothing. Both run in turns, and the one that begins
// alternates; `ratio` is that of the medians, `extra-us` their difference per step, `extra-allocs` and `extra-bytes` what a
// step allocates more than one of the loop. The goal is at most 1.03 (docs/benchmarks.md). The graphs of
// the kit have two layers of 4 numbers, so the difference says more there; `nano` has the layers and sizes of Chatterbox Nano
// and, for a token, half of its work.
func BenchmarkOverhead(b *testing.B) {
	b.Run("kit", func(b *testing.B) {
		dir := kit(b, filepath.FromSlash(turboRepo), "onnx")
		overhead(b, filepath.Join(dir, "embed_tokens_q4.onnx"), filepath.Join(dir, "language_model_q4.onnx"), 40)
	})
	b.Run("nano", func(b *testing.B) {
		embed, language := nano(b)
		overhead(b, embed, language, 4)
	})
}

// benchSteps is the number of tokens of a run: 2 s of speech.
const benchSteps = 50

// benchPrompt is the number of positions before them.
const benchPrompt = 400

func overhead(b *testing.B, embed, language string, runs int) {
	g, bare := benchGraphs(b, embed, language), newBareLoop(b, embed, language)
	defer bare.close(b)
	data := make([]float32, (benchPrompt-10)*g.hidden)
	for i := range data {
		data[i] = float32(i%17) / 17
	}
	r := request{
		ids:      make([]int64, 10),
		voice:    &voice{Features: array{Shape: []int64{1, benchPrompt - 10, int64(g.hidden)}, Data: data}},
		sampling: turboSampling, limit: benchSteps,
	}
	var pairs onnxtest.Pairs
	var allocs, bytes [2]uint64
	engine := func() error {
		m := newMemory(g.sizes, 1, r.positions())
		r.u = engines.NewNoise(1, 0).Uniform
		n := g.begin(m, r)
		if _, err := n.next(b.Context()); err != nil {
			return err
		}
		return counted(&allocs[0], &bytes[0], func() error {
			for range benchSteps - 1 {
				if _, err := n.next(b.Context()); err != nil {
					return err
				}
			}
			return nil
		})
	}
	loop := func() error { return bare.run(g, &allocs[1], &bytes[1]) }
	for b.Loop() {
		pairs.Add(b, runs, engine, loop)
	}
	our, their := pairs.Medians()
	each := float64(runs*b.N) * (benchSteps - 1)
	b.ReportMetric(our/their, "ratio")
	b.ReportMetric(1e6*(our-their)/benchSteps, "extra-us")
	b.ReportMetric(1e6*their/benchSteps, "bare-us")
	b.ReportMetric((float64(allocs[0])-float64(allocs[1]))/each, "extra-allocs")
	b.ReportMetric((float64(bytes[0])-float64(bytes[1]))/each, "extra-bytes")
}

// counted adds what work allocates.
func counted(allocs, bytes *uint64, work func() error) error {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := work()
	runtime.ReadMemStats(&after)
	*allocs += after.Mallocs - before.Mallocs
	*bytes += after.TotalAlloc - before.TotalAlloc
	return err
}

// benchGraphs opens the two graphs of the loop.
func benchGraphs(b *testing.B, embed, language string) *graphs {
	b.Helper()
	m, err := onnx.Inspect(language)
	require.NoError(b, err)
	g := &graphs{}
	require.NoError(b, g.read(language, m))
	for path, open := range map[string]struct {
		to   **onnx.Session
		want onnx.Signature
	}{embed: {&g.embed, g.embedSignature()}, language: {&g.language, g.languageSignature()}} {
		session, err := library(b).Open(b.Context(), path, open.want, onnx.SessionOptions{Threads: 1})
		require.NoError(b, err)
		b.Cleanup(func() { require.NoError(b, session.Close()) })
		*open.to = session
	}
	return g
}

// nano writes graphs with the sizes of Chatterbox Nano: 12 layers with 12 heads of 64 numbers, and a feed-forward part of 3,072.
func nano(b *testing.B) (embed, language string) {
	const hidden, wide, layers, heads, width = 768, 3072, 12, 12, 64
	dir := b.TempDir()
	embed, language = filepath.Join(dir, "embed_tokens.onnx"), filepath.Join(dir, "language_model.onnx")
	require.NoError(b, os.WriteFile(embed, onnxtest.Model(17,
		onnxtest.Value(onnxtest.Input, "input_ids", onnxtest.Int64, 2), onnxtest.Value(onnxtest.Output, "inputs_embeds", onnxtest.Float32, 3),
		onnxtest.Node("Cast", "f", []string{"input_ids"}, onnxtest.Int("to", onnxtest.Float32)), scalar("scale", 1e-4),
		onnxtest.Node("Mul", "small", []string{"f", "scale"}), list("last", -1), onnxtest.Node("Unsqueeze", "u", []string{"small", "last"}),
		list("row", 1, 1, hidden), onnxtest.Node("Expand", "inputs_embeds", []string{"u", "row"})), 0o600))

	parts := append(attends(sizes{hidden: hidden, layers: layers, heads: heads, width: width}),
		scalar("weight", 0.01),
		list("up_shape", hidden, wide), onnxtest.Node("Expand", "up", []string{"weight", "up_shape"}),
		list("down_shape", wide, hidden), onnxtest.Node("Expand", "down", []string{"weight", "down_shape"}),
		list("head_shape", hidden, vocabularyOfTurbo), onnxtest.Node("Expand", "head", []string{"weight", "head_shape"}))
	x := "inputs_embeds"
	for i := range layers {
		at := func(name string) string { return fmt.Sprintf("%s%d", name, i) }
		parts = append(parts,
			onnxtest.Node("MatMul", at("a"), []string{x, "up"}), onnxtest.Node("Tanh", at("b"), []string{at("a")}),
			onnxtest.Node("MatMul", at("c"), []string{at("b"), "down"}), onnxtest.Node("Tanh", at("x"), []string{at("c")}))
		x = at("x")
	}
	parts = append(parts, onnxtest.Node("MatMul", "logits", []string{x, "head"}))
	require.NoError(b, os.WriteFile(language, onnxtest.Model(17, parts...), 0o600))
	return embed, language
}

// bareLoop is what a program with nothing but the binding would do for the tokens of a piece.
type bareLoop struct{ embed, language *ort.DynamicAdvancedSession }

func newBareLoop(b *testing.B, embed, language string) *bareLoop {
	m, err := onnx.Inspect(language)
	require.NoError(b, err)
	var s sizes
	require.NoError(b, s.read(language, m))
	names := func(values []onnx.Value) (out []string) {
		for _, v := range values {
			out = append(out, v.Name)
		}
		return out
	}
	open := func(path string, want onnx.Signature) *ort.DynamicAdvancedSession {
		return onnxtest.NewBareSession(b, path, names(want.Inputs), names(want.Outputs))
	}
	return &bareLoop{open(embed, s.embedSignature()), open(language, s.languageSignature())}
}

func (l *bareLoop) close(b *testing.B) {
	require.NoError(b, errors.Join(l.embed.Destroy(), l.language.Destroy()))
}

// run makes benchSteps runs of the language model, each but the first after one of the embedding.
func (l *bareLoop) run(g *graphs, allocs, bytes *uint64) error {
	const positions = benchPrompt + benchSteps
	one := positions * g.heads * g.width
	states := make([]float32, 4*g.layers*one)
	buffer := func(set, i int) []float32 { return states[(set*2*g.layers+i)*one:] }
	ones, places, ids := make([]int64, positions), make([]int64, positions), make([]int64, benchPrompt)
	for i := range places {
		ones[i], places[i] = 1, int64(i)
	}
	row, scores := make([]float32, benchPrompt*g.hidden), make([]float32, benchPrompt*(1<<13))
	set := 0
	step := func(past, n int) error {
		made := []ort.Value{}
		defer func() {
			for _, v := range made {
				_ = v.Destroy()
			}
		}()
		whole := func(data []int64, dims ...int64) ort.Value { return must(ort.NewTensor(ort.NewShape(dims...), data)) }
		float := func(data []float32, dims ...int64) ort.Value { return must(ort.NewTensor(ort.NewShape(dims...), data)) }
		feed, into := whole(ids, 1, int64(n)), float(row, 1, int64(n), int64(g.hidden))
		made = append(made, feed, into)
		if err := l.embed.Run([]ort.Value{feed}, []ort.Value{into}); err != nil {
			return err
		}
		total := int64(past + n)
		inputs := []ort.Value{into, whole(ones, 1, total), whole(places[past:], 1, int64(n))}
		outputs := []ort.Value{float(scores, 1, int64(n), vocabularyOfTurbo)}
		for i := range 2 * g.layers {
			inputs = append(inputs, float(buffer(set, i), 1, int64(g.heads), int64(past), int64(g.width)))
			outputs = append(outputs, float(buffer(1-set, i), 1, int64(g.heads), total, int64(g.width)))
		}
		made = append(append(made, inputs[1:]...), outputs...)
		set = 1 - set
		return l.language.Run(inputs, outputs)
	}
	if err := step(0, benchPrompt); err != nil {
		return err
	}
	return counted(allocs, bytes, func() error {
		for i := range benchSteps - 1 {
			if err := step(benchPrompt+i, 1); err != nil {
				return err
			}
		}
		return nil
	})
}

const vocabularyOfTurbo = 6563

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// BenchmarkChoose measures the choice of one token among those of Turbo and of Multilingual.
func BenchmarkChoose(b *testing.B) {
	for name, tt := range map[string]struct {
		sampling
		vocabulary int
	}{"turbo": {turboSampling, 6563}, "multilingual": {multilingualSampling, 8194}} {
		b.Run(name, func(b *testing.B) {
			c, u := newChooser(tt.sampling, tt.vocabulary), engines.NewNoise(1, 0).Uniform
			scores, work := make([]float32, tt.vocabulary), make([]float32, tt.vocabulary)
			for i := range scores {
				scores[i] = float32(12 * u())
			}
			b.ReportAllocs()
			for b.Loop() {
				copy(work, scores)
				c.pick(work, u())
			}
		})
	}
}
