package models_test

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// ears is a driver of transcription models, files whose name ends in .ear.
type ears struct {
	options enginetest.TranscriberOptions
	missing bool         // this build lacks the library
	device  atomic.Value // of the last opened model
	opened  atomic.Int64
	last    atomic.Pointer[enginetest.FixtureTranscriber]
}

var (
	_ engines.Driver   = (*ears)(nil)
	_ engines.Able     = (*ears)(nil)
	_ engines.Optional = (*ears)(nil)
)

func (*ears) Engine() string { return "ears" }

func (*ears) Abilities() engines.Abilities { return engines.Abilities{Transcribes: true} }

func (e *ears) Available() bool { return !e.missing }

func (*ears) Find(path string) (engines.Files, bool, error) {
	return engines.Files{"model": path}, filepath.Ext(path) == ".ear", nil
}

func (*ears) Describe(engines.Files) (engines.Description, error) {
	return engines.Description{Key: "mine", Name: "My ears", Languages: []string{"en", "de"}, SampleRate: engines.TranscriberRate}, nil
}

func (e *ears) Open(_ context.Context, _ engines.Files, o engines.Options) (engines.Engine, error) {
	e.device.Store(o.Device)
	e.opened.Add(1)
	t := enginetest.NewTranscriber(e.options)
	e.last.Store(t)
	return t, nil
}

// hears adds a transcription model to the registry and its file to the hub.
func (l *fixture) hears(name string) *ears {
	e := &ears{}
	id := "acme/" + name
	l.repos = append(l.repos, repo(id, map[string]string{name + ".ear": "model"}))
	l.options.Drivers = append(l.options.Drivers, e)
	l.options.Known = append(l.options.Known, registry.Entry{
		Name: name, DisplayName: "Ears " + name, Engine: "ears", Family: registry.Transcription, Languages: []string{"en", "de"},
		SampleRate: engines.TranscriberRate,
		Variants:   []registry.Variant{{Name: "full", Files: []registry.File{file(id, name+".ear", "model", "model")}}},
	})
	return e
}

func ignore(backend.Segment) error { return nil }

var second = make([]float32, engines.TranscriberRate)

func TestTranscribersShareOneLoad(t *testing.T) {
	t.Parallel()
	var e *ears
	l := newFixture(t, func(l *fixture) { e = l.hears("listener") })
	_, err := l.manager.AcquireTranscriberDownloaded(t.Context(), "listener")
	requireCode(t, backend.CodeModelNotDownloaded, err)
	requireCode(t, backend.CodeModelNotDownloaded, l.manager.CheckDownloaded("listener"))
	requireCode(t, backend.CodeModelUnknown, l.manager.CheckDownloaded("nobody"))
	var phases sync.Map
	var all sync.WaitGroup
	loaded := make([]*engines.LoadedTranscriber, 4)
	errs := make([]error, len(loaded))
	for i := range loaded {
		all.Go(func() {
			loaded[i], errs[i] = l.manager.AcquireTranscriber(context.Background(), "listener", func(s backend.Status) {
				phases.Store(s, true)
			})
		})
	}
	all.Wait()
	for i := range loaded {
		require.NoError(t, errs[i])
		require.Equal(t, "listener", loaded[i].Model)
		require.NotEmpty(t, loaded[i].Revision)
		require.Len(t, loaded[i].Files, 1)
	}
	_, downloading := phases.Load(backend.StatusDownloading)
	require.True(t, downloading, "callers are told of the download")
	require.Equal(t, int64(1), e.opened.Load())
	var got []string
	language, err := loaded[0].Transcribe(t.Context(), second, engines.TranscribeOptions{}, func(s backend.Segment) error {
		got = append(got, s.Text)
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, "en", language)
	require.Equal(t, []string{"Second 1."}, got)
	loaded[0].Transcribed(0.25)

	s := l.get("listener")
	require.True(t, s.Loaded)
	require.True(t, s.Supported)
	require.Equal(t, registry.Transcription, s.Family)
	require.InDelta(t, 0.25, *s.RTF, 1e-9)
	require.Equal(t, &backend.ModelShape{Workers: 1, Threads: 1}, s.Shape)
	require.Empty(t, l.profiles(), "a transcription model has no voices")
	for _, h := range loaded {
		require.Nil(t, l.get("listener").UnloadAt)
		h.Release()
	}
	require.NotNil(t, l.get("listener").UnloadAt)
	require.NoError(t, l.manager.CheckDownloaded("listener"))
	again, err := l.manager.AcquireTranscriberDownloaded(t.Context(), "listener")
	require.NoError(t, err)
	again.Release()
	_, err = l.manager.Unload(t.Context(), "listener", false)
	require.NoError(t, err)
	require.True(t, e.last.Load().Closed())
}

func TestTranscriptionEndsWhenItsModelIsUnloadedByForce(t *testing.T) {
	t.Parallel()
	begun := make(chan struct{})
	var e *ears
	l := newFixture(t, func(l *fixture) { e = l.hears("listener") })
	e.options.Before = func(ctx context.Context, _ engines.TranscribeOptions, _ int) error {
		close(begun)
		<-ctx.Done()
		return backend.ErrCancelled.WithCause(ctx.Err())
	}
	h, err := l.manager.AcquireTranscriber(t.Context(), "listener", nil)
	require.NoError(t, err)
	result := make(chan error, 1)
	go func() {
		_, err := h.Transcribe(context.Background(), second, engines.TranscribeOptions{}, ignore)
		result <- err
		h.Release()
	}()
	<-begun
	_, err = l.manager.Unload(t.Context(), "listener", true)
	require.NoError(t, err)
	require.Contains(t, failure(t, backend.CodeCancelled, <-result).Detail, "unloaded while it was transcribing")
	require.True(t, e.last.Load().Closed())
	_, err = h.Transcribe(t.Context(), second, engines.TranscribeOptions{}, ignore)
	requireCode(t, backend.CodeCancelled, err)
}

func TestModelsOfTheOtherFamily(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) {
		l.known("alpha", "anna")
		l.hears("listener")
	})
	_, err := l.manager.Acquire(t.Context(), "listener", nil)
	require.Contains(t, failure(t, backend.CodeEngineMismatch, err).Detail, "does not speak")
	_, err = l.manager.AcquireDownloaded(t.Context(), "listener")
	requireCode(t, backend.CodeEngineMismatch, err)
	_, err = l.manager.AcquireTranscriber(t.Context(), "alpha", nil)
	require.Contains(t, failure(t, backend.CodeEngineMismatch, err).Detail, "does not transcribe")
	require.Zero(t, l.server.Bytes("alpha.graph")+l.server.Bytes("listener.ear"), "nothing was downloaded")
	_, err = l.manager.AcquireTranscriber(t.Context(), "nobody", nil)
	requireCode(t, backend.CodeModelUnknown, err)
}

func TestAnEntryOfTheWrongFamily(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) {
		l.hears("listener")
		e := &l.options.Known[0]
		e.Family, e.Voices = registry.Speech, []registry.Voice{{ID: "v", Name: "V", Language: "en"}}
	})
	_, err := l.manager.Acquire(t.Context(), "listener", nil)
	requireCode(t, backend.CodeEngineMismatch, err)
	_, err = l.manager.Unload(t.Context(), "listener", false)
	require.NoError(t, err, "nobody uses it")
}

func TestABuildWithoutTheLibraryOfAnEngine(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { l.hears("listener").missing = true })
	require.False(t, l.get("listener").Supported)
	_, err := l.manager.AcquireTranscriber(t.Context(), "listener", nil)
	requireCode(t, backend.CodeRuntimeMissing, err)
	require.Zero(t, l.server.Bytes("listener.ear"), "nothing was downloaded")
}

func TestDeviceOfTheFamily(t *testing.T) {
	t.Parallel()
	var e *ears
	l := newFixture(t, func(l *fixture) {
		l.known("alpha", "anna")
		e = l.hears("listener")
		l.options.Device = func(family string) string { return family }
	})
	h, err := l.manager.AcquireTranscriber(t.Context(), "listener", nil)
	require.NoError(t, err)
	h.Release()
	require.Equal(t, registry.Transcription, e.device.Load())
	l.acquire("alpha").Release()
	require.Equal(t, registry.Speech, l.driver.options.Load().(engines.Options).Device)
}

func TestImportOfATranscriptionModel(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { l.hears("listener") })
	path := filepath.Join(t.TempDir(), "mine.ear")
	require.NoError(t, os.WriteFile(path, []byte("model"), 0o600))
	s, err := l.manager.Import(t.Context(), path, "", "")
	require.NoError(t, err)
	require.Equal(t, registry.Transcription, s.Family)
	require.Equal(t, "mine", s.ModelName)
	require.Equal(t, []string{"en", "de"}, s.Languages)
	require.Empty(t, l.profiles())
	h, err := l.manager.AcquireTranscriberDownloaded(t.Context(), "mine")
	require.NoError(t, err)
	h.Release()
	l.start()
	require.Equal(t, registry.Transcription, l.get("mine").Family, "also after a restart")
}
