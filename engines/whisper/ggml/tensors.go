package ggml

import (
	"fmt"
	"strings"
)

// weightType is how the numbers of a tensor are stored: in blocks of so many numbers and bytes.
type weightType struct {
	name         string
	number       uint32 // in the header of a tensor
	block, bytes int
}

var (
	f32 = weightType{"f32", 0, 1, 4}
	f16 = weightType{"f16", 1, 1, 2}
)

// weightTypes are the types of a file's large tensors by Model.FileType.
var weightTypes = map[int]weightType{
	0: f32, 1: f16,
	2: {"q4_0", 2, 32, 18}, 3: {"q4_1", 3, 32, 20}, 7: {"q8_0", 8, 32, 34}, 8: {"q5_0", 6, 32, 22}, 9: {"q5_1", 7, 32, 24},
}

// tensor is what a tensor must be.
type tensor struct {
	dims [3]int // the fastest first, 1 where there is none
	kind weightType
}

// size returns the bytes of the tensor's data.
func (t tensor) size() int64 {
	return int64(t.dims[0]) * int64(t.dims[1]) * int64(t.dims[2]) / int64(t.kind.block) * int64(t.kind.bytes)
}

// expected returns the tensors that a model has, by name.
func (m Model) expected() map[string]tensor {
	large := weightTypes[m.FileType]
	small := f16 // of the convolutions
	if large == f32 {
		small = f32
	}
	d := m.AudioState
	out := map[string]tensor{
		"encoder.positional_embedding":   {[3]int{d, audioContext, 1}, f32},
		"encoder.conv1.weight":           {[3]int{3, m.Mels, d}, small},
		"encoder.conv1.bias":             {[3]int{1, d, 1}, f32},
		"encoder.conv2.weight":           {[3]int{3, d, d}, small},
		"encoder.conv2.bias":             {[3]int{1, d, 1}, f32},
		"decoder.positional_embedding":   {[3]int{d, textContext, 1}, f32},
		"decoder.token_embedding.weight": {[3]int{d, m.Vocabulary, 1}, large},
	}
	vector := func(name string, n int) { out[name] = tensor{[3]int{n, 1, 1}, f32} }
	norm := func(name string) { vector(name+".weight", d); vector(name+".bias", d) }
	linear := func(name string, in, to int) {
		out[name+".weight"] = tensor{[3]int{in, to, 1}, large}
		vector(name+".bias", to)
	}
	attention := func(name string) {
		norm(name + "_ln")
		for _, part := range []string{"query", "key", "value", "out"} {
			linear(name+"."+part, d, d)
		}
		delete(out, name+".key.bias") // the only one without
	}
	norm("encoder.ln_post")
	norm("decoder.ln")
	blocks := func(side string, layers int) {
		for i := range layers {
			block := fmt.Sprintf("%s.blocks.%d.", side, i)
			attention(block + "attn")
			if side == "decoder" {
				attention(block + "cross_attn")
			}
			norm(block + "mlp_ln")
			linear(block+"mlp.0", d, 4*d)
			linear(block+"mlp.2", 4*d, d)
		}
	}
	blocks("encoder", m.AudioLayers)
	blocks("decoder", m.TextLayers)
	return out
}

// maxName is the length of the longest name of a tensor.
const maxName = 64

// tensors reads the headers of all tensors up to the end of the file.
func (p *parser) tensors(m Model) {
	if p.err != nil {
		return
	}
	missing := m.expected()
	if p.at == p.size {
		p.fail(p.at, "it has no weights")
		return
	}
	for p.err == nil && p.at < p.size {
		p.tensor(missing)
	}
	if p.err != nil || len(missing) == 0 {
		return
	}
	var first string
	for name := range missing {
		if first == "" || name < first {
			first = name
		}
	}
	p.fail(p.size, "%d of its tensors are missing, such as %s", len(missing), first)
}

// tensor reads one header and skips the data; the tensor leaves missing.
func (p *parser) tensor(missing map[string]tensor) {
	const what = "the header of a tensor"
	at := p.at
	var raw [12]byte
	if !p.read(raw[:], what) {
		return
	}
	dims, length, kind := order.Uint32(raw[:]), order.Uint32(raw[4:]), order.Uint32(raw[8:])
	if dims < 1 || dims > 3 || length < 1 || length > maxName {
		p.fail(at, "a tensor has %d dimensions and a name of %d bytes", dims, length)
		return
	}
	var sizes [3 * 4]byte
	var name [maxName]byte
	if !p.read(sizes[:4*dims], what) || !p.read(name[:length], what) {
		return
	}
	got := [3]int{1, 1, 1}
	for i := range dims {
		got[i] = int(order.Uint32(sizes[4*i:]))
	}
	called := string(name[:length])
	want, ok := missing[called]
	switch {
	case !ok:
		p.fail(at, "it has the unknown or repeated tensor %q", strings.ToValidUTF8(called, "?"))
	case got != want.dims:
		p.fail(at, "the tensor %s is %v, not %v", called, got, want.dims)
	case kind != want.kind.number:
		p.fail(at, "the tensor %s has numbers of the type %d, not %s", called, kind, want.kind.name)
	default:
		p.skip(want.size(), "the tensor "+called)
		delete(missing, called)
	}
}
