package ggml_test

import (
	"encoding/binary"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/whisper/ggml"
	"github.com/voicewright/voicewright/engines/whisper/whispertest"
)

// parts are where a valid file has its parts.
type parts struct {
	filters, vocabulary, tensors int   // offsets
	heads                        []int // of the tensors
	data                         []int
}

func (p parts) of(t testing.TB, b []byte) parts {
	t.Helper()
	number := func(at int) int { return int(int32(binary.LittleEndian.Uint32(b[at:]))) }
	p.filters = 48
	p.vocabulary = p.filters + 8 + 4*number(48)*number(52)
	p.tensors = p.vocabulary + 4
	for range number(p.vocabulary) {
		p.tensors += 4 + number(p.tensors)
	}
	blocks := map[int][2]int{0: {1, 4}, 1: {1, 2}, 7: {32, 24}}
	for at := p.tensors; at < len(b); {
		p.heads = append(p.heads, at)
		dims, name, kind := number(at), number(at+4), number(at+8)
		size := 1
		for i := range dims {
			size *= number(at + 12 + 4*i)
		}
		at += 12 + 4*dims + name
		p.data = append(p.data, at)
		block := blocks[kind]
		at += size / block[0] * block[1]
	}
	return p
}

// sample is a valid model with the places of its parts.
type sample struct {
	name  string
	bytes []byte
	parts
}

func samples(t testing.TB) []sample {
	t.Helper()
	var out []sample
	for _, name := range whispertest.Names(t) {
		b := whispertest.Bytes(t, name)
		out = append(out, sample{name, b, parts{}.of(t, b)})
	}
	require.NotEmpty(t, out)
	return out
}

// values are numbers that a damaged or malicious file may have.
var values = []uint32{
	0, 1, 2, 3, 4, 6, 7, 8, 9, 12, 16, 32, 33, 80, 128, 201, 448, 1000, 1007, 1500, 2009, 50256, 50257, 51863, 51864, 51865, 51866,
	51867, 1 << 16, 1 << 24, 1 << 28, 1<<31 - 1, 1 << 31, 1<<32 - 1,
}

// mutate returns a damaged copy of the model in buf; equal numbers give equal copies.
func (s sample) mutate(seed uint64, buf []byte) []byte {
	r := rand.New(rand.NewPCG(seed, 13))
	b := append(buf[:0], s.bytes...)
	put := func(at int) { binary.LittleEndian.PutUint32(b[at:], values[r.IntN(len(values))]) }
	for range 1 + r.IntN(2) {
		i := r.IntN(len(s.heads))
		head, dims := s.heads[i], int(binary.LittleEndian.Uint32(s.bytes[s.heads[i]:]))
		switch r.IntN(12) {
		case 0, 1: // a number of the header
			put(4 * r.IntN(12))
		case 2: // of the filters or the vocabulary
			put([]int{s.filters, s.filters + 4, s.vocabulary, s.vocabulary + 4}[r.IntN(4)])
		case 3: // the header of a tensor
			put(head + 4*r.IntN(3+dims))
		case 4: // its name
			b[head+12+4*dims+r.IntN(s.data[i]-head-12-4*dims)] ^= byte(1 << r.IntN(8))
		case 5: // any byte before the weights
			b[r.IntN(s.tensors)] = byte(r.IntN(256))
		case 6: // weights
			for at := s.data[i]; at < min(s.data[i]+64, len(b)); at++ {
				b[at] = byte(r.IntN(256))
			}
		case 7: // infinite and invalid weights
			for at := s.data[i]; at+4 <= min(s.data[i]+256, len(b)); at += 4 {
				binary.LittleEndian.PutUint32(b[at:], 0x7fc07fc0|uint32(r.IntN(2))<<31)
			}
		case 8: // the length of a token
			at := s.vocabulary + 4
			for range r.IntN(1000) {
				at += 4 + int(binary.LittleEndian.Uint32(s.bytes[at:]))
			}
			put(at)
		case 9: // two bytes of the same size swapped within the texts: other tokens
			x, y := s.vocabulary+4+r.IntN(s.tensors-s.vocabulary-4), s.vocabulary+4+r.IntN(s.tensors-s.vocabulary-4)
			b[x], b[y] = b[y], b[x]
		case 10: // cut
			return b[:r.IntN(len(b))]
		default: // bytes after the end, or a tensor twice
			if r.IntN(2) == 0 {
				return append(b, make([]byte, 1+r.IntN(64))...)
			}
			end := len(s.bytes)
			if i+1 < len(s.heads) {
				end = s.heads[i+1]
			}
			return append(b, s.bytes[head:end]...)
		}
	}
	return b
}

// writeSparse writes a file of a model whose weights are holes.
func writeSparse(t testing.TB, path string, m ggml.Model) {
	t.Helper()
	f, err := os.Create(path)
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	s := samples(t)[slices.Index(whispertest.Names(t), "large-v3-turbo")]
	head := slices.Clone(s.bytes[:s.tensors])
	for i, n := range []int{m.Vocabulary, 1500, m.AudioState, m.AudioHeads, m.AudioLayers, 448, m.TextState, m.TextHeads, m.TextLayers, m.Mels, m.FileType} {
		binary.LittleEndian.PutUint32(head[4+4*i:], uint32(n))
	}
	_, err = f.Write(head)
	require.NoError(t, err)
	at := int64(len(head))
	for name, tensor := range m.Expected() {
		b := binary.LittleEndian.AppendUint32(nil, 3)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(name)))
		b = binary.LittleEndian.AppendUint32(b, tensor.Kind)
		for _, d := range tensor.Dims {
			b = binary.LittleEndian.AppendUint32(b, uint32(d))
		}
		_, err = f.WriteAt(append(b, name...), at)
		require.NoError(t, err)
		at += int64(len(b)) + int64(len(name)) + tensor.Size
	}
	require.NoError(t, f.Truncate(at))
}
