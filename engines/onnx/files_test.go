package onnx_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines/onnx"
)

func TestSmallFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	var v struct {
		Audio struct {
			Rate int `json:"rate"`
		} `json:"audio"`
	}
	says := func(want string, limit int64) {
		t.Helper()
		err := onnx.ReadJSON(path, limit, &v)
		require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
		require.Equal(t, "The model file config.json "+want+".", backend.AsError(err).Detail)
		require.NotEmpty(t, backend.AsError(err).Remedy)
		require.Equal(t, "config.json", backend.AsError(err).Params["file"])
	}
	says("is missing", 100)
	require.ErrorIs(t, onnx.ReadJSON(path, 100, &v), os.ErrNotExist)
	require.NoError(t, os.Mkdir(path, 0o700))
	says("is not a regular file", 100)
	require.NoError(t, os.Remove(path))

	write := func(text string) { require.NoError(t, os.WriteFile(path, []byte(text), 0o600)) }
	write(`{"audio": {"rate": "high"}}`)
	says("has a wrong value in audio.rate", 100)
	write(`{"audio": {"ra`)
	says("is damaged or cut off", 100)
	write(`{"audio": {"rate": 22050}}`)
	says("is larger than 25 bytes", 25)
	require.NoError(t, onnx.ReadJSON(path, 26, &v))
	require.Equal(t, 22050, v.Audio.Rate)
}

func TestThreads(t *testing.T) {
	for _, tt := range []struct{ asked, usual, want int }{{0, 1, 1}, {-1, 4, 4}, {3, 1, 3}, {0, 0, 1}} {
		perRun, callers := onnx.Threads(tt.asked, tt.usual)
		require.Equal(t, tt.want, perRun)
		require.Positive(t, callers)
	}
	_, callers := onnx.Threads(1000, 1)
	require.Equal(t, 1, callers)
	perRun, callers := onnx.Threads(0, max(onnx.Cores()-1, 1))
	require.GreaterOrEqual(t, perRun*callers, onnx.Cores(), "no core is left over")
}

func TestSilentAndPeak(t *testing.T) {
	require.Zero(t, onnx.Peak(nil))
	require.InDelta(t, 0.5, onnx.Peak([]float32{0.25, -0.5, 0}), 0)
	err := onnx.CheckAudible("speaking", []float32{0, 1e-9, -1e-9})
	require.Equal(t, backend.CodeEngineFailed, backend.CodeOf(err))
	require.Equal(t, "The speech model produced only silence in speaking.", backend.AsError(err).Detail)
	require.Error(t, onnx.CheckAudible("speaking", nil))
	require.NoError(t, onnx.CheckAudible("speaking", []float32{0, -0.1}))
}
