package models_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub/hubtest"
	"github.com/voicewright/voicewright/backend/models"
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/diarize"
	"github.com/voicewright/voicewright/engines/diarize/diarizetest"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx"
)

const (
	segments   = "acme/segmentation"
	embeddings = "acme/embeddings"
)

// graphOf returns a toy network of the engine's kit.
func graphOf(t *testing.T, name string) string {
	t.Helper()
	raw, err := os.ReadFile(diarizetest.Kit(t, "graphs/"+name))
	require.NoError(t, err)
	return string(raw)
}

// findsSpeakers adds a model of two networks to the registry, each in a repository of its own, and returns its entry.
func (l *fixture) findsSpeakers() *registry.Entry {
	runtime := onnx.New(onnx.Options{Path: enginetest.Library(l.t)})
	seg, emb := graphOf(l.t, "toy_seg.onnx"), graphOf(l.t, "toy_emb_3d.onnx")
	l.repos = append(l.repos, repo(segments, map[string]string{"model.onnx": seg}), repo(embeddings, map[string]string{"voices.onnx": emb}))
	l.options.Drivers = append(l.options.Drivers, diarize.NewDriver(runtime))
	l.options.Known = append(l.options.Known, registry.Entry{
		Name: "speakers", DisplayName: "Speakers", Engine: diarize.Name, Family: registry.Speakers, SampleRate: diarize.Rate,
		Variants: []registry.Variant{{Name: "fp32", Files: []registry.File{
			file(segments, "model.onnx", seg, diarize.RoleSegmentation), file(embeddings, "voices.onnx", emb, diarize.RoleEmbedding),
		}}},
	})
	return &l.options.Known[len(l.options.Known)-1]
}

func TestAModelWithFilesOfTwoRepositories(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { l.findsSpeakers() })
	require.False(t, l.manager.DiarizerDownloaded())
	_, err := l.manager.AcquireDiarizerDownloaded(t.Context())
	require.Equal(t, "speakers", failure(t, backend.CodeModelNotDownloaded, err).Params["model_name"])
	var phases []backend.Status
	d, err := l.manager.AcquireDiarizer(t.Context(), func(s backend.Status) { phases = append(phases, s) })
	require.NoError(t, err)
	require.Equal(t, []backend.Status{backend.StatusDownloading, backend.StatusLoading}, phases)
	require.Equal(t, "speakers", d.Model)
	require.Len(t, d.Files, 2)
	require.True(t, l.manager.DiarizerDownloaded())
	_, ok, err := d.Print(t.Context(), make([]float32, 100))
	require.NoError(t, err)
	require.False(t, ok)
	s := l.get("speakers")
	require.True(t, s.Loaded)
	require.Equal(t, registry.Speakers, s.Family)
	require.Empty(t, l.profiles(), "it has no voices")
	d.Release()

	for _, id := range []string{segments, embeddings} {
		require.DirExists(t, filepath.Join(l.dir, "models--"+strings.ReplaceAll(id, "/", "--")))
	}
	v, err := l.manager.Verify(t.Context(), "speakers")
	require.NoError(t, err)
	require.True(t, v.OK)
	require.Equal(t, 2, v.Files)
	about, err := l.manager.Detail(t.Context(), "speakers")
	require.NoError(t, err)
	require.Equal(t, segments, about.Files[0].Repo)
	require.Equal(t, embeddings, about.Files[1].Repo)

	again := l.server.Bytes("voices.onnx")
	l.start()
	require.True(t, l.manager.DiarizerDownloaded(), "also after a restart")
	d, err = l.manager.AcquireDiarizerDownloaded(t.Context())
	require.NoError(t, err)
	d.Release()
	_, err = l.manager.Unload(t.Context(), "speakers", false)
	require.NoError(t, err)
	_, err = l.manager.Delete(t.Context(), "speakers", false)
	require.NoError(t, err)
	require.False(t, l.manager.DiarizerDownloaded())
	for _, name := range l.files() {
		require.NotContains(t, name, ".onnx", "files of both repositories are deleted")
	}
	require.Equal(t, again, l.server.Bytes("voices.onnx"))
}

// A download that failed at the second repository resumes there.
func TestDownloadResumesAtTheSecondRepository(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { l.findsSpeakers() })
	l.server.Storage("voices.onnx", hubtest.Always, hubtest.Status(404))
	_, err := l.manager.AcquireDiarizer(t.Context(), nil)
	require.Error(t, err)
	require.False(t, l.manager.DiarizerDownloaded())
	l.server.Heal()
	first := l.server.Bytes("model.onnx")
	d, err := l.manager.AcquireDiarizer(t.Context(), nil)
	require.NoError(t, err)
	d.Release()
	require.Equal(t, first, l.server.Bytes("model.onnx"), "the first network is not downloaded again")
}

func TestADamagedNetworkOfTwoIsReplaced(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { l.findsSpeakers() })
	d, err := l.manager.AcquireDiarizer(t.Context(), nil)
	require.NoError(t, err)
	d.Release()
	_, err = l.manager.Unload(t.Context(), "speakers", false)
	require.NoError(t, err)
	for _, name := range l.files() {
		if strings.HasSuffix(name, "voices.onnx") {
			path, err := filepath.EvalSymlinks(filepath.Join(l.root, name))
			require.NoError(t, err)
			require.NoError(t, os.Chmod(path, 0o600))
			raw := []byte(graphOf(t, "toy_emb_3d.onnx"))
			raw[len(raw)/2]++
			require.NoError(t, os.WriteFile(path, raw, 0o600))
		}
	}
	v, err := l.manager.Verify(t.Context(), "speakers")
	require.NoError(t, err)
	require.False(t, v.OK)
	require.Equal(t, backend.CodeModelCorrupt, v.Error.Code)
	require.False(t, l.manager.DiarizerDownloaded())
	first := l.server.Bytes("model.onnx")
	d, err = l.manager.AcquireDiarizer(t.Context(), nil)
	require.NoError(t, err)
	d.Release()
	require.Equal(t, first, l.server.Bytes("model.onnx"), "only the damaged network is downloaded")
}

func TestTwoNetworksOfAFolder(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { l.findsSpeakers() })
	dir := t.TempDir()
	for name, from := range map[string]string{"model.onnx": "toy_seg.onnx", "voices.onnx": "toy_emb_3d.onnx"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(graphOf(t, from)), 0o600))
	}
	s, err := l.manager.Import(t.Context(), dir, "", "mine")
	require.NoError(t, err)
	require.Equal(t, registry.Speakers, s.Family)
	require.Equal(t, "Speakers (voices)", s.DisplayName)
	require.Empty(t, s.Languages)
	require.Empty(t, l.profiles())
	d, err := l.manager.AcquireDiarizerDownloaded(t.Context())
	require.NoError(t, err)
	require.Equal(t, "mine", d.Model, "the model of the list is not downloaded, where another one does the same")
	d.Release()

	s, err = l.manager.ImportInto(t.Context(), "speakers", dir)
	require.NoError(t, err)
	require.True(t, s.Downloaded)
	require.Zero(t, l.server.Bytes("model.onnx"))
	d, err = l.manager.AcquireDiarizer(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, "speakers", d.Model)
	d.Release()
}

func TestSpeakersAreNoVoice(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) {
		l.findsSpeakers()
		l.hears("listener")
	})
	_, err := l.manager.Acquire(t.Context(), "speakers", nil)
	require.Equal(t, "Speakers does not speak; it finds who said what.", failure(t, backend.CodeEngineMismatch, err).Detail)
	_, err = l.manager.AcquireTranscriber(t.Context(), "speakers", nil)
	require.Equal(t, "Speakers does not transcribe; it finds who said what.", failure(t, backend.CodeEngineMismatch, err).Detail)
	requireCode(t, backend.CodeEngineMismatch, l.manager.CheckDownloaded("speakers"))
	require.Zero(t, l.server.Bytes("model.onnx"), "nothing was downloaded")
	m, err := l.manager.Model("speakers")
	require.NoError(t, err)
	_, err = m.Find("")
	requireCode(t, backend.CodeEngineMismatch, err)
	d, err := l.manager.AcquireDiarizer(t.Context(), nil)
	require.NoError(t, err)
	d.Release()
	require.Empty(t, l.manager.InstalledTranscriber("speakers", models.Listening{}))
}

// An entry of the user's list may say that a transcription model finds speakers.
func TestAnEngineThatFindsNoSpeakers(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) {
		l.hears("listener")
		e := &l.options.Known[0]
		e.Family, e.Languages = registry.Speakers, nil
	})
	_, err := l.manager.AcquireDiarizer(t.Context(), nil)
	require.Equal(t, "Ears listener does not find speakers; it turns audio into text.",
		failure(t, backend.CodeEngineMismatch, err).Detail)
}

func TestNoModelThatFindsSpeakers(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	require.False(t, l.manager.DiarizerDownloaded())
	_, err := l.manager.AcquireDiarizer(t.Context(), nil)
	requireCode(t, backend.CodeModelUnknown, err)
}

func TestTheSearchForSpeakersEndsWhenItsModelIsUnloadedByForce(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { l.findsSpeakers() })
	d, err := l.manager.AcquireDiarizer(t.Context(), nil)
	require.NoError(t, err)
	begun, result := make(chan struct{}), make(chan error, 1)
	go func() {
		_, err := d.Diarize(context.Background(), endless{begun}, engines.DiarizeOptions{})
		result <- err
		d.Release()
	}()
	<-begun
	_, err = l.manager.Unload(t.Context(), "speakers", true)
	require.NoError(t, err)
	require.Contains(t, failure(t, backend.CodeCancelled, <-result).Detail, "unloaded while it was looking for speakers")
	_, _, err = d.Print(t.Context(), second)
	requireCode(t, backend.CodeCancelled, err)
}

// endless is sound of which nothing arrives.
type endless struct{ begun chan struct{} }

func (endless) Samples() int { return diarize.Rate }

func (e endless) Read(ctx context.Context, _ []float32, _ int) error {
	close(e.begun)
	<-ctx.Done()
	return backend.ErrCancelled.WithCause(ctx.Err())
}

// replaced changes a file of the model that finds speakers on the disk; change returns nil to remove it.
func (l *fixture) replaced(name string, change func(raw []byte) []byte) {
	l.t.Helper()
	found := false
	for _, file := range l.files() {
		if !strings.HasSuffix(file, name) {
			continue
		}
		path, err := filepath.EvalSymlinks(filepath.Join(l.root, file))
		require.NoError(l.t, err)
		raw, err := os.ReadFile(path)
		require.NoError(l.t, err)
		found = true
		if raw = change(raw); raw == nil {
			require.NoError(l.t, os.Remove(path))
			continue
		}
		require.NoError(l.t, os.Chmod(path, 0o600))
		require.NoError(l.t, os.WriteFile(path, raw, 0o600))
	}
	require.True(l.t, found, name)
}

// A model that was damaged on the disk is an error with a remedy, also after a restart, and the next download mends it.
func TestSpeakersThatWereDamaged(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file   string
		change func(t *testing.T, raw []byte) []byte
	}{
		"a byte of the voices":      {"voices.onnx", func(_ *testing.T, raw []byte) []byte { raw[len(raw)/2]++; return raw }},
		"a byte at the start":       {"model.onnx", func(_ *testing.T, raw []byte) []byte { raw[0]++; return raw }},
		"cut off":                   {"model.onnx", func(_ *testing.T, raw []byte) []byte { return raw[:len(raw)/2] }},
		"empty":                     {"voices.onnx", func(_ *testing.T, raw []byte) []byte { return raw[:0] }},
		"one of the two is missing": {"voices.onnx", func(*testing.T, []byte) []byte { return nil }},
		"without its metadata":      {"model.onnx", func(t *testing.T, _ []byte) []byte { return []byte(graphOf(t, "toy_emb_3d.onnx")) }},
	} {
		for _, restarted := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				l := newFixture(t, func(l *fixture) { l.findsSpeakers() })
				d, err := l.manager.AcquireDiarizer(t.Context(), nil)
				require.NoError(t, err)
				d.Release()
				_, err = l.manager.Unload(t.Context(), "speakers", false)
				require.NoError(t, err)
				l.replaced(c.file, func(raw []byte) []byte { return c.change(t, raw) })
				if restarted {
					l.start()
				}
				d, err = l.manager.AcquireDiarizerDownloaded(t.Context())
				if err == nil { // a byte that no graph needs to be opened
					d.Release()
					_, err = l.manager.Verify(t.Context(), "speakers")
					require.NoError(t, err)
					_, err = l.manager.Unload(t.Context(), "speakers", true)
					require.NoError(t, err)
					_, err = l.manager.AcquireDiarizerDownloaded(t.Context())
				}
				e := backend.AsError(err)
				require.Contains(t, []backend.Code{backend.CodeModelCorrupt, backend.CodeModelNotDownloaded}, e.Code, e)
				require.NotEmpty(t, e.Remedy)
				require.False(t, l.manager.DiarizerDownloaded())

				d, err = l.manager.AcquireDiarizer(t.Context(), nil)
				require.NoError(t, err, "it is downloaded again")
				d.Release()
				v, err := l.manager.Verify(t.Context(), "speakers")
				require.NoError(t, err)
				require.True(t, v.OK)
			})
		}
	}
}

// An imported model whose graph says nothing about itself is refused, and named.
func TestGraphsThatSayNothing(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { l.findsSpeakers() })
	other, err := os.ReadFile(filepath.Join(enginetest.Root(t), "app", "testdata", "en_US-tone-medium", "en_US-tone-medium.onnx"))
	require.NoError(t, err)
	for raw, has := range map[string]string{"no graph": "voices.onnx", string(other): "embedding.onnx"} {
		dir := t.TempDir()
		for name, raw := range map[string]string{"model.onnx": graphOf(t, "toy_seg.onnx"), "voices.onnx": raw} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(raw), 0o600))
		}
		_, err = l.manager.Import(t.Context(), dir, "", "mine")
		e := failure(t, backend.CodeModelCorrupt, err)
		require.Contains(t, e.Detail, has)
		require.NotEmpty(t, e.Remedy)
	}
}

// A search whose model is deleted by force ends, and one that waits for a download that is cancelled does.
func TestTheSearchForSpeakersEndsWithItsModel(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { l.findsSpeakers() })
	d, err := l.manager.AcquireDiarizer(t.Context(), nil)
	require.NoError(t, err)
	begun, result := make(chan struct{}), make(chan error, 1)
	go func() {
		_, err := d.Diarize(context.Background(), endless{begun}, engines.DiarizeOptions{})
		d.Release()
		result <- err
	}()
	<-begun
	_, err = l.manager.Delete(t.Context(), "speakers", true)
	require.NoError(t, err)
	requireCode(t, backend.CodeCancelled, <-result)
	require.False(t, l.manager.DiarizerDownloaded())

	l.server.Storage("voices.onnx", hubtest.Always, hubtest.Stall(100))
	downloading := make(chan struct{})
	go func() {
		_, err := l.manager.AcquireDiarizer(context.Background(), func(backend.Status) { close(downloading) })
		result <- err
	}()
	<-downloading
	_, err = l.manager.Cancel(t.Context(), "speakers")
	require.NoError(t, err)
	require.Equal(t, "The download was cancelled.", failure(t, backend.CodeCancelled, <-result).Detail)
}
