package generations_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/studio"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

func TestOneRunsTheOthersWaitTheNextIsRefused(t *testing.T) {
	engine, entered, open := studiotest.Gated()
	l := studiotest.New(t, engine)
	running := l.Submit("The first one runs.")
	<-entered
	for i := range generations.DefaultQueueLimit {
		l.Submit(fmt.Sprintf("Number %d waits.", i))
	}
	_, err := l.Generations.Submit(t.Context(), l.Request("One too many."))
	e := backendtest.Failure(t, backend.CodeQueueFull, err)
	require.Positive(t, e.Params["retry_after"])
	list, err := l.DB.Generations(t.Context(), backend.GenerationFilter{})
	require.NoError(t, err)
	require.Equal(t, 1+generations.DefaultQueueLimit, list.Total, "the refused one left no row")
	require.Empty(t, entered, "only one runs")

	_, err = l.Generations.Cancel(t.Context(), list.Items[0].ID)
	require.NoError(t, err)
	l.Submit("Now there is room.")
	_, err = l.Generations.Submit(t.Context(), l.Request("But for one only."))
	backendtest.RequireCode(t, backend.CodeQueueFull, err)
	open()
	l.Becomes(running.ID, backend.StatusComplete)
}

func TestOrderIsFirstInFirstOut(t *testing.T) {
	engine, entered, open := studiotest.Gated()
	l := studiotest.New(t, engine)
	var want, got []string
	for i := range 8 {
		text := fmt.Sprintf("Text %c.", 'a'+i)
		want = append(want, text)
		l.Submit(text)
	}
	open()
	for range want {
		got = append(got, (<-entered).Text)
	}
	require.Equal(t, want, got)
}

func TestRefusedRowGivesItsPlaceBack(t *testing.T) {
	engine, entered, open := studiotest.Gated()
	defer open()
	l := studiotest.New(t, engine, func(l *studiotest.Lab) { l.Options.QueueLimit = 1 })
	l.Submit("Runs.")
	<-entered
	closed, cancel := context.WithCancel(t.Context())
	cancel()
	for range 3 {
		_, err := l.Generations.Submit(closed, l.Request("Its client is gone before the row is written."))
		require.Error(t, err)
		require.NotEqual(t, backend.CodeQueueFull, backend.CodeOf(err))
	}
	l.Submit("Waits.")
}

func TestManySubmitAndCancelAtOnce(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{Delay: time.Millisecond}))
	var all sync.WaitGroup
	ids := make(chan string, 60)
	for i := range 60 {
		all.Go(func() {
			g, err := l.Generations.Submit(context.Background(), l.Request(fmt.Sprintf("Text number %d is here.", i)))
			if err != nil {
				t.Error(err)
				return
			}
			ids <- g.ID
			if i%3 == 0 {
				_, err := l.Generations.Cancel(context.Background(), g.ID)
				if code := backend.CodeOf(err); err != nil && code != backend.CodeNotInProgress {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	close(ids)
	var files []string
	for id := range ids {
		require.Eventually(t, func() bool { return l.Stored(id).Status.Ended() }, studiotest.WaitLimit, time.Millisecond)
		g := l.Stored(id)
		require.Contains(t, []backend.Status{backend.StatusComplete, backend.StatusCancelled}, g.Status)
		if g.Status == backend.StatusComplete {
			files = append(files, g.AudioPath)
		}
	}
	l.Settled(files...)
}

// cancelled cancels what would go on for long, and expects a cancelled row and an empty directory. The promise is 200 ms; the
// log says what was measured.
func cancelled(l *studiotest.Lab, id string) {
	l.T.Helper()
	start := time.Now()
	g, err := l.Generations.Cancel(l.T.Context(), id)
	took := time.Since(start)
	require.NoError(l.T, err)
	l.T.Logf("cancelled in %.1f ms", float64(took.Microseconds())/1000)
	require.Equal(l.T, backend.StatusCancelled, g.Status)
	row := l.Stored(id)
	require.Equal(l.T, backend.StatusCancelled, row.Status)
	require.Equal(l.T, backend.CodeCancelled, row.Error.Code)
	require.Empty(l.T, row.AudioPath)
	require.Zero(l.T, row.Progress)
	require.Empty(l.T, l.Files(), "no file is left")
	_, err = l.Generations.Cancel(l.T.Context(), id)
	backendtest.RequireCode(l.T, backend.CodeNotInProgress, err)
}

func TestCancelWhileQueued(t *testing.T) {
	engine, entered, open := studiotest.Gated()
	l := studiotest.New(t, engine)
	first := l.Submit("This one runs.")
	<-entered
	second := l.Submit("This one waits.")
	start := time.Now()
	g, err := l.Generations.Cancel(t.Context(), second.ID)
	require.NoError(t, err)
	t.Logf("cancelled in %.1f ms", float64(time.Since(start).Microseconds())/1000)
	require.Equal(t, backend.StatusCancelled, g.Status)
	require.Equal(t, []backend.Status{backend.StatusQueued, backend.StatusCancelled}, l.States(second.ID))
	open()
	l.Becomes(first.ID, backend.StatusComplete)
	require.Equal(t, backend.StatusCancelled, l.Stored(second.ID).Status)
}

func TestCancelWhileLoading(t *testing.T) {
	loading := make(chan struct{})
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}), func(l *studiotest.Lab) {
		l.Models.BeforeAcquire = func(ctx context.Context, phase func(backend.Status)) error {
			phase(backend.StatusLoading)
			close(loading)
			<-ctx.Done()
			return backend.ErrCancelled.WithCause(ctx.Err())
		}
	})
	g := l.Submit("The model takes long.")
	<-loading
	cancelled(l, g.ID)
}

func TestCancelInTheMiddleOfAChunk(t *testing.T) {
	l := studiotest.New(t, studiotest.SpeaksOnly("One.", "Two two two."))
	g := l.Submit("One. Two two two. Three three three. Four.")
	l.Becomes(g.ID, backend.StatusGenerating)
	require.Eventually(t, func() bool { return len(l.Files()) > 0 }, studiotest.WaitLimit, studiotest.WaitStep)
	cancelled(l, g.ID)
}

// TestCancelWhileStretching cancels when the first chunk was spoken; the second one would never end by itself.
func TestCancelWhileStretching(t *testing.T) {
	f := enginetest.NewFixture(enginetest.FixtureOptions{})
	spoken := make(chan struct{})
	var calls atomic.Int64
	l := studiotest.New(t, studiotest.Engine{Fixture: f, SpeakFunc: func(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
		if calls.Add(1) > 1 {
			<-ctx.Done()
			return backend.ErrCancelled.WithCause(ctx.Err())
		}
		err := f.Speak(ctx, u, emit)
		close(spoken)
		return err
	}})
	r := l.Request(studiotest.LongSentence(1200) + " [pause 1s] The next one.") // two minutes at a quarter of the pace: about half a second of work
	r.Speed, r.MaxChunkChars = new(0.25), new(5000)
	g, err := l.Generations.Submit(t.Context(), r)
	require.NoError(t, err)
	<-spoken
	cancelled(l, g.ID)
}

// lasting is an encoder whose work ends with its context only.
type lasting struct{ studio.Encoder }

func (e lasting) Encode(ctx context.Context, from, to, format string, meta map[string]string) error {
	err := e.Encoder.Encode(ctx, from, to, format, meta)
	<-ctx.Done()
	return err
}

func TestCancelWhileEncoding(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}), func(l *studiotest.Lab) { l.Options.Encoder = lasting{l.Options.Encoder} })
	require.NoError(t, l.Options.Encoder.Ready(t.Context(), "mp3"), "the set-up installs ffmpeg")
	r := l.Request(studiotest.LongSentence(600)) // half a minute of sound
	r.Format, r.MaxChunkChars = "mp3", new(5000)
	g, err := l.Generations.Submit(t.Context(), r)
	require.NoError(t, err)
	unfinished := filepath.Join(l.Dir, "unfinished", g.ID+".mp3")
	require.Eventually(t, func() bool {
		return slices.ContainsFunc(l.Files(), func(path string) bool { return strings.HasPrefix(path, unfinished) })
	}, studiotest.WaitLimit, studiotest.WaitStep)
	cancelled(l, g.ID)
}

func TestClientThatGoesAwayCancels(t *testing.T) {
	l := studiotest.New(t, studiotest.SpeaksOnly("One."))
	ctx, leave := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := l.Generations.Generate(ctx, l.Request("One. Two. Three."))
		ended <- err
	}()
	require.Eventually(t, func() bool { return len(l.Files()) > 0 }, studiotest.WaitLimit, studiotest.WaitStep)
	leave()
	e := backendtest.Failure(t, backend.CodeCancelled, <-ended)
	id, ok := e.Params["generation_id"].(string)
	require.True(t, ok)
	require.Equal(t, backend.StatusCancelled, l.Stored(id).Status)
	require.Empty(t, l.Leftovers())
}

func TestCancelUnknown(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	_, err := l.Generations.Cancel(t.Context(), "nobody")
	backendtest.RequireCode(t, backend.CodeGenerationNotFound, err)
	g := l.Speak(l.Request("Done."))
	_, err = l.Generations.Cancel(t.Context(), g.ID)
	backendtest.RequireCode(t, backend.CodeNotInProgress, err)
	require.FileExists(t, g.AudioPath)
}

// TestCloseLeavesAHangingGenerationBehind: an engine that does not hear its context does not hold up the program's end.
func TestCloseLeavesAHangingGenerationBehind(t *testing.T) {
	begun, hang := make(chan struct{}), make(chan struct{})
	f := studiotest.Engine{Fixture: enginetest.NewFixture(enginetest.FixtureOptions{}), SpeakFunc: func(context.Context, engines.Utterance, func(audio.Buffer) error) error {
		close(begun)
		<-hang
		return errors.New("too late")
	}}
	l := studiotest.New(t, f)
	g := l.Submit("One.")
	<-begun
	now, cancel := context.WithCancel(t.Context())
	cancel()
	require.NoError(t, l.Close(now))
	close(hang)
	l.Becomes(g.ID, backend.StatusFailed)
}
