package diarize

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
)

// folder returns a folder with copies of files, by name.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, from := range files {
		raw, err := os.ReadFile(from)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), raw, 0o600))
	}
	return dir
}

func toyFolder(t *testing.T) string {
	t.Helper()
	return folder(t, map[string]string{
		"model.onnx": kitFile(t, "graphs/toy_seg.onnx"), "voices.onnx": kitFile(t, "graphs/toy_emb_3d.onnx"),
	})
}

func openToy(t *testing.T) engines.Diarizer {
	t.Helper()
	d := NewDriver(newRuntime(t))
	files, ok, err := d.Find(toyFolder(t))
	require.NoError(t, err)
	require.True(t, ok)
	e, err := d.Open(t.Context(), files, engines.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	require.Equal(t, Name, e.Info().Engine)
	require.Contains(t, e.Info().Runtimes, "onnxruntime")
	return e.(engines.Diarizer)
}

func TestNetworksAreFoundByWhatTheySay(t *testing.T) {
	d := NewDriver(newRuntime(t))
	files, ok, err := d.Find(toyFolder(t))
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "model.onnx", filepath.Base(files[RoleSegmentation]))
	require.Equal(t, "voices.onnx", filepath.Base(files[RoleEmbedding]))
	described, err := d.Describe(files)
	require.NoError(t, err)
	require.Equal(t, "Speakers (voices)", described.Name)
	require.Equal(t, "voices", described.Key)

	_, ok, err = d.Find(t.TempDir())
	require.NoError(t, err)
	require.False(t, ok)
	_, ok, err = d.Find(folder(t, map[string]string{"model.onnx": kitFile(t, "graphs/toy_seg.onnx")}))
	require.True(t, ok)
	require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
	_, _, err = d.Find(folder(t, map[string]string{
		"a.onnx": kitFile(t, "graphs/toy_seg.onnx"), "b.onnx": kitFile(t, "graphs/rand1_seg.onnx"),
	}))
	require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
}

// With the settings of the filter bank that the network was trained with, instead of the reference's, the same speakers are found.
func TestDiarizeTones(t *testing.T) {
	e := openToy(t)
	sound := kitCaseNamed(t, "toy60").sound(t)
	for _, pace := range []engines.Pace{engines.Thorough, engines.Balanced, engines.Fast} {
		var progress []float64
		found, err := e.Diarize(t.Context(), sound, engines.DiarizeOptions{Pace: pace, Progress: func(p float64) { progress = append(progress, p) }})
		require.NoError(t, err)
		require.Len(t, found.Prints, 4)
		require.IsIncreasing(t, progress)
		require.InDelta(t, 1, progress[len(progress)-1], 1e-9)
	}
}

func TestPrintsOfOneVoiceAreAlike(t *testing.T) {
	e := openToy(t)
	sound := kitCaseNamed(t, "toy60").sound(t)
	var prints [][]float32
	for _, at := range []float64{0.6, 11.1, 17.2} { // A, A, C
		print, ok, err := e.Print(t.Context(), sound[int(at*Rate):int((at+2)*Rate)])
		require.NoError(t, err)
		require.True(t, ok)
		require.InDelta(t, 1, dot(print, print), 1e-5)
		prints = append(prints, print)
	}
	require.Greater(t, dot(prints[0], prints[1]), float32(0.9))
	require.Less(t, dot(prints[0], prints[2]), float32(0.5))
	_, ok, err := e.Print(t.Context(), nil)
	require.NoError(t, err)
	require.False(t, ok)
}

func TestNothingToHear(t *testing.T) {
	found, err := openToy(t).Diarize(t.Context(), memory(nil), engines.DiarizeOptions{Count: 3})
	require.NoError(t, err)
	require.Empty(t, found.Turns)
}

// A source that fails ends the run with its error, and one that never answers ends with the context.
func TestCancelledRunsEnd(t *testing.T) {
	e := openToy(t)
	broken := errors.New("the disk is gone")
	_, err := e.Diarize(t.Context(), failing{broken}, engines.DiarizeOptions{})
	require.ErrorIs(t, err, broken)

	ctx, cancel := context.WithCancel(t.Context())
	sound := stopping{memory: make(memory, 20*60*Rate), stop: cancel}
	_, err = e.Diarize(ctx, sound, engines.DiarizeOptions{})
	require.ErrorIs(t, err, backend.ErrCancelled)
}

type failing struct{ err error }

func (failing) Samples() int { return 100 * Rate }

func (f failing) Read(context.Context, []float32, int) error { return f.err }

// stopping is sound that ends the run while it is heard.
type stopping struct {
	memory
	stop func()
}

func (s stopping) Read(ctx context.Context, into []float32, start int) error {
	if start > 10*Rate {
		s.stop()
	}
	return s.memory.Read(ctx, into, start)
}

// Files that say something else than what the steps can use are refused, and named.
func TestFilesThatCannotBeUsed(t *testing.T) {
	meta := func(pairs ...string) map[string]string {
		m := map[string]string{
			"sample_rate": "16000", "window_size": "160000", "receptive_field_size": "991", "receptive_field_shift": "270",
			"num_speakers": "3", "powerset_max_classes": "2", "num_classes": "7",
		}
		for i := 0; i < len(pairs); i += 2 {
			m[pairs[i]] = pairs[i+1]
		}
		return m
	}
	_, err := readShape("seg.onnx", meta())
	require.NoError(t, err)
	for _, pairs := range [][]string{
		{"sample_rate", "8000"},
		{"window_size", "0"},
		{"window_size", "many"},
		{"window_size", "99999999"},
		{"receptive_field_shift", "0"},
		{"num_speakers", "0"},
		{"num_speakers", "400"},
		{"powerset_max_classes", "3"},
		{"num_classes", "8"},
		{"receptive_field_size", ""},
	} {
		_, err := readShape("seg.onnx", meta(pairs...))
		require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err), "%v", pairs)
		require.Contains(t, backend.AsError(err).Detail, "seg.onnx")
		require.Contains(t, backend.AsError(err).Detail, pairs[0])
	}
	raw, err := os.ReadFile(kitFile(t, "graphs/toy_seg.onnx"))
	require.NoError(t, err)
	cut := filepath.Join(t.TempDir(), "cut.onnx")
	require.NoError(t, os.WriteFile(cut, raw[:len(raw)/2], 0o600))
	_, err = open(t.Context(), newRuntime(t), cut, kitFile(t, "graphs/toy_emb_3d.onnx"), Features{}, onnx.SessionOptions{})
	require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
	_, err = open(t.Context(), newRuntime(t), kitFile(t, "graphs/toy_seg.onnx"), kitFile(t, "graphs/toy_seg.onnx"), Features{}, onnx.SessionOptions{})
	require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err), "a segmentation network in the place of the other")
}
