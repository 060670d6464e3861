package whispertest

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// Model is a valid model with the offsets of its parts.
type Model struct {
	Name                         string
	Bytes                        []byte
	Filters, Vocabulary, Tensors int
	Heads, Data                  []int // of the tensors: their headers and their numbers
}

// partsOf finds the parts of a valid model.
func partsOf(m Model) Model {
	number := func(at int) int { return int(int32(binary.LittleEndian.Uint32(m.Bytes[at:]))) } //nolint:gosec // signed numbers
	m.Filters = 48
	m.Vocabulary = m.Filters + 8 + 4*number(48)*number(52)
	m.Tensors = m.Vocabulary + 4
	for range number(m.Vocabulary) {
		m.Tensors += 4 + number(m.Tensors)
	}
	blocks := map[int][2]int{0: {1, 4}, 1: {1, 2}, 7: {32, 24}} // numbers and bytes of a block, by type
	for at := m.Tensors; at < len(m.Bytes); {
		m.Heads = append(m.Heads, at)
		dims, name, kind := number(at), number(at+4), number(at+8)
		size := 1
		for i := range dims {
			size *= number(at + 12 + 4*i)
		}
		at += 12 + 4*dims + name
		m.Data = append(m.Data, at)
		at += size / blocks[kind][0] * blocks[kind][1]
	}
	return m
}

// Models returns all models.
func Models(t testing.TB) []Model {
	t.Helper()
	var out []Model
	for _, name := range Names(t) {
		b := Bytes(t, name)
		out = append(out, partsOf(Model{Name: name, Bytes: b}))
	}
	require.NotEmpty(t, out)
	return out
}

// values are numbers that a damaged or malicious file may have.
var values = []uint32{
	0, 1, 2, 3, 4, 6, 7, 8, 9, 12, 16, 32, 33, 80, 128, 201, 448, 1000, 1007, 1500, 2009, 50256, 50257, 51863, 51864, 51865, 51866,
	51867, 1 << 16, 1 << 24, 1 << 28, 1<<31 - 1, 1 << 31, 1<<32 - 1,
}

// Damaged returns a damaged copy of the model in buf; equal numbers give equal copies.
func (m Model) Damaged(seed uint64, buf []byte) []byte {
	r := rand.New(rand.NewPCG(seed, 13))
	b := append(buf[:0], m.Bytes...)
	put := func(at int) { binary.LittleEndian.PutUint32(b[at:], values[r.IntN(len(values))]) }
	for range 1 + r.IntN(2) {
		i := r.IntN(len(m.Heads))
		head, dims := m.Heads[i], int(binary.LittleEndian.Uint32(m.Bytes[m.Heads[i]:]))
		switch r.IntN(12) {
		case 0, 1: // a number of the header
			put(4 * r.IntN(12))
		case 2: // of the filters or the vocabulary
			put([]int{m.Filters, m.Filters + 4, m.Vocabulary, m.Vocabulary + 4}[r.IntN(4)])
		case 3: // the header of a tensor
			put(head + 4*r.IntN(3+dims))
		case 4: // its name
			b[head+12+4*dims+r.IntN(m.Data[i]-head-12-4*dims)] ^= byte(1 << r.IntN(8))
		case 5: // any byte before the weights
			b[r.IntN(m.Tensors)] = byte(r.IntN(256))
		case 6: // weights
			randomBytes(b[m.Data[i]:min(m.Data[i]+64, len(b))], r)
		case 7: // infinite and invalid weights
			invalidWeights(b[m.Data[i]:min(m.Data[i]+256, len(b))], r)
		case 8: // the length of a token
			at := m.Vocabulary + 4
			for range r.IntN(1000) {
				at += 4 + int(binary.LittleEndian.Uint32(m.Bytes[at:]))
			}
			put(at)
		case 9: // two bytes of the same size swapped within the texts: other tokens
			x, y := m.Vocabulary+4+r.IntN(m.Tensors-m.Vocabulary-4), m.Vocabulary+4+r.IntN(m.Tensors-m.Vocabulary-4)
			b[x], b[y] = b[y], b[x]
		case 10: // cut
			return b[:r.IntN(len(b))]
		default: // bytes after the end, or a tensor twice
			if r.IntN(2) == 0 {
				return append(b, make([]byte, 1+r.IntN(64))...)
			}
			end := len(m.Bytes)
			if i+1 < len(m.Heads) {
				end = m.Heads[i+1]
			}
			return append(b, m.Bytes[head:end]...)
		}
	}
	return b
}

func randomBytes(b []byte, r *rand.Rand) {
	for at := range b {
		b[at] = byte(r.IntN(256))
	}
}

func invalidWeights(b []byte, r *rand.Rand) {
	for at := 0; at+4 <= len(b); at += 4 {
		binary.LittleEndian.PutUint32(b[at:], 0x7fc07fc0|uint32(r.IntN(2))<<31)
	}
}
