package speech_test

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
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/studio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

func TestOneRunsTheOthersWaitTheNextIsRefused(t *testing.T) {
	engine, entered, open := gated()
	l := newLab(t, engine)
	running := l.submit("The first one runs.")
	<-entered
	for i := range generations.DefaultQueueLimit {
		l.submit(fmt.Sprintf("Number %d waits.", i))
	}
	_, err := l.service.Generations.Submit(t.Context(), l.request("One too many."))
	e := failure(t, backend.CodeQueueFull, err)
	require.Positive(t, e.Params["retry_after"])
	list, err := l.db.Generations(t.Context(), backend.GenerationFilter{})
	require.NoError(t, err)
	require.Equal(t, 1+generations.DefaultQueueLimit, list.Total, "the refused one left no row")
	require.Empty(t, entered, "only one runs")

	_, err = l.service.Generations.Cancel(t.Context(), list.Items[0].ID)
	require.NoError(t, err)
	l.submit("Now there is room.")
	_, err = l.service.Generations.Submit(t.Context(), l.request("But for one only."))
	requireCode(t, backend.CodeQueueFull, err)
	open()
	l.becomes(running.ID, backend.StatusComplete)
}

func TestOrderIsFirstInFirstOut(t *testing.T) {
	engine, entered, open := gated()
	l := newLab(t, engine)
	var want, got []string
	for i := range 8 {
		text := fmt.Sprintf("Text %c.", 'a'+i)
		want = append(want, text)
		l.submit(text)
	}
	open()
	for range want {
		got = append(got, (<-entered).Text)
	}
	require.Equal(t, want, got)
}

func TestRefusedRowGivesItsPlaceBack(t *testing.T) {
	engine, entered, open := gated()
	defer open()
	l := newLab(t, engine, func(l *lab) { l.options.QueueLimit = 1 })
	l.submit("Runs.")
	<-entered
	closed, cancel := context.WithCancel(t.Context())
	cancel()
	for range 3 {
		_, err := l.service.Generations.Submit(closed, l.request("Its client is gone before the row is written."))
		require.Error(t, err)
		require.NotEqual(t, backend.CodeQueueFull, backend.CodeOf(err))
	}
	l.submit("Waits.")
}

func TestManySubmitAndCancelAtOnce(t *testing.T) {
	l := newLab(t, fixture(enginetest.FixtureOptions{Delay: time.Millisecond}))
	var all sync.WaitGroup
	ids := make(chan string, 60)
	for i := range 60 {
		all.Go(func() {
			g, err := l.service.Generations.Submit(context.Background(), l.request(fmt.Sprintf("Text number %d is here.", i)))
			if err != nil {
				t.Error(err)
				return
			}
			ids <- g.ID
			if i%3 == 0 {
				_, err := l.service.Generations.Cancel(context.Background(), g.ID)
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
		require.Eventually(t, func() bool { return l.stored(id).Status.Ended() }, waitLimit, time.Millisecond)
		g := l.stored(id)
		require.Contains(t, []backend.Status{backend.StatusComplete, backend.StatusCancelled}, g.Status)
		if g.Status == backend.StatusComplete {
			files = append(files, g.AudioPath)
		}
	}
	l.settled(files...)
}

// cancelled cancels what would go on for long, and expects a cancelled row and an empty directory. The promise is 200 ms; the
// log says what was measured.
func (l *lab) cancelled(id string) {
	l.t.Helper()
	start := time.Now()
	g, err := l.service.Generations.Cancel(l.t.Context(), id)
	took := time.Since(start)
	require.NoError(l.t, err)
	l.t.Logf("cancelled in %.1f ms", float64(took.Microseconds())/1000)
	require.Equal(l.t, backend.StatusCancelled, g.Status)
	row := l.stored(id)
	require.Equal(l.t, backend.StatusCancelled, row.Status)
	require.Equal(l.t, backend.CodeCancelled, row.Error.Code)
	require.Empty(l.t, row.AudioPath)
	require.Zero(l.t, row.Progress)
	require.Empty(l.t, l.files(), "no file is left")
	_, err = l.service.Generations.Cancel(l.t.Context(), id)
	requireCode(l.t, backend.CodeNotInProgress, err)
}

func TestCancelWhileQueued(t *testing.T) {
	engine, entered, open := gated()
	l := newLab(t, engine)
	first := l.submit("This one runs.")
	<-entered
	second := l.submit("This one waits.")
	start := time.Now()
	g, err := l.service.Generations.Cancel(t.Context(), second.ID)
	require.NoError(t, err)
	t.Logf("cancelled in %.1f ms", float64(time.Since(start).Microseconds())/1000)
	require.Equal(t, backend.StatusCancelled, g.Status)
	require.Equal(t, []backend.Status{backend.StatusQueued, backend.StatusCancelled}, l.states(second.ID))
	open()
	l.becomes(first.ID, backend.StatusComplete)
	require.Equal(t, backend.StatusCancelled, l.stored(second.ID).Status)
}

func TestCancelWhileLoading(t *testing.T) {
	loading := make(chan struct{})
	l := newLab(t, fixture(enginetest.FixtureOptions{}), func(l *lab) {
		l.modelSet.acquire = func(ctx context.Context, phase func(backend.Status)) error {
			phase(backend.StatusLoading)
			close(loading)
			<-ctx.Done()
			return backend.ErrCancelled.WithCause(ctx.Err())
		}
	})
	g := l.submit("The model takes long.")
	<-loading
	l.cancelled(g.ID)
}

func TestCancelInTheMiddleOfAChunk(t *testing.T) {
	l := newLab(t, speaksOnly("One.", "Two two two."))
	g := l.submit("One. Two two two. Three three three. Four.")
	l.becomes(g.ID, backend.StatusGenerating)
	require.Eventually(t, func() bool { return len(l.files()) > 0 }, waitLimit, waitStep)
	l.cancelled(g.ID)
}

// TestCancelWhileStretching cancels when the first chunk was spoken; the second one would never end by itself.
func TestCancelWhileStretching(t *testing.T) {
	f := fixture(enginetest.FixtureOptions{})
	spoken := make(chan struct{})
	var calls atomic.Int64
	l := newLab(t, hooked{f, func(ctx context.Context, u engines.Utterance, emit emitFunc) error {
		if calls.Add(1) > 1 {
			<-ctx.Done()
			return backend.ErrCancelled.WithCause(ctx.Err())
		}
		err := f.Speak(ctx, u, emit)
		close(spoken)
		return err
	}})
	r := l.request(longSentence(1200) + " [pause 1s] The next one.") // two minutes at a quarter of the pace: about half a second of work
	r.Speed, r.MaxChunkChars = new(0.25), new(5000)
	g, err := l.service.Generations.Submit(t.Context(), r)
	require.NoError(t, err)
	<-spoken
	l.cancelled(g.ID)
}

// lasting is an encoder whose work ends with its context only.
type lasting struct{ studio.Encoder }

func (e lasting) Encode(ctx context.Context, from, to, format string, meta map[string]string) error {
	err := e.Encoder.Encode(ctx, from, to, format, meta)
	<-ctx.Done()
	return err
}

func TestCancelWhileEncoding(t *testing.T) {
	l := newLab(t, fixture(enginetest.FixtureOptions{}), func(l *lab) { l.options.Encoder = lasting{l.options.Encoder} })
	require.NoError(t, l.options.Encoder.Ready(t.Context(), "mp3"), "the set-up installs ffmpeg")
	r := l.request(longSentence(600)) // half a minute of sound
	r.Format, r.MaxChunkChars = "mp3", new(5000)
	g, err := l.service.Generations.Submit(t.Context(), r)
	require.NoError(t, err)
	unfinished := filepath.Join(l.dir, "unfinished", g.ID+".mp3")
	require.Eventually(t, func() bool {
		return slices.ContainsFunc(l.files(), func(path string) bool { return strings.HasPrefix(path, unfinished) })
	}, waitLimit, waitStep)
	l.cancelled(g.ID)
}

func TestClientThatGoesAwayCancels(t *testing.T) {
	l := newLab(t, speaksOnly("One."))
	ctx, leave := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := l.service.Generations.Generate(ctx, l.request("One. Two. Three."))
		ended <- err
	}()
	require.Eventually(t, func() bool { return len(l.files()) > 0 }, waitLimit, waitStep)
	leave()
	e := failure(t, backend.CodeCancelled, <-ended)
	id, ok := e.Params["generation_id"].(string)
	require.True(t, ok)
	require.Equal(t, backend.StatusCancelled, l.stored(id).Status)
	require.Empty(t, l.leftovers())
}

func TestCancelUnknown(t *testing.T) {
	l := newLab(t, fixture(enginetest.FixtureOptions{}))
	_, err := l.service.Generations.Cancel(t.Context(), "nobody")
	requireCode(t, backend.CodeGenerationNotFound, err)
	g := l.speak(l.request("Done."))
	_, err = l.service.Generations.Cancel(t.Context(), g.ID)
	requireCode(t, backend.CodeNotInProgress, err)
	require.FileExists(t, g.AudioPath)
}

// TestCloseLeavesAHangingGenerationBehind: an engine that does not hear its context does not hold up the program's end.
func TestCloseLeavesAHangingGenerationBehind(t *testing.T) {
	begun, hang := make(chan struct{}), make(chan struct{})
	f := hooked{fixture(enginetest.FixtureOptions{}), func(context.Context, engines.Utterance, emitFunc) error {
		close(begun)
		<-hang
		return errors.New("too late")
	}}
	l := newLab(t, f)
	g := l.submit("One.")
	<-begun
	now, cancel := context.WithCancel(t.Context())
	cancel()
	require.NoError(t, l.service.Close(now))
	close(hang)
	l.becomes(g.ID, backend.StatusFailed)
}
