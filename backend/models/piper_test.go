package models_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/hub/hubtest"
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/piper"
)

const lessac = "en_US-lessac-medium"

// letters is a phonemizer that returns the letters as phonemes.
type letters struct{}

func (letters) Phonemize(_ context.Context, text, _ string) ([]engines.Sentence, error) {
	return []engines.Sentence{strings.Split(strings.ToLower(text), "")}, nil
}

func emitNothing(audio.Buffer) error { return nil }

func withPiper(t *testing.T) func(*fixture) {
	return func(l *fixture) {
		runtime := onnx.New(onnx.Options{Path: enginetest.Library(t)})
		l.options.Drivers = []engines.Driver{l.driver, piper.NewDriver(runtime, letters{})}
	}
}

func TestImportPiperVoice(t *testing.T) {
	t.Parallel()
	l := newFixture(t, withPiper(t))
	folder, err := filepath.Abs(filepath.Join("testdata", lessac))
	require.NoError(t, err)
	_, err = l.manager.Import(t.Context(), filepath.Join("testdata", lessac), "", "")
	requireInvalid(t, "value_error", "path", err)
	s, err := l.manager.Import(t.Context(), folder, "", "")
	require.NoError(t, err)
	require.Equal(t, "en_us-lessac-medium", s.ModelName)
	require.Equal(t, "Lessac (medium)", s.DisplayName)
	require.Equal(t, "piper", s.Engine)
	require.Equal(t, []string{"en-US"}, s.Languages)
	require.Contains(t, s.License.Name, "CC0")
	p, err := l.db.ProfileByPreset(t.Context(), "piper", lessac+"#0")
	require.NoError(t, err)
	require.Equal(t, "Lessac", p.Name)
	require.Len(t, l.files(), 4, "graph, config, card and the list")

	loaded := l.acquire(s.ModelName)
	frames := 0
	require.NoError(t, loaded.Speak(t.Context(), engines.Utterance{Text: "hello", Speed: 1}, func(b audio.Buffer) error {
		frames += b.Frames()
		return nil
	}))
	require.Positive(t, frames)
	require.Len(t, loaded.Files, 3)
	loaded.Release()
}

func TestImportDamagedPiperVoice(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file string // that is damaged
		size int64  // -1 = removed
	}{
		"graph missing":    {lessac + ".onnx", -1},
		"graph truncated":  {lessac + ".onnx", 1000},
		"graph empty":      {lessac + ".onnx", 0},
		"config missing":   {lessac + ".onnx.json", -1},
		"config truncated": {lessac + ".onnx.json", 500},
		"config empty":     {lessac + ".onnx.json", 0},
	} {
		t.Run(name, func(t *testing.T) {
			l := newFixture(t, withPiper(t))
			dir := t.TempDir()
			require.NoError(t, os.CopyFS(dir, os.DirFS(filepath.Join("testdata", lessac))))
			damaged := filepath.Join(dir, c.file)
			if c.size < 0 {
				require.NoError(t, os.Remove(damaged))
			} else {
				require.NoError(t, os.Truncate(damaged, c.size))
			}
			_, err := l.manager.Import(t.Context(), dir, "", "")
			require.Contains(t, failure(t, backend.CodeModelCorrupt, err).Detail, c.file)
			require.Empty(t, l.files())
			require.Empty(t, l.manager.Status(t.Context()))
		})
	}
}

// piperAtHub adds the Piper voice in testdata to the registry and the hub.
func piperAtHub(t *testing.T) func(*fixture) {
	return func(l *fixture) {
		withPiper(t)(l)
		const id = "rhasspy/piper-voices"
		r := hubtest.Repo{ID: id, Files: map[string]hubtest.Content{}}
		var files []registry.File
		for name, role := range map[string]string{lessac + ".onnx": "graph", lessac + ".onnx.json": "config", "MODEL_CARD": "card"} {
			raw, err := os.ReadFile(filepath.Join("testdata", lessac, name))
			require.NoError(t, err)
			r.Files["en/en_US/"+name] = hubtest.Bytes(raw)
			files = append(files, file(id, "en/en_US/"+name, string(raw), role))
		}
		l.repos = append(l.repos, r)
		l.options.Known = append(l.options.Known, registry.Entry{
			Name: "piper-lessac", Key: lessac, DisplayName: "Lessac (medium)", Engine: "piper", Family: registry.Speech,
			Languages: []string{"en-US"}, SampleRate: 22050, Voices: []registry.Voice{{ID: "0", Name: "Lessac", Language: "en-US"}},
			Variants: []registry.Variant{{Name: "medium", MemoryMB: 180, Files: files}},
		})
		l.options.Resident = resident
	}
}

func resident() int64 {
	raw, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	pages, _ := strconv.ParseInt(strings.Fields(string(raw))[1], 10, 64)
	return pages * int64(os.Getpagesize())
}

func TestPiperVoiceOfTheHub(t *testing.T) {
	l := newFixture(t, piperAtHub(t))
	var phases []backend.Status
	h, err := l.manager.Acquire(t.Context(), "piper-lessac", func(s backend.Status) { phases = append(phases, s) })
	require.NoError(t, err)
	require.Equal(t, []backend.Status{backend.StatusDownloading, backend.StatusLoading}, phases)
	frames := 0
	require.NoError(t, h.Speak(t.Context(), say("hello"), func(b audio.Buffer) error {
		frames += b.Frames()
		return nil
	}))
	require.Positive(t, frames)
	require.Equal(t, hubtest.CommitOf("rhasspy/piper-voices"), h.Revision)
	require.Len(t, h.Files, 3)
	h.Release()
	p, err := l.db.ProfileByPreset(t.Context(), "piper", lessac+"#0")
	require.NoError(t, err)
	require.Equal(t, "Lessac", p.Name)
	require.Equal(t, "piper-lessac", p.ModelName)
	t.Logf("measured: %d MB", *orZero(l.get("piper-lessac").Memory.Measured))
}

func orZero(n *int) *int {
	if n == nil {
		return new(int)
	}
	return n
}

func TestTruncatedGraphOfTheHub(t *testing.T) {
	l := newFixture(t, piperAtHub(t))
	l.download("piper-lessac")
	found, err := filepath.Glob(filepath.Join(l.dir, "models--rhasspy--piper-voices", "snapshots", "*", "en", "en_US", "*.onnx"))
	require.NoError(t, err)
	require.NoError(t, os.Truncate(found[0], 1000))
	_, err = l.manager.Load(t.Context(), "piper-lessac", false, false)
	requireCode(t, backend.CodeModelCorrupt, err)
	require.Equal(t, backend.ModelBroken, l.state("piper-lessac"))
	l.download("piper-lessac")
	_, err = l.manager.Load(t.Context(), "piper-lessac", false, false)
	require.NoError(t, err)
}
