// Package diarizetest has the toy networks that find speakers, and sound that they hear: tones for voices.
package diarizetest

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/diarize"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx"
)

// Kit returns the path of a file of the engine's kit.
func Kit(t testing.TB, name string) string {
	t.Helper()
	return filepath.Join(enginetest.Root(t), "engines", "diarize", "testdata", "kit", filepath.FromSlash(name))
}

// Folder writes the toy networks into a new folder, as model.onnx and tones.onnx.
func Folder(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for name, from := range map[string]string{"model.onnx": "toy_seg.onnx", "tones.onnx": "toy_emb_3d.onnx"} {
		raw, err := os.ReadFile(Kit(t, "graphs/"+from))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), raw, 0o600))
	}
	return dir
}

// Tones returns seconds of the recording of the voices A to D at engines.TranscriberRate. Among others A speaks from 0.5 to 4 and from
// 11 to 13, B from 4.4 to 7 and from 29 to 31, C from 17 to 20 and from 44.5 to 47, D from 34 to 38.
func Tones(t testing.TB, from, to float64) []float32 {
	t.Helper()
	raw, err := os.ReadFile(Kit(t, "audio/tones.wav"))
	require.NoError(t, err)
	pcm := raw[44:][int(from*engines.TranscriberRate)*2 : int(to*engines.TranscriberRate)*2]
	out := make([]float32, len(pcm)/2)
	for i := range out {
		out[i] = float32(int16(binary.LittleEndian.Uint16(pcm[2*i:]))) / 32768
	}
	return out
}

// Model is a model of the toy networks, as backend/models has it.
type Model struct {
	Missing  bool               // it is not installed
	Files    []backend.FileHash // its version
	diarizer engines.Diarizer
}

// New opens the toy networks.
func New(t testing.TB) *Model {
	t.Helper()
	d := diarize.NewDriver(onnx.New(onnx.Options{Path: enginetest.Library(t)}))
	files, ok, err := d.Find(Folder(t))
	require.NoError(t, err)
	require.True(t, ok)
	e, err := d.Open(t.Context(), files, engines.Options{Threads: 1})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	return &Model{diarizer: e.(engines.Diarizer), Files: []backend.FileHash{{Path: "tones.onnx", SHA256: "1"}}}
}

// DiarizerDownloaded reports whether the model is installed.
func (m *Model) DiarizerDownloaded() bool { return !m.Missing }

// AcquireDiarizerDownloaded returns the model. Error: model_not_downloaded.
func (m *Model) AcquireDiarizerDownloaded(context.Context) (*engines.LoadedDiarizer, error) {
	if m.Missing {
		return nil, backend.E(backend.CodeModelNotDownloaded, "Speakers is not downloaded.", "Download it first.")
	}
	return &engines.LoadedDiarizer{Diarizer: m.diarizer, Model: "speakers", Files: m.Files, Release: func() {}}, nil
}

// DiarizerFiles returns the files of the model, nil where it is missing.
func (m *Model) DiarizerFiles() []backend.FileHash {
	if m.Missing {
		return nil
	}
	return m.Files
}
