package onnx_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines/onnx"
)

// msg writes a length-delimited protobuf field.
func msg(number int, parts ...[]byte) []byte {
	var body []byte
	for _, p := range parts {
		body = append(body, p...)
	}
	out := binary.AppendUvarint(nil, uint64(number)<<3|2)
	return append(binary.AppendUvarint(out, uint64(len(body))), body...)
}

func num(number int, v uint64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(nil, uint64(number)<<3), v)
}

// tensor is a ValueInfoProto with the given number of unknown dimensions.
func tensor(field int, name string, elem uint64, rank int) []byte {
	var dims []byte
	for range rank {
		dims = append(dims, msg(1)...)
	}
	return msg(field, msg(1, []byte(name)), msg(2, msg(1, num(1, elem), msg(2, dims))))
}

func node(op string, more ...[]byte) []byte {
	return msg(1, append([][]byte{msg(1, []byte("x")), msg(4, []byte(op))}, more...)...)
}

func inspect(t *testing.T, content []byte) (onnx.Model, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.onnx")
	require.NoError(t, os.WriteFile(path, content, 0o600))
	return onnx.Inspect(path)
}

func TestInspectReadsNestedGraphs(t *testing.T) {
	weights := msg(5, num(1, 4), msg(9, make([]byte, 100_000)), msg(8, []byte("w")))
	body := msg(6, node("RandomUniform"), tensor(11, "inner", 1, 1)) // an attribute's graph
	model, err := inspect(t, append(append(num(1, 8), msg(7,
		weights,
		tensor(11, "x", 7, 2), tensor(11, "w", 1, 1), tensor(11, "flag", 9, 0),
		node("If", msg(5, msg(1, []byte("then_branch")), body)),
		node("Add"), node("Add"),
		tensor(12, "y", 1, 3),
		msg(12, msg(1, []byte("z"))),
	)...), msg(25, msg(7, msg(4, []byte("Mul"))))...))
	require.NoError(t, err)
	require.Equal(t, []onnx.Value{{Name: "x", Type: onnx.Int64, Rank: 2}, {Name: "flag", Type: onnx.Bool, Rank: 0}}, model.Inputs)
	require.Equal(t, []onnx.Value{
		{Name: "y", Type: onnx.Float32, Rank: 3},
		{Name: "z", Type: onnx.Undefined, Rank: onnx.AnyRank},
	}, model.Outputs)
	require.Equal(t, map[string]int{"If": 1, "RandomUniform": 1, "Add": 2, "Mul": 1}, model.Ops)
	require.True(t, model.Random())
}

func TestInspectRefusesEndlessNesting(t *testing.T) {
	graph := []byte{}
	for range 1000 {
		graph = msg(6, msg(1, msg(5, graph)))
	}
	_, err := inspect(t, msg(7, msg(1, msg(5, graph)), tensor(12, "y", 1, 1)))
	require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
}

func FuzzInspect(f *testing.F) {
	f.Add(msg(7, node("Add"), tensor(11, "x", 7, 2), tensor(12, "y", 1, 3)))
	f.Add(msg(7, msg(5, msg(8, []byte("w"))), tensor(12, "y", 1, 1), msg(1, msg(5, msg(6, node("Mul"))))))
	f.Add([]byte("<!DOCTYPE html>"))
	f.Add([]byte{0x3a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})
	path := filepath.Join(f.TempDir(), "model.onnx")
	f.Fuzz(func(t *testing.T, content []byte) {
		require.NoError(t, os.WriteFile(path, content, 0o600))
		model, err := onnx.Inspect(path)
		if err != nil {
			require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
			return
		}
		require.NotEmpty(t, model.Outputs)
	})
}
