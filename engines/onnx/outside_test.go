package onnx_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/onnx/onnxtest"
)

// outside is an initializer whose data is in another file.
func outside(entries ...string) []byte {
	tensor := onnxtest.Bytes(8, []byte("w"))
	for i := 0; i < len(entries); i += 2 {
		tensor = append(tensor, onnxtest.Bytes(13, onnxtest.Bytes(1, []byte(entries[i])), onnxtest.Bytes(2, []byte(entries[i+1])))...)
	}
	return onnxtest.Bytes(5, tensor)
}

func TestWeightsOutsideTheGraph(t *testing.T) {
	dir := t.TempDir()
	path, data := filepath.Join(dir, "model.onnx"), filepath.Join(dir, "model.onnx_data")
	write := func(initializers ...[]byte) {
		parts := append(initializers, onnxtest.Value(onnxtest.Output, "y", onnxtest.Float32, 1))
		require.NoError(t, os.WriteFile(path, onnxtest.Model(17, parts...), 0o600))
	}
	check := func() error {
		m, err := onnx.Inspect(path)
		if err != nil {
			return err
		}
		return m.CheckOutside(path)
	}
	refused := func(file, says string) {
		t.Helper()
		err := check()
		require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
		require.Equal(t, file, backend.AsError(err).Params["file"])
		require.ErrorContains(t, err, says)
	}

	write(outside("location", "model.onnx_data", "offset", "64", "length", "100"), outside("location", "model.onnx_data", "length", "64"))
	refused("model.onnx_data", "is missing")
	require.NoError(t, os.WriteFile(data, make([]byte, 163), 0o600))
	refused("model.onnx_data", "is cut off")
	require.NoError(t, os.WriteFile(data, make([]byte, 164), 0o600))
	require.NoError(t, check())
	require.NoError(t, os.Remove(data))
	require.NoError(t, os.Mkdir(data, 0o700))
	refused("model.onnx_data", "is not a regular file")

	write(outside("location", "../secret", "length", "1"))
	refused("model.onnx", "outside its folder")
	for _, wrong := range []string{"-1", "many", "99999999999999999999", "2000000000000000"} {
		write(outside("location", "model.onnx_data", "offset", wrong))
		refused("model.onnx", "damaged or cut off")
	}
}

func TestDims(t *testing.T) {
	dims := onnxtest.Join(
		onnxtest.Bytes(1, onnxtest.Bytes(2, []byte("batch"))), onnxtest.Bytes(1, onnxtest.Number(1, 16)), onnxtest.Bytes(1),
		onnxtest.Bytes(1, onnxtest.Number(1, 1<<40)))
	past := onnxtest.Bytes(onnxtest.Input, onnxtest.Bytes(1, []byte("past")),
		onnxtest.Bytes(2, onnxtest.Bytes(1, onnxtest.Number(1, onnxtest.Float32), onnxtest.Bytes(2, dims))))
	m, err := inspect(t, onnxtest.Model(17, past, onnxtest.Value(onnxtest.Output, "y", onnxtest.Float32, 1)))
	require.NoError(t, err)
	require.Equal(t, []int64{onnx.AnySize, 16, onnx.AnySize, onnx.AnySize}, m.Dims("past"))
	require.Equal(t, []int64{onnx.AnySize}, m.Dims("y"))
	require.Nil(t, m.Dims("nothing"))
}

func TestResizable(t *testing.T) {
	data := []float32{1, 2, 3, 4, 5, 6}
	x := onnx.NewResizable(data, 1, 2)
	got, err := x.Floats()
	require.NoError(t, err)
	require.Equal(t, data[:2], got)
	x.Resize(1, 6)
	got, err = x.Floats()
	require.NoError(t, err)
	require.Equal(t, data, got)
}
