package grown

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// The fields of ONNX's messages (onnx.proto).
const (
	modelGraph = 7

	graphNode   = 1
	graphWeight = 5

	nodeInput     = 1
	nodeOutput    = 2
	nodeName      = 3
	nodeOperator  = 4
	nodeAttribute = 5

	attributeName   = 1
	attributeNumber = 3
	attributeTensor = 5

	tensorShape = 1
	tensorType  = 2
	tensorName  = 8
	tensorRaw   = 9

	float32Type = 1
	int64Type   = 7
)

// The sizes of a published voice of medium quality.
const (
	hidden = 192 // 16 in the small one
	layers = 6   // of the encoder of texts, 1 in the small one
)

// Piper returns the graph of true size for the small one, which the exporter of piper-tts wrote with 16 hidden channels, 32 in
// the filters, 32 at the start of the decoder, and one layer in the encoder. Each seed has other weights.
func Piper(small []byte, seed uint64) ([]byte, error) {
	model, err := read(small)
	if err != nil {
		return nil, err
	}
	g := &grower{random: rand.New(rand.NewPCG(seed, 0))}
	err = model.inside(modelGraph, func(graph message) (message, error) {
		if err := graph.inside(graphNode, g.node); err != nil {
			return nil, err
		}
		graph, err := g.repeatLayer(graph)
		if err != nil {
			return nil, err
		}
		return graph, graph.inside(graphWeight, g.weight)
	})
	if err != nil {
		return nil, err
	}
	if g.layers != layers || g.constants == 0 {
		return nil, fmt.Errorf("the graph is another than that of the small voice: %d layers, %d sizes", g.layers, g.constants)
	}
	return model.raw(), nil
}

type grower struct {
	random    *rand.Rand
	layers    int
	constants int // that had a size of the small voice
}

// node changes the sizes that a node has: constants, and the groups of a convolution for each channel.
func (g *grower) node(n message) (message, error) {
	operator, output := n.text(nodeOperator), n.text(nodeOutput)
	if operator != "Constant" && operator != "Conv" {
		return n, nil
	}
	return n, n.inside(nodeAttribute, func(a message) (message, error) {
		if a.text(attributeName) == "group" && slices.Equal(a.numbers(attributeNumber), []int64{16}) {
			return append(a.without(attributeNumber), field{id: attributeNumber, number: hidden}), nil
		}
		return a, a.inside(attributeTensor, func(t message) (message, error) {
			for i, f := range t {
				if f.id == tensorRaw {
					t[i].bytes = g.constant(output, t.numbers(tensorType), f.bytes)
				}
			}
			return t, nil
		})
	})
}

// The constants that are sizes, by name: the width of a head, and what is divided by the root of a number of channels.
var (
	headConstant = regexp.MustCompile(`^/enc_p/encoder/attn_layers\.0/Constant_[579]_output_0$`)
	rootOfHidden = regexp.MustCompile(`^(/enc_p/Constant|/dp/flows\.\d/Constant_(8|13))_output_0$`)
	rootOfHead   = regexp.MustCompile(`^/enc_p/encoder/attn_layers\.0/Constant_10_output_0$`)
)

// constant returns the values of a constant for the true sizes.
func (g *grower) constant(name string, kind []int64, raw []byte) []byte {
	out := slices.Clone(raw)
	switch {
	case slices.Equal(kind, []int64{float32Type}) && rootOfHidden.MatchString(name):
		binary.LittleEndian.PutUint32(out, math.Float32bits(float32(math.Sqrt(hidden))))
	case slices.Equal(kind, []int64{float32Type}) && rootOfHead.MatchString(name):
		binary.LittleEndian.PutUint32(out, math.Float32bits(float32(math.Sqrt(hidden/2))))
	case slices.Equal(kind, []int64{int64Type}):
		halves := headConstant.MatchString(name) || len(raw) == 16 // two equal parts of the channels
		for i := 0; i+8 <= len(raw); i += 8 {
			switch v := binary.LittleEndian.Uint64(raw[i:]); {
			case v == 16 && len(raw) <= 16:
				binary.LittleEndian.PutUint64(out[i:], hidden)
			case v == 8 && halves:
				binary.LittleEndian.PutUint64(out[i:], hidden/2)
			}
		}
	}
	if !slices.Equal(out, raw) {
		g.constants++
	}
	return out
}

// The names at the borders of the layer: what it reads, what it makes, and what all layers share.
const (
	layerInput  = "/enc_p/encoder/Mul_1_output_0"
	layerOutput = "/enc_p/encoder/norm_layers_2.0/Transpose_1_output_0"
)

// ofLayer are the names that each layer has for itself: of its nodes, of their results and of its weights.
var ofLayer = regexp.MustCompile(`^(/enc_p/encoder/(attn_layers|norm_layers_[12]|ffn_layers)\.0/.+|/enc_p/encoder/Add(_1)?(_output_0)?` +
	`|enc_p\.encoder\.(attn|ffn)_layers\.0\..+)$`)

// repeatLayer puts the other layers of the encoder behind its only one.
func (g *grower) repeatLayer(graph message) (message, error) {
	var out, layer, weights message
	written := false
	for _, f := range graph {
		inner := message(nil)
		if f.wire == wireBytes && (f.id == graphNode || f.id == graphWeight) {
			var err error
			if inner, err = read(f.bytes); err != nil {
				return nil, err
			}
		}
		switch {
		case f.id == graphNode && ofLayer.MatchString(inner.text(nodeName)):
			layer = append(layer, f)
		case f.id == graphWeight && ofLayer.MatchString(inner.text(tensorName)):
			weights = append(weights, f)
		case f.id == graphNode && !written && slices.Contains(inputs(inner), layerOutput):
			written = true
			nodes, err := g.copies(layer)
			if err != nil {
				return nil, err
			}
			out = append(out, nodes...)
			f.bytes = inner.renamed(func(name string) string { return strings.Replace(name, layerOutput, layerOutput+suffix(layers-1), 1) }).raw()
		}
		out = append(out, f)
	}
	g.layers++ // the one that was there
	more, err := copiesOf(weights)
	return append(out, more...), err
}

func suffix(layer int) string { return fmt.Sprintf("#%d", layer) }

// copies returns the nodes of the layers after the first, each of which reads what the one before it made.
func (g *grower) copies(layer message) (message, error) {
	var out message
	for k := 1; k < layers; k++ {
		for _, f := range layer {
			n, err := read(f.bytes)
			if err != nil {
				return nil, err
			}
			n = n.renamed(func(name string) string {
				switch {
				case name == layerInput && k == 1:
					return layerOutput
				case name == layerInput:
					return layerOutput + suffix(k-1)
				case ofLayer.MatchString(name):
					return name + suffix(k)
				default:
					return name
				}
			})
			out = append(out, field{id: f.id, wire: f.wire, bytes: n.raw()})
		}
		g.layers++
	}
	return out, nil
}

// copiesOf returns the weights of the layers after the first. They get their values later, as the others do.
func copiesOf(weights message) (message, error) {
	var out message
	for k := 1; k < layers; k++ {
		for _, f := range weights {
			t, err := read(f.bytes)
			if err != nil {
				return nil, err
			}
			for i := range t {
				if t[i].id == tensorName {
					t[i].bytes = []byte(string(t[i].bytes) + suffix(k))
				}
			}
			out = append(out, field{id: f.id, wire: f.wire, bytes: t.raw()})
		}
	}
	return out, nil
}

func inputs(node message) (names []string) {
	for _, f := range node {
		if f.id == nodeInput {
			names = append(names, string(f.bytes))
		}
	}
	return names
}

// renamed returns a node with other names.
func (m message) renamed(name func(string) string) message {
	out := slices.Clone(m)
	for i, f := range out {
		if f.id == nodeInput || f.id == nodeOutput || f.id == nodeName {
			out[i].bytes = []byte(name(string(f.bytes)))
		}
	}
	return out
}

// weight returns a tensor of the true shape with random numbers spread as those of the small one. Zeros and ones stay.
func (g *grower) weight(t message) (message, error) {
	small, name := t.numbers(tensorShape), t.text(tensorName)
	values := []float32(nil)
	for _, f := range t {
		if f.id == tensorRaw {
			values = make([]float32, len(f.bytes)/4)
			for i := range values {
				values[i] = math.Float32frombits(binary.LittleEndian.Uint32(f.bytes[4*i:]))
			}
		}
	}
	if len(values) == 0 || !slices.Equal(t.numbers(tensorType), []int64{float32Type}) {
		return nil, fmt.Errorf("the weights of %s are no numbers of 32 bits", name)
	}
	shape := trueShape(name, small)
	out := t.without(tensorRaw).without(tensorShape)
	for _, n := range shape {
		out = append(out, field{id: tensorShape, number: uint64(n)})
	}
	mean, deviation := spread(values)
	deviation *= math.Sqrt(3) // of numbers that are as likely everywhere within it
	if from, to := product(small[1:]), product(shape[1:]); len(small) > 1 {
		deviation *= math.Sqrt(float64(from) / float64(to)) // so that sums stay as large
	}
	grown := make([]float64, product(shape))
	for i := range grown {
		grown[i] = mean + deviation*(2*g.random.Float64()-1)
	}
	if name == lastKernels {
		withoutMeans(grown, int(shape[len(shape)-1]))
	}
	raw := make([]byte, 0, 4*len(grown))
	for _, v := range grown {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(float32(v)))
	}
	return append(out, field{id: tensorRaw, wire: wireBytes, bytes: raw}), nil
}

// lastKernels are the weights that make the sound.
const lastKernels = "dec.conv_post.weight"

// withoutMeans takes the mean from each kernel, so that the sound has no constant part: random kernels made one of 0.8 with a noise of
// 0.04, of which the true peaks and the limiter take many times as long as those of speech, where there is none.
func withoutMeans(kernels []float64, size int) {
	for kernel := range slices.Chunk(kernels, size) {
		mean := 0.0
		for _, v := range kernel {
			mean += v / float64(size)
		}
		for i := range kernel {
			kernel[i] -= mean
		}
	}
}

// trueShape returns the shape of a tensor with the true numbers of channels. Those of kernels stay.
func trueShape(name string, small []int64) []int64 {
	shape := slices.Clone(small)
	for i := range shape[:min(2, len(shape))] {
		switch {
		case strings.HasPrefix(name, "dec.") && (name != "dec.conv_pre.weight" || i == 0):
			if shape[i] > 1 {
				shape[i] *= 8
			}
		case shape[i] == 16:
			shape[i] = hidden
		case shape[i] == 8:
			shape[i] = hidden / 2
		case shape[i] == 32 && strings.Contains(name, "ffn_layers"):
			shape[i] = 4 * hidden
		case shape[i] == 32:
			shape[i] = 2 * hidden
		}
	}
	if strings.Contains(name, ".emb_rel_") {
		shape[2] = hidden / 2
	}
	return shape
}

func product(shape []int64) int64 {
	n := int64(1)
	for _, d := range shape {
		n *= d
	}
	return n
}

func spread(values []float32) (mean, deviation float64) {
	for _, v := range values {
		mean += float64(v) / float64(len(values))
	}
	for _, v := range values {
		deviation += (float64(v) - mean) * (float64(v) - mean) / float64(len(values))
	}
	return mean, math.Sqrt(deviation)
}
