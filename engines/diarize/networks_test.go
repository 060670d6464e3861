package diarize

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx/onnxtest"
)

// trueShape writes networks with the layers and sizes of the published ones, and with random weights, into a new folder: those of
// pyannote's segmentation-3.0 (PyanNet of pyannote.audio with the settings of its card) and of CAM++ (DTDNN.py of 3D-Speaker, 192
// numbers). Batch normalisation after a convolution is part of it, as in exported files. Only who speaks is not random: the
// loudness of the sound says it, see talk.
func trueShape(t testing.TB) (engines.Files, [2]*graph) {
	t.Helper()
	segmentation, embedding := pyanNet(), camPlusPlus()
	return writeNetworks(t, segmentation, embedding), [2]*graph{segmentation, embedding}
}

// cheapShape writes networks that answer as many numbers as those of trueShape, at no cost.
func cheapShape(t testing.TB) engines.Files {
	t.Helper()
	segmentation, embedding := newSegmentation(), newEmbedding()
	segmentation.parts = append(segmentation.parts, onnxtest.Node("Identity", "y", []string{segmentation.loudness("x")}))
	mean := embedding.one("ReduceMean", embedding.node("Mul", []string{"x", "x"}), onnxtest.Ints("axes", 1), onnxtest.Int("keepdims", 0))
	embedding.parts = append(embedding.parts, onnxtest.Node("MatMul", "embedding", []string{mean, embedding.weight(1, Bands, 192)}))
	return writeNetworks(t, segmentation, embedding)
}

func writeNetworks(t testing.TB, segmentation, embedding *graph) engines.Files {
	t.Helper()
	dir := t.TempDir()
	files := engines.Files{RoleSegmentation: filepath.Join(dir, "segmentation.onnx"), RoleEmbedding: filepath.Join(dir, "embedding.onnx")}
	for path, raw := range map[string][]byte{
		files[RoleSegmentation]: segmentation.model(map[string]string{
			"sample_rate": "16000", "window_size": "160000", "receptive_field_size": "991", "receptive_field_shift": "270",
			"num_speakers": "3", keyClasses: "2", "num_classes": "7",
		}),
		files[RoleEmbedding]: embedding.model(map[string]string{
			keyFramework: "3d-speaker", "language": "English", "sample_rate": "16000", "output_dim": "192", "normalize_samples": "1",
			"feature_normalize_type": "global-mean",
		}),
	} {
		require.NoError(t, os.WriteFile(path, raw, 0o600))
	}
	return files
}

// graph is a network that is being written.
type graph struct {
	random  *rand.Rand
	parts   [][]byte
	names   int
	weights int // numbers of all tensors
}

func newGraph(values ...[]byte) *graph {
	return &graph{random: rand.New(rand.NewPCG(1, 1)), parts: values}
}

func (g *graph) model(meta map[string]string) []byte {
	out := onnxtest.Model(13, g.parts...)
	for key, value := range meta {
		out = append(out, onnxtest.Metadata(key, value)...)
	}
	return out
}

func (g *graph) name() string {
	g.names++
	return fmt.Sprintf("v%d", g.names)
}

// node adds a node and returns the name of its output.
func (g *graph) node(op string, inputs []string, attributes ...[]byte) string {
	out := g.name()
	g.parts = append(g.parts, onnxtest.Node(op, out, inputs, attributes...))
	return out
}

func (g *graph) one(op, input string, attributes ...[]byte) string {
	return g.node(op, []string{input}, attributes...)
}

// weight adds a tensor of random numbers of this size.
func (g *graph) weight(size float64, shape ...int64) string {
	n := int64(1)
	for _, d := range shape {
		n *= d
	}
	values := make([]float32, n)
	for i := range values {
		values[i] = float32(g.random.NormFloat64() * size)
	}
	return g.floats(values, shape...)
}

func (g *graph) filled(v float32, n int64) string {
	values := make([]float32, n)
	for i := range values {
		values[i] = v
	}
	return g.floats(values, n)
}

func (g *graph) floats(values []float32, shape ...int64) string {
	name := g.name()
	g.parts = append(g.parts, onnxtest.Weight(name, values, shape...))
	g.weights += len(values)
	return name
}

// list adds whole numbers that say a shape or a place.
func (g *graph) list(values ...int64) string {
	name := g.name()
	g.parts = append(g.parts, onnxtest.Weight(name, values, int64(len(values))))
	return name
}

// conv adds a convolution with these attributes, whose weights keep the size of what it gets.
func (g *graph) conv(x string, bias bool, shape []int64, attributes ...[]byte) string {
	inputs := 1.0
	for _, n := range shape[1:] {
		inputs *= float64(n)
	}
	all := []string{x, g.weight(math.Sqrt(2/inputs), shape...)}
	if bias {
		all = append(all, g.weight(0.1, shape[0]))
	}
	return g.node("Conv", all, append(attributes, onnxtest.Ints("kernel_shape", shape[2:]...))...)
}

// linear multiplies the last dimension and adds a bias.
func (g *graph) linear(x string, from, to int64, size float64) string {
	y := g.node("MatMul", []string{x, g.weight(size, from, to)})
	return g.node("Add", []string{y, g.weight(size, to)})
}

func newSegmentation() *graph {
	return newGraph(onnxtest.Value(onnxtest.Input, "x", onnxtest.Float32, 3), onnxtest.Value(onnxtest.Output, "y", onnxtest.Float32, 3))
}

func newEmbedding() *graph {
	return newGraph(
		onnxtest.Value(onnxtest.Input, "x", onnxtest.Float32, 3), onnxtest.Value(onnxtest.Output, "embedding", onnxtest.Float32, 2))
}

func pyanNet() *graph {
	g := newSegmentation()
	normal := func(x string, n int64) string {
		return g.node("InstanceNormalization", []string{x, g.filled(1, n), g.filled(0, n)})
	}
	pooled := func(x string, n int64) string {
		x = g.one("MaxPool", x, onnxtest.Ints("kernel_shape", 3), onnxtest.Ints("strides", 3))
		return g.one("LeakyRelu", normal(x, n))
	}
	x := g.conv(normal("x", 1), false, []int64{80, 1, 251}, onnxtest.Ints("strides", 10)) // exports hold sinc filters as weights
	x = pooled(g.one("Abs", x), 80)
	x = pooled(g.conv(x, true, []int64{60, 80, 5}), 60)
	x = pooled(g.conv(x, true, []int64{60, 60, 5}), 60)
	x = g.one("Transpose", x, onnxtest.Ints("perm", 2, 0, 1))
	const hidden = 128
	for layer := range 4 {
		in := int64(2 * hidden)
		if layer == 0 {
			in = 60
		}
		x = g.node("LSTM", []string{
			x, g.weight(0.1, 2, 4*hidden, in), g.weight(0.1, 2, 4*hidden, hidden), g.weight(0.1, 2, 8*hidden),
		}, onnxtest.Text("direction", "bidirectional"), onnxtest.Int("hidden_size", hidden))
		x = g.one("Transpose", x, onnxtest.Ints("perm", 0, 2, 1, 3))
		x = g.node("Reshape", []string{x, g.list(0, 0, -1)})
	}
	x = g.one("Transpose", x, onnxtest.Ints("perm", 1, 0, 2))
	x = g.one("LeakyRelu", g.linear(x, 2*hidden, hidden, 0.06))
	x = g.one("LeakyRelu", g.linear(x, hidden, hidden, 0.06))
	x = g.linear(x, hidden, 7, 0.06)
	x = g.node("Add", []string{x, g.loudness("x")})
	g.parts = append(g.parts, onnxtest.Node("LogSoftmax", "y", []string{x}, onnxtest.Int("axis", 2)))
	return g
}

// loudness adds what makes the class the one that is most like the loudness of a frame, for a thousandth of the time.
func (g *graph) loudness(x string) string {
	x = g.one("AveragePool", g.one("Abs", x), onnxtest.Ints("kernel_shape", 400), onnxtest.Ints("strides", 271))
	x = g.one("Log", g.node("Add", []string{x, g.filled(1e-6, 1)}))
	levels := make([]float32, 7)
	for class := range levels {
		levels[class] = float32(math.Log(loudnessOf(class)))
	}
	x = g.node("Sub", []string{g.one("Transpose", x, onnxtest.Ints("perm", 0, 2, 1)), g.floats(levels, 7)})
	return g.node("Mul", []string{g.node("Mul", []string{x, x}), g.filled(-60, 1)})
}

// loudnessOf returns the mean size of the samples of a class.
func loudnessOf(class int) float64 { return 0.02 * math.Pow(1.5, float64(class)) }

func camPlusPlus() *graph {
	g := newEmbedding()
	x := g.head("x")
	x = g.one("Relu", g.conv(x, true, []int64{128, 320, 5}, onnxtest.Ints("strides", 2), onnxtest.Ints("pads", 2, 2)))
	channels := int64(128)
	for _, block := range []struct{ layers, dilation int64 }{{12, 1}, {24, 2}, {16, 2}} {
		for range block.layers {
			x = g.node("Concat", []string{x, g.dense(x, channels, block.dilation)}, onnxtest.Int("axis", 1))
			channels += 32
		}
		x = g.conv(g.normal(x, channels), false, []int64{channels / 2, channels, 1})
		channels /= 2
	}
	x = g.normal(x, channels)
	last := onnxtest.Ints("axes", 2)
	mean := g.one("ReduceMean", x, last)
	far := g.node("Sub", []string{x, mean})
	deviation := g.one("Sqrt", g.one("ReduceMean", g.node("Mul", []string{far, far}), last))
	x = g.node("Concat", []string{mean, deviation}, onnxtest.Int("axis", 1))
	x = g.conv(x, true, []int64{192, 2 * channels, 1})
	g.parts = append(g.parts, onnxtest.Node("Squeeze", "embedding", []string{x, g.list(2)}))
	return g
}

// head adds the residual blocks over time and frequency: 320 numbers for each frame.
func (g *graph) head(x string) string {
	x = g.node("Unsqueeze", []string{g.one("Transpose", x, onnxtest.Ints("perm", 0, 2, 1)), g.list(1)})
	even := onnxtest.Ints("pads", 1, 1, 1, 1)
	conv := func(x string, in, stride int64) string {
		return g.conv(x, true, []int64{32, in, 3, 3}, onnxtest.Ints("strides", stride, 1), even)
	}
	x = g.one("Relu", conv(x, 1, 1))
	for _, stride := range []int64{2, 1, 2, 1} {
		y, shortcut := conv(g.one("Relu", conv(x, 32, stride)), 32, 1), x
		if stride > 1 {
			shortcut = g.conv(x, true, []int64{32, 32, 1, 1}, onnxtest.Ints("strides", stride, 1))
		}
		x = g.one("Relu", g.node("Add", []string{y, shortcut}))
	}
	return g.node("Reshape", []string{g.one("Relu", conv(x, 32, 2)), g.list(0, 320, -1)})
}

// normal adds batch normalisation and what follows it.
func (g *graph) normal(x string, n int64) string {
	return g.one("Relu", g.node("BatchNormalization", []string{x, g.filled(1, n), g.filled(0, n), g.filled(0, n), g.filled(1, n)}))
}

// dense adds a layer that gives 32 numbers for each frame, weighted by what is around it.
func (g *graph) dense(x string, channels, dilation int64) string {
	x = g.one("Relu", g.conv(g.normal(x, channels), true, []int64{128, channels, 1}))
	y := g.conv(x, false, []int64{32, 128, 3}, onnxtest.Ints("dilations", dilation), onnxtest.Ints("pads", dilation, dilation))
	around := g.one("AveragePool", x, onnxtest.Ints("kernel_shape", 100), onnxtest.Ints("strides", 100), onnxtest.Int("ceil_mode", 1))
	around = g.node("Unsqueeze", []string{around, g.list(3)})
	around = g.node("Reshape", []string{g.node("Expand", []string{around, g.list(1, 1, 1, 100)}), g.list(0, 0, -1)})
	frames := g.node("Gather", []string{g.one("Shape", x), g.list(2)})
	around = g.node("Slice", []string{around, g.list(0), frames, g.list(2)})
	around = g.node("Add", []string{g.one("ReduceMean", x, onnxtest.Ints("axes", 2)), around})
	around = g.one("Relu", g.conv(around, true, []int64{64, 128, 1}))
	around = g.one("Sigmoid", g.conv(around, true, []int64{32, 64, 1}))
	return g.node("Mul", []string{y, around})
}

// The published files have 5,992,913 and 28,281,164 bytes; about 20 kB and 300 kB of these are not weights.
func TestBenchmarkedNetworksHaveTheTrueShape(t *testing.T) {
	files, networks := trueShape(t)
	require.Equal(t, 1_493_274, networks[0].weights)
	require.InDelta(t, 7_000_000, networks[1].weights, 200_000)

	driver := NewDriver(newRuntime(t))
	found, ok, err := driver.Find(filepath.Dir(files[RoleSegmentation]))
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, files, found)
	opened, err := driver.Open(t.Context(), files, engines.Options{Threads: 1})
	require.NoError(t, err)
	e := opened.(*Engine)
	defer func() { require.NoError(t, e.Close()) }()

	sound := newTalk(10 * Rate)
	samples := make([]float32, sound.Samples())
	require.NoError(t, sound.Read(t.Context(), samples, 0))
	scores, err := e.segmenter.scores(t.Context(), samples)
	require.NoError(t, err)
	require.Len(t, scores, 589*7)
	for seconds := 1; seconds <= 3; seconds++ {
		vector, err := e.embedder.embed(t.Context(), samples[:seconds*Rate])
		require.NoError(t, err)
		require.Len(t, vector, 192)
		require.Greater(t, len(distinct(vector)), 100)
	}
}

func distinct(values []float32) map[float32]bool {
	out := map[float32]bool{}
	for _, v := range values {
		out[v] = true
	}
	return out
}
