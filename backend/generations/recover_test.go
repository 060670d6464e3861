package generations_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/studio"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines/enginetest"
)

func write(t *testing.T, path string) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte("half"), 0o600))
	return path
}

func TestCrashRecovery(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	whole := l.Speak(l.Request("This one was finished."))
	require.NoError(t, l.Close(t.Context()))

	// What a killed process leaves: rows on their way, and their files in every stage.
	lost := map[backend.Status]string{}
	for _, status := range []backend.Status{
		backend.StatusQueued, backend.StatusDownloading, backend.StatusLoading, backend.StatusGenerating,
	} {
		g := whole
		g.ID, g.Status, g.AudioPath, g.Receipt, g.Chunks, g.Duration = uuid.NewString(), status, "", nil, nil, 0
		_, err := l.DB.CreateGeneration(t.Context(), g)
		require.NoError(t, err)
		lost[status] = g.ID
	}
	unfinished := filepath.Join(l.Dir, "unfinished")
	id := lost[backend.StatusGenerating]
	left := []string{
		write(t, filepath.Join(filepath.Dir(whole.AudioPath), id+".wav")), // in its place, but the row was not completed
		write(t, filepath.Join(unfinished, id+".wav")),
		write(t, filepath.Join(unfinished, id+".123.spool")),
		write(t, filepath.Join(unfinished, id+".mp3.partabc")),
		write(t, filepath.Join(unfinished, whole.ID+".77.flac")), // an export that was on its way
	}
	l.Start()

	for status, id := range lost {
		g := l.Stored(id)
		require.Equal(t, backend.StatusFailed, g.Status, "was %s", status)
		require.Equal(t, backend.CodeInterrupted, g.Error.Code)
		require.Contains(t, g.Error.Remedy, "Retry")
	}
	for _, path := range left {
		require.NoFileExists(t, path)
	}
	require.Equal(t, []string{whole.AudioPath}, l.Files())
	requireSameJSON(t, whole, l.Stored(whole.ID))

	_, err := l.Generations.Retry(t.Context(), id, nil)
	require.NoError(t, err)
	g := l.Becomes(id, backend.StatusComplete)
	require.Equal(t, whole.Receipt.AudioSHA256, g.Receipt.AudioSHA256, "a retry makes what was lost")
}

func TestAudioDirectoryThatCannotBeMade(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	o := l.Options
	o.Dir = filepath.Join(write(t, filepath.Join(t.TempDir(), "file")), "audio")
	_, err := studio.New(t.Context(), o)
	require.ErrorContains(t, err, "audio directory")
}

func TestRetention(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}), func(l *studiotest.Lab) {
		l.Options.Retention = func() time.Duration { return 24 * time.Hour }
	})
	at := func(age time.Duration) backend.Generation {
		l.Now.Store(new(time.Now().Add(-age)))
		defer l.Now.Store(nil)
		return l.Speak(l.Request("Hello."))
	}
	old, favourite, young := at(25*time.Hour), at(26*time.Hour), at(23*time.Hour)
	_, err := l.DB.PatchGeneration(t.Context(), favourite.ID, backend.GenerationPatch{Favorite: new(true)})
	require.NoError(t, err)

	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- l.Generations.Archive.Retain(ctx, nil) }()
	require.Eventually(t, func() bool {
		_, err := l.DB.Generation(t.Context(), old.ID)
		return backend.CodeOf(err) == backend.CodeGenerationNotFound
	}, studiotest.WaitLimit, studiotest.WaitStep)
	stop()
	require.NoError(t, <-ended)
	require.NoFileExists(t, old.AudioPath)
	require.FileExists(t, favourite.AudioPath, "favourites stay")
	require.FileExists(t, young.AudioPath)
	l.Stored(favourite.ID)
	l.Stored(young.ID)
}

func TestRetentionOfALongHistory(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}), func(l *studiotest.Lab) {
		l.Options.Retention = func() time.Duration { return time.Hour }
	})
	g := l.Speak(l.Request("Hello."))
	for i := range 2*backend.MaxPageLimit + 10 {
		g.ID, g.CreatedAt, g.AudioPath, g.Favorite = uuid.NewString(), time.Now().Add(-2*time.Hour), "", i%2 == 0
		_, err := l.DB.CreateGeneration(t.Context(), g)
		require.NoError(t, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- l.Generations.Archive.Retain(ctx, nil) }()
	require.Eventually(t, func() bool {
		list, err := l.DB.Generations(t.Context(), backend.GenerationFilter{Favorite: backend.No})
		return err == nil && list.Total == 1
	}, studiotest.WaitLimit, 20*time.Millisecond)
	stop()
	require.NoError(t, <-ended)
	list, err := l.DB.Generations(t.Context(), backend.GenerationFilter{Favorite: backend.Yes})
	require.NoError(t, err)
	require.Equal(t, backend.MaxPageLimit+5, list.Total)
}

func TestDelete(t *testing.T) {
	l := studiotest.New(t, studiotest.SpeaksOnly("Done.", "Gone.", "One."))
	done := l.Speak(l.Request("Done."))
	missing := l.Speak(l.Request("Gone."))
	require.NoError(t, os.Remove(missing.AudioPath))
	running := l.Submit("One. Two. Three.")
	waiting := l.Submit("Waits.")
	l.Becomes(running.ID, backend.StatusGenerating)

	n, err := l.Generations.Archive.Delete(t.Context(), []string{done.ID, missing.ID, running.ID, waiting.ID, "nobody"})
	require.NoError(t, err)
	require.Equal(t, 4, n)
	require.Empty(t, l.Files())
	_, err = l.Generations.Generation(t.Context(), running.ID)
	backendtest.RequireCode(t, backend.CodeGenerationNotFound, err)
}

func TestStorage(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	a, b := l.Speak(l.Request("One.")), l.Speak(l.Request("Two two."))
	require.NoError(t, os.Remove(b.AudioPath))
	info, err := os.Stat(a.AudioPath)
	require.NoError(t, err)
	got, err := l.Generations.Archive.Storage(t.Context())
	require.NoError(t, err)
	require.Equal(t, generations.Storage{Use: generations.Use{Files: 1, Bytes: info.Size(), Missing: 1}}, got)
}

func TestCloseLetsTheRunningOneFinish(t *testing.T) {
	engine, entered, open := studiotest.Gated()
	l := studiotest.New(t, engine)
	running, waiting := l.Submit("Runs."), l.Submit("Waits.")
	<-entered
	closed := make(chan error, 1)
	go func() { closed <- l.Close(context.Background()) }()
	failed := l.Becomes(waiting.ID, backend.StatusFailed)
	require.Equal(t, backend.CodeInterrupted, failed.Error.Code)
	require.NotEmpty(t, failed.Error.Remedy)
	require.Equal(t, backend.StatusGenerating, l.Stored(running.ID).Status)
	_, err := l.Generations.Submit(t.Context(), l.Request("Too late."))
	backendtest.RequireCode(t, backend.CodeInterrupted, err)
	open()
	require.NoError(t, <-closed)
	require.Equal(t, backend.StatusComplete, l.Stored(running.ID).Status, "Close has waited for it")
	require.FileExists(t, l.Stored(running.ID).AudioPath)
}

func TestCloseCancelsWhenItsTimeIsUp(t *testing.T) {
	engine, entered, _ := studiotest.Gated()
	l := studiotest.New(t, engine)
	running := l.Submit("Runs for ever.")
	<-entered
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	require.NoError(t, l.Close(ctx))
	require.Equal(t, backend.StatusCancelled, l.Stored(running.ID).Status)
	require.Empty(t, l.Files())
	require.NoError(t, l.Close(ctx), "again does nothing")
}

// TestDeletionThatAKillInterrupted removes the files of what was deleted, and nothing of what was not.
func TestDeletionThatAKillInterrupted(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	kept, deleted := l.Speak(l.Request("This one stays.")), l.Speak(l.Request("This one goes."))
	require.NoError(t, l.Close(t.Context()))
	unfinished := filepath.Join(l.Dir, "unfinished")
	notes := func() []string {
		names, err := filepath.Glob(filepath.Join(unfinished, "*"))
		require.NoError(t, err)
		return names
	}
	l.Synthesizer.Deletions().Note(deleted.ID, kept.ID)
	require.Len(t, notes(), 1)
	_, err := l.DB.DeleteGenerations(t.Context(), []string{deleted.ID})
	require.NoError(t, err)
	write(t, filepath.Join(l.Dir, "takes", deleted.ID, "0-0.wav"))
	write(t, filepath.Join(l.Dir, "takes", kept.ID, "0-0.wav"))
	l.Start()
	require.NoFileExists(t, deleted.AudioPath)
	require.NoDirExists(t, filepath.Join(l.Dir, "takes", deleted.ID))
	require.FileExists(t, kept.AudioPath)
	require.FileExists(t, filepath.Join(l.Dir, "takes", kept.ID, "0-0.wav"))
	require.Empty(t, notes())

	n, err := l.Generations.Archive.Delete(t.Context(), []string{kept.ID})
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Empty(t, notes(), "the note goes with the files")
}
