package tokens

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// message writes a protocol buffer: pairs of a field's number and its value, which is a bool or an int (varint), a
// float32, or a string or another message ([]byte).
func message(fields ...any) []byte {
	var out []byte
	for i := 0; i < len(fields); i += 2 {
		tag := uint64(fields[i].(int)) << 3
		switch v := fields[i+1].(type) {
		case int:
			out = binary.AppendUvarint(binary.AppendUvarint(out, tag|wireVarint), uint64(v))
		case float32:
			out = binary.LittleEndian.AppendUint32(binary.AppendUvarint(out, tag|wireFixed32), math.Float32bits(v))
		case string:
			out = append(binary.AppendUvarint(binary.AppendUvarint(out, tag|wireBytes), uint64(len(v))), v...)
		case []byte:
			out = append(binary.AppendUvarint(binary.AppendUvarint(out, tag|wireBytes), uint64(len(v))), v...)
		}
	}
	return out
}

// smallModel returns a model with an unknown piece, byte pieces and some letters.
func smallModel(modelType int, byteFallback bool, letters ...rune) []byte {
	out := message(1, message(1, "<unk>", 3, int(kindUnknown)))
	if byteFallback {
		for b := range 256 {
			out = append(out, message(1, message(1, fmt.Sprintf("<0x%02X>", b), 3, int(kindByte)))...)
		}
	}
	for _, r := range letters {
		out = append(out, message(1, message(1, string(r), 2, float32(-1)))...)
	}
	fallback := 0
	if byteFallback {
		fallback = 1
	}
	return append(out, message(2, message(3, modelType, 35, fallback), 3, message(4, 0))...)
}

// withTable returns a model with a table that replaces a run of the letter k. The unit of the run's last letter is last,
// without the letter.
func withTable(length int, last uint32, replacements string) []byte {
	units := make([]uint32, 256*(length+1))
	for i := range length { // each node is in a block of its own, so no two of them meet
		units[256*i] |= uint32(256*i^256*(i+1)^'k') << 10
		units[256*(i+1)] = 'k'
	}
	units[256*length] |= last
	units[256*length+1] = 1 << 31 // the value of a key that ends there, if its offset is 1
	blob := binary.LittleEndian.AppendUint32(nil, uint32(4*len(units)))
	for _, u := range units {
		blob = binary.LittleEndian.AppendUint32(blob, u)
	}
	return slices.Concat(smallModel(modelUnigram, true, 'a', '▁'), message(3, message(2, slices.Concat(blob, []byte(replacements)))))
}

// endsKey marks the last unit of a key, whose value is in the unit beside it.
const endsKey = unitHasKey | 1<<10

func TestDamagedSentencePieceModelsAreErrors(t *testing.T) {
	small := smallModel(modelUnigram, true, 'a')
	with := func(fields ...any) []byte { return slices.Concat(small, message(fields...)) }
	withPiece := func(fields ...any) []byte { return with(1, message(fields...)) }
	for name, c := range map[string]struct {
		raw  []byte
		want string
	}{
		"empty":                   {nil, "0 unknown pieces"},
		"text":                    {[]byte("{\"version\": 1}"), "unknown wire type"},
		"cut":                     {small[:len(small)-3], "truncated"},
		"cut inside a piece":      {small[:4], "truncated"},
		"endless number":          {bytes.Repeat([]byte{0xff}, 12), "more than 64 bits"},
		"huge length":             {append([]byte{0x0a}, bytes.Repeat([]byte{0xff}, 8)...), "truncated"},
		"length beyond 2^63":      {append(append([]byte{0x0a}, bytes.Repeat([]byte{0xff}, 9)...), 1), "truncated"},
		"field 0":                 {[]byte{0, 0}, "no number of a field"},
		"group":                   {[]byte{0x0b}, "unknown wire type 3"},
		"pieces as a number":      {message(1, 7), "wire type"},
		"score as a text":         {withPiece(1, "b", 2, "high"), "wire type"},
		"no unknown piece":        {message(1, message(1, "a")), "0 unknown pieces"},
		"two unknown pieces":      {withPiece(1, "u", 3, int(kindUnknown)), "2 unknown pieces"},
		"an empty piece":          {withPiece(1, ""), "empty"},
		"a long piece":            {withPiece(1, strings.Repeat("x", maxPiece+1)), "bytes"},
		"a piece twice":           {withPiece(1, "a"), "twice"},
		"no such type":            {withPiece(1, "b", 3, 9), "unknown type 9"},
		"a score of no number":    {withPiece(1, "b", 2, float32(math.NaN())), "score"},
		"an endless score":        {withPiece(1, "b", 2, float32(math.Inf(1))), "score"},
		"bytes are missing":       {append(smallModel(modelBPE, false, 'a'), message(2, message(35, 1))...), "byte pieces"},
		"bytes without need":      {with(2, message(35, 0)), "byte pieces"},
		"a byte is no byte":       {withPiece(1, "<0xg1>", 3, int(kindByte)), "no byte"},
		"words":                   {with(2, message(3, 3)), "type 3"},
		"a denormalizer":          {with(5, message(2, "x")), "denormalizer"},
		"table too short":         {with(3, message(2, "abc")), "table"},
		"table too long":          {with(3, message(2, strings.Repeat("x", maxCharsmap+1))), "table"},
		"table of huge size":      {with(3, message(2, "\xfc\xff\xff\xffabcd")), "table"},
		"table in a cycle":        {withTable(1, 'k'<<10, "x\x00"), "table"},
		"no such replacement":     {withTable(1, endsKey, ""), "table"},
		"replacement is too long": {withTable(1, endsKey, strings.Repeat("x", maxReplacement+1)+"\x00"), "table"},
		"replacement has no end":  {withTable(1, endsKey, "x"), "table"},
		"keys are too long":       {withTable(maxKey, endsKey, "x\x00"), "table"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ReadSentencePiece(c.raw)
			require.ErrorContains(t, err, c.want)
		})
	}
	_, err := ReadSentencePiece(make([]byte, maxModel+1))
	require.ErrorContains(t, err, "more than")
	full := &model{pieces: make([]piece, maxPieces)}
	require.ErrorContains(t, full.addPiece(""), "more than")
}

func TestSmallModels(t *testing.T) {
	for _, modelType := range []int{modelUnigram, modelBPE} {
		s, err := ReadSentencePiece(smallModel(modelType, true, '▁', 'a'))
		require.NoError(t, err)
		assert.Equal(t, []int{257, 258, 1 + 'b'}, s.Encode("ab"))
		assert.Equal(t, "ab", s.Decode(s.Encode("ab")))
	}
	s, err := ReadSentencePiece(withTable(3, endsKey, "a\x00"))
	require.NoError(t, err)
	assert.Equal(t, "▁akk", s.normalizer.normalize("kkkkk"), "the longest key only")
}
