package grown

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	ort "github.com/yalue/onnxruntime_go"

	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/onnx/onnxtest"
)

const smallVoice = "../../../engines/piper/testdata/kit/vits/vits-small.onnx"

// TestPiperSpeaksWithTrueSize runs the graph: it has the 15.7 million numbers of a published voice, and makes sound.
func TestPiperSpeaksWithTrueSize(t *testing.T) {
	small, err := os.ReadFile(smallVoice)
	require.NoError(t, err)
	big, err := Piper(small, 1)
	require.NoError(t, err)
	require.InDelta(t, 63.2e6, len(big), 2e6, "a published voice of medium quality has 63.2 MB")
	path := filepath.Join(t.TempDir(), "voice.onnx")
	require.NoError(t, os.WriteFile(path, big, 0o600))

	require.NoError(t, onnx.New(onnx.Options{Path: enginetest.Library(t)}).Init())
	session, err := ort.NewDynamicAdvancedSession(path, []string{"input", "input_lengths", "scales"}, []string{"output"}, nil)
	require.NoError(t, err)
	ids, err := ort.NewTensor(ort.NewShape(1, 9), []int64{1, 0, 20, 0, 61, 0, 10, 0, 2})
	require.NoError(t, err)
	lengths, err := ort.NewTensor(ort.NewShape(1), []int64{9})
	require.NoError(t, err)
	scales, err := ort.NewTensor(ort.NewShape(3), []float32{0.667, 1, 0.8})
	require.NoError(t, err)
	out := []ort.Value{nil}
	require.NoError(t, session.Run([]ort.Value{ids, lengths, scales}, out))
	samples := out[0].(*ort.Tensor[float32]).GetData()
	require.Greater(t, len(samples), 9*256, "more than a frame for each symbol")
	loudest, mean := 0.0, 0.0
	for _, v := range samples {
		require.False(t, math.IsNaN(float64(v)))
		loudest = max(loudest, math.Abs(float64(v)))
		mean += float64(v) / float64(len(samples))
	}
	t.Logf("%d samples, the loudest %v", len(samples), loudest)
	require.Greater(t, loudest, 1e-6)
	require.Less(t, math.Abs(mean), loudest/100, "a voice sounds around zero")
}

func TestPiperRefusesOtherFiles(t *testing.T) {
	for _, raw := range [][]byte{nil, {0xff}, []byte("no graph"), onnxtest.Model(15, onnxtest.Weight("w", []float32{1}, 1))} {
		_, err := Piper(raw, 1)
		require.Error(t, err)
	}
}
