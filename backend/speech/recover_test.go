package speech_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/studio"
	"github.com/voicewright/voicewright/engines/enginetest"
)

func write(t *testing.T, path string) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte("half"), 0o600))
	return path
}

func TestCrashRecovery(t *testing.T) {
	l := newLab(t, fixture(enginetest.FixtureOptions{}))
	whole := l.speak(l.request("This one was finished."))
	require.NoError(t, l.service.Close(t.Context()))

	// What a killed process leaves: rows on their way, and their files in every stage.
	lost := map[backend.Status]string{}
	for _, status := range []backend.Status{
		backend.StatusQueued, backend.StatusDownloading, backend.StatusLoading, backend.StatusGenerating,
	} {
		g := whole
		g.ID, g.Status, g.AudioPath, g.Receipt, g.Chunks, g.Duration = uuid.NewString(), status, "", nil, nil, 0
		_, err := l.db.CreateGeneration(t.Context(), g)
		require.NoError(t, err)
		lost[status] = g.ID
	}
	unfinished := filepath.Join(l.dir, "unfinished")
	id := lost[backend.StatusGenerating]
	left := []string{
		write(t, filepath.Join(filepath.Dir(whole.AudioPath), id+".wav")), // in its place, but the row was not completed
		write(t, filepath.Join(unfinished, id+".wav")),
		write(t, filepath.Join(unfinished, id+".123.spool")),
		write(t, filepath.Join(unfinished, id+".mp3.partabc")),
		write(t, filepath.Join(unfinished, whole.ID+".77.flac")), // an export that was on its way
	}
	l.start()

	for status, id := range lost {
		g := l.stored(id)
		require.Equal(t, backend.StatusFailed, g.Status, "was %s", status)
		require.Equal(t, backend.CodeInterrupted, g.Error.Code)
		require.Contains(t, g.Error.Remedy, "Retry")
	}
	for _, path := range left {
		require.NoFileExists(t, path)
	}
	require.Equal(t, []string{whole.AudioPath}, l.files())
	requireSameJSON(t, whole, l.stored(whole.ID))

	_, err := l.service.Generations.Retry(t.Context(), id, nil)
	require.NoError(t, err)
	g := l.becomes(id, backend.StatusComplete)
	require.Equal(t, whole.Receipt.AudioSHA256, g.Receipt.AudioSHA256, "a retry makes what was lost")
}

func TestAudioDirectoryThatCannotBeMade(t *testing.T) {
	l := newLab(t, fixture(enginetest.FixtureOptions{}))
	o := l.options
	o.Dir = filepath.Join(write(t, filepath.Join(t.TempDir(), "file")), "audio")
	_, err := studio.New(t.Context(), o)
	require.ErrorContains(t, err, "audio directory")
}

func TestRetention(t *testing.T) {
	l := newLab(t, fixture(enginetest.FixtureOptions{}), func(l *lab) {
		l.options.Retention = func() time.Duration { return 24 * time.Hour }
	})
	at := func(age time.Duration) backend.Generation {
		l.now.Store(new(time.Now().Add(-age)))
		defer l.now.Store(nil)
		return l.speak(l.request("Hello."))
	}
	old, favourite, young := at(25*time.Hour), at(26*time.Hour), at(23*time.Hour)
	_, err := l.db.PatchGeneration(t.Context(), favourite.ID, backend.GenerationPatch{Favorite: new(true)})
	require.NoError(t, err)

	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- l.service.Generations.Retain(ctx, nil) }()
	require.Eventually(t, func() bool {
		_, err := l.db.Generation(t.Context(), old.ID)
		return backend.CodeOf(err) == backend.CodeGenerationNotFound
	}, waitLimit, waitStep)
	stop()
	require.NoError(t, <-ended)
	require.NoFileExists(t, old.AudioPath)
	require.FileExists(t, favourite.AudioPath, "favourites stay")
	require.FileExists(t, young.AudioPath)
	l.stored(favourite.ID)
	l.stored(young.ID)
}

func TestRetentionOfALongHistory(t *testing.T) {
	l := newLab(t, fixture(enginetest.FixtureOptions{}), func(l *lab) {
		l.options.Retention = func() time.Duration { return time.Hour }
	})
	g := l.speak(l.request("Hello."))
	for i := range 2*backend.MaxPageLimit + 10 {
		g.ID, g.CreatedAt, g.AudioPath, g.Favorite = uuid.NewString(), time.Now().Add(-2*time.Hour), "", i%2 == 0
		_, err := l.db.CreateGeneration(t.Context(), g)
		require.NoError(t, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- l.service.Generations.Retain(ctx, nil) }()
	require.Eventually(t, func() bool {
		list, err := l.db.Generations(t.Context(), backend.GenerationFilter{Favorite: backend.No})
		return err == nil && list.Total == 1
	}, waitLimit, 20*time.Millisecond)
	stop()
	require.NoError(t, <-ended)
	list, err := l.db.Generations(t.Context(), backend.GenerationFilter{Favorite: backend.Yes})
	require.NoError(t, err)
	require.Equal(t, backend.MaxPageLimit+5, list.Total)
}

func TestDelete(t *testing.T) {
	l := newLab(t, speaksOnly("Done.", "Gone.", "One."))
	done := l.speak(l.request("Done."))
	missing := l.speak(l.request("Gone."))
	require.NoError(t, os.Remove(missing.AudioPath))
	running := l.submit("One. Two. Three.")
	waiting := l.submit("Waits.")
	l.becomes(running.ID, backend.StatusGenerating)

	n, err := l.service.Generations.Delete(t.Context(), []string{done.ID, missing.ID, running.ID, waiting.ID, "nobody"})
	require.NoError(t, err)
	require.Equal(t, 4, n)
	require.Empty(t, l.files())
	_, err = l.service.Generations.Generation(t.Context(), running.ID)
	requireCode(t, backend.CodeGenerationNotFound, err)
}

func TestStorage(t *testing.T) {
	l := newLab(t, fixture(enginetest.FixtureOptions{}))
	a, b := l.speak(l.request("One.")), l.speak(l.request("Two two."))
	require.NoError(t, os.Remove(b.AudioPath))
	info, err := os.Stat(a.AudioPath)
	require.NoError(t, err)
	got, err := l.service.Generations.Storage(t.Context())
	require.NoError(t, err)
	require.Equal(t, generations.Storage{Files: 1, Bytes: info.Size(), Missing: 1}, got)
}

func TestCloseLetsTheRunningOneFinish(t *testing.T) {
	engine, entered, open := gated()
	l := newLab(t, engine)
	running, waiting := l.submit("Runs."), l.submit("Waits.")
	<-entered
	closed := make(chan error, 1)
	go func() { closed <- l.service.Close(context.Background()) }()
	failed := l.becomes(waiting.ID, backend.StatusFailed)
	require.Equal(t, backend.CodeInterrupted, failed.Error.Code)
	require.NotEmpty(t, failed.Error.Remedy)
	require.Equal(t, backend.StatusGenerating, l.stored(running.ID).Status)
	_, err := l.service.Generations.Submit(t.Context(), l.request("Too late."))
	requireCode(t, backend.CodeInterrupted, err)
	open()
	require.NoError(t, <-closed)
	require.Equal(t, backend.StatusComplete, l.stored(running.ID).Status, "Close has waited for it")
	require.FileExists(t, l.stored(running.ID).AudioPath)
}

func TestCloseCancelsWhenItsTimeIsUp(t *testing.T) {
	engine, entered, _ := gated()
	l := newLab(t, engine)
	running := l.submit("Runs for ever.")
	<-entered
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	require.NoError(t, l.service.Close(ctx))
	require.Equal(t, backend.StatusCancelled, l.stored(running.ID).Status)
	require.Empty(t, l.files())
	require.NoError(t, l.service.Close(ctx), "again does nothing")
}
