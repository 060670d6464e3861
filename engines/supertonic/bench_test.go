package supertonic

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/voicewright/voicewright/engines/onnx/onnxtest"
	ort "github.com/yalue/onnxruntime_go"
)

// BenchmarkOverhead compares the engine, from text to samples, with a bare loop over the binding on the same four
// graphs (one thread, the library's default options, 8 steps). Both run in turns, and the one that begins alternates;
// `ratio` is that of the medians, `extra-ms` their difference and `extra-bytes` what the engine allocates more than the
// loop. The goal is at most 1.03 (docs/benchmarks.md). The graphs of the kit take 2 ms for a
// sentence of 4 s, hundreds of times less than published ones, so the difference says more there; `weighty` has an
// estimator with some work to do.
func BenchmarkOverhead(b *testing.B) {
	b.Run("kit", func(b *testing.B) { overhead(b, kit(b, "repo"), 40) })
	b.Run("weighty", func(b *testing.B) { overhead(b, with(b, RoleEstimator, weighty()), 6) })
}

// weighty makes the next latent of the last one and a zero that takes 8 products of matrices, 2 GFLOP. One step of the
// published estimator, 64 million weights, has several times as much to do for a sentence.
func weighty() []byte {
	nodes := onnxtest.Join(
		onnxtest.Node("ReduceMean", "s", []string{"noisy_latent"}, onnxtest.Int("keepdims", 0)),
		shape("square", 512, 512), onnxtest.Node("Expand", "m0", []string{"s", "square"}))
	const products = 8
	for i := range products {
		nodes = append(nodes, onnxtest.Node("MatMul", fmt.Sprintf("p%d", i), []string{fmt.Sprintf("m%d", i), "m0"})...)
		nodes = append(nodes, onnxtest.Node("Tanh", fmt.Sprintf("m%d", i+1), []string{fmt.Sprintf("p%d", i)})...)
	}
	return onnxtest.Join(nodes,
		onnxtest.Node("ReduceMean", "mean", []string{fmt.Sprintf("m%d", products)}, onnxtest.Int("keepdims", 0)),
		float("zero", 0), onnxtest.Node("Mul", "nothing", []string{"mean", "zero"}),
		onnxtest.Node("Add", "denoised_latent", []string{"noisy_latent", "nothing"}))
}

// overhead compares the engine with the bare loop on the model in dir, in rounds of so many runs of each.
func overhead(b *testing.B, dir string, runs int) {
	e := openAt(b, dir, 1)
	bare := newBareLoop(b, dir, e)
	defer bare.close(b)
	var ours, theirs []float64
	var bytes [2]uint64
	engine := func() {
		ours = append(ours, timed(b, &bytes[0], func() error {
			_, err := e.graphs.speak(b.Context(), request{
				ids: e.frontend.pieces(sentence, "en")[0], style: e.styles["F1"], pace: usual, steps: usualSteps,
				noise: func(n int) []float32 { return noise(1, 0, n) },
			})
			return err
		}))
	}
	loop := func() { theirs = append(theirs, timed(b, &bytes[1], bare.run)) }
	for b.Loop() {
		for range runs / 2 {
			engine()
			loop()
			loop()
			engine()
		}
	}
	our, their := onnxtest.Median(ours), onnxtest.Median(theirs)
	b.ReportMetric(our/their, "ratio")
	b.ReportMetric(1000*(our-their), "extra-ms")
	b.ReportMetric(1000*their, "bare-ms")
	b.ReportMetric((float64(bytes[0])-float64(bytes[1]))/float64(len(ours)), "extra-bytes")
}

// sentence is one piece, 4 s long.
const sentence = "The quick brown fox jumps over the lazy dog, the quick brown fox jumps over the lazy dog, " +
	"the quick brown fox jumps over the lazy dog, the quick brown fox jumps over the lazy dog, " +
	"the quick brown fox jumps over the lazy dog, the quick brown fox jumps over the lazy dog, and it sleeps."

func timed(b *testing.B, bytes *uint64, work func() error) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	require.NoError(b, work())
	seconds := time.Since(start).Seconds()
	runtime.ReadMemStats(&after)
	*bytes += after.TotalAlloc - before.TotalAlloc
	return seconds
}

// bareLoop is what a program with nothing but the binding would do for one piece.
type bareLoop struct {
	duration, encoder, estimator, vocoder *ort.DynamicAdvancedSession
	ids                                   []int64
	latent, pacing                        []float32
	noise                                 []float32
	frames                                int64
}

func newBareLoop(b *testing.B, dir string, e *Engine) *bareLoop {
	open := func(role string, inputs []string, output string) *ort.DynamicAdvancedSession {
		return onnxtest.NewBareSession(b, filepath.Join(dir, "onnx", role+".onnx"), inputs, []string{output})
	}
	out := &bareLoop{
		duration: open(RoleDuration, []string{"text_ids", "style_dp", "text_mask"}, "duration"),
		encoder:  open(RoleEncoder, []string{"text_ids", "style_ttl", "text_mask"}, "text_emb"),
		estimator: open(RoleEstimator, []string{
			"noisy_latent", "text_emb", "style_ttl", "text_mask", "latent_mask", "current_step", "total_step",
		}, "denoised_latent"),
		vocoder: open(RoleVocoder, []string{"latent"}, "wav_tts"),
	}
	out.ids = e.frontend.pieces(sentence, "en")[0]
	var err1, err2 error
	out.latent, err1 = e.styles["F1"].latent.Floats()
	out.pacing, err2 = e.styles["F1"].duration.Floats()
	require.NoError(b, errors.Join(err1, err2))
	seconds, err := e.graphs.seconds(b.Context(), newText(out.ids), e.styles["F1"])
	require.NoError(b, err)
	out.frames = int64(e.graphs.config.length(seconds, usual).frames)
	out.noise = noise(1, 0, int(out.frames)*e.graphs.config.channels())
	return out
}

func (l *bareLoop) close(b *testing.B) {
	for _, s := range []*ort.DynamicAdvancedSession{l.duration, l.encoder, l.estimator, l.vocoder} {
		require.NoError(b, s.Destroy())
	}
}

func (l *bareLoop) run() error {
	var made []ort.Value
	defer func() {
		for _, v := range made {
			_ = v.Destroy()
		}
	}()
	var errs []error
	keep := func(v ort.Value, err error) ort.Value {
		errs = append(errs, err)
		if err == nil {
			made = append(made, v)
		}
		return v
	}
	floats := func(data []float32, dims ...int64) ort.Value {
		v, err := ort.NewTensor(ort.NewShape(dims...), data)
		return keep(v, err)
	}
	call := func(s *ort.DynamicAdvancedSession, inputs ...ort.Value) ort.Value {
		out := []ort.Value{nil}
		err := s.Run(inputs, out)
		return keep(out[0], err)
	}
	n := int64(len(l.ids))
	given, err := ort.NewTensor(ort.NewShape(1, n), l.ids)
	ids := keep(given, err)
	mask := floats(full(n), 1, 1, n)
	latent := floats(l.latent, latentShape[:]...)
	call(l.duration, ids, floats(l.pacing, durationShape[:]...), mask)
	emb := call(l.encoder, ids, latent, mask)
	frames := floats(full(l.frames), 1, 1, l.frames)
	x := floats(l.noise, 1, 144, l.frames)
	for step := range usualSteps {
		x = call(l.estimator, x, emb, latent, mask, frames, floats([]float32{float32(step)}, 1), floats([]float32{usualSteps}, 1))
	}
	call(l.vocoder, x)
	return errors.Join(errs...)
}

func full(n int64) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = 1
	}
	return out
}

// BenchmarkClean measures the cleaning of texts of several scripts.
func BenchmarkClean(b *testing.B) {
	for name, text := range map[string]string{
		"latin":  "The quick brown fox jumps over the lazy dog, e.g., in “Dr. Adams” – isn't it? ",
		"accent": "Příliš žluťoučký kůň úpěl ďábelské ódy, l’été à Noël… « oui »! ",
		"korean": "안녕하세요! 오늘 날씨가 좋네요. ",
	} {
		b.Run(name, func(b *testing.B) {
			text := strings.Repeat(text, 1+100_000/len(text))
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				clean(text)
			}
		})
	}
}

// BenchmarkFrontend measures the whole way from text to numbers.
func BenchmarkFrontend(b *testing.B) {
	f := openKit(b, 1).frontend
	text := strings.Repeat("The quick brown fox jumps over the lazy dog. Isn't it? ", 1800)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		f.pieces(text, "en")
	}
}

// BenchmarkNoise measures the noise of ten seconds of speech.
func BenchmarkNoise(b *testing.B) {
	for b.Loop() {
		noise(1, 0, 144*144)
	}
}

// BenchmarkOpen measures loading without the weights: config, table and two voices.
func BenchmarkOpen(b *testing.B) {
	files, _, err := NewDriver(library(b)).Find(kit(b, "repo"))
	require.NoError(b, err)
	for b.Loop() {
		_, _, err1 := readText(files)
		_, err2 := readStyles(files)
		require.NoError(b, errors.Join(err1, err2))
	}
}
