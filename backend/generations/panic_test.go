package generations_test

import (
	"bytes"
	"context"
	"log/slog"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/scripts"
	"github.com/voicewright/voicewright/backend/sqlite"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// panicky is a voice, and panickyStore a store, with a PanicTrigger in them.
type (
	panicky struct {
		engines.Speaker
		*backendtest.PanicTrigger
	}
	panickyStore struct {
		*sqlite.DB
		*backendtest.PanicTrigger
	}
)

func (p panicky) Speak(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
	return p.Speaker.Speak(ctx, u, func(b audio.Buffer) error {
		p.At("speak")
		return emit(b)
	})
}

func (p panickyStore) UpdateScript(
	ctx context.Context, id string, change func(*backend.Script) error,
) (backend.Script, error) {
	p.At("join")
	return p.DB.UpdateScript(ctx, id, change)
}

func (p panickyStore) SetVoiceLevel(ctx context.Context, model, voice string, level backend.VoiceLevel) error {
	p.At("level")
	return p.DB.SetVoiceLevel(ctx, model, voice, level)
}

func (p panickyStore) Generations(
	ctx context.Context, f backend.GenerationFilter,
) (backend.List[backend.GenerationHit], error) {
	p.At("retention")
	return p.DB.Generations(ctx, f)
}

func (p panickyStore) UpdateGeneration(
	ctx context.Context, id string, change func(*backend.Generation) error,
) (backend.Generation, error) {
	return p.DB.UpdateGeneration(ctx, id, func(g *backend.Generation) error {
		p.At("transaction")
		return change(g)
	})
}

// panicLab is a lab with a PanicTrigger and its log.
type panicLab struct {
	*studiotest.Lab
	*backendtest.PanicTrigger
	log backendtest.Log
}

func newPanicLab(t *testing.T, change ...func(*studiotest.Lab)) *panicLab {
	t.Helper()
	p := &panicLab{PanicTrigger: &backendtest.PanicTrigger{}}
	p.Set("")
	p.Lab = studiotest.New(t, panicky{enginetest.NewFixture(enginetest.FixtureOptions{}), p.PanicTrigger}, append(change, func(l *studiotest.Lab) {
		words, notify := l.Options.Words, l.Options.Notify
		l.Options.Store = panickyStore{l.DB, p.PanicTrigger}
		l.Options.Words = func(ctx context.Context) ([]backend.Pronunciation, error) {
			p.At("text")
			return words(ctx)
		}
		l.Options.Notify = func(g backend.Generation) {
			p.At("event")
			notify(g)
		}
		l.Options.Log = slog.New(slog.NewTextHandler(&p.log, nil))
	})...)
	return p
}

// TestPanicEndsOneGeneration panics in each place of a generation: its row is failed with a code, the stack is logged under the
// id of its request, nothing is left over and the next generation completes.
func TestPanicEndsOneGeneration(t *testing.T) {
	for place, code := range map[string]backend.Code{
		"speak": backend.CodeEngineFailed, "text": backend.CodeInternal, "transaction": backend.CodeInternal,
	} {
		t.Run(place, func(t *testing.T) {
			l := newPanicLab(t)
			l.Speak(l.Request("Nothing is wrong yet."))
			goroutines := runtime.NumGoroutine()
			l.Set(place)
			g, err := l.Generations.Generate(backend.WithRequestID(t.Context(), "request-7"), l.Request(studiotest.ThreeSentences))
			e := backendtest.Failure(t, code, err)
			require.Equal(t, g.ID, e.Params["generation_id"])
			require.NotContains(t, e.Detail+e.Remedy, "on demand", "the panic is for the log")
			row := l.Stored(g.ID)
			require.Equal(t, backend.StatusFailed, row.Status)
			require.Equal(t, code, row.Error.Code)
			require.Equal(t, "request-7", row.Error.Params["request_id"])
			require.Contains(t, l.log.String(), "request-7")
			require.Contains(t, l.log.String(), "on demand in "+place)
			require.Contains(t, l.log.String(), "panic_test.go", "the stack")
			l.goesOn(goroutines)
		})
	}
}

// goesOn speaks once more, and wants no more goroutines than before.
func (p *panicLab) goesOn(goroutines int) {
	p.T.Helper()
	require.True(p.T, p.Fired())
	p.Speak(p.Request("It goes on."))
	for late := time.Now().Add(studiotest.WaitLimit); runtime.NumGoroutine() > goroutines; time.Sleep(studiotest.WaitStep) {
		require.True(p.T, time.Now().Before(late), "goroutines are left over")
	}
}

// TestPanicBesideAGenerationSpoilsNothing panics in who is told of a generation, and when it is complete already.
func TestPanicBesideAGenerationSpoilsNothing(t *testing.T) {
	for _, place := range []string{"event", "level"} {
		t.Run(place, func(t *testing.T) {
			l := newPanicLab(t)
			l.Speak(l.Request("Nothing is wrong yet."))
			goroutines := runtime.NumGoroutine()
			l.Set(place)
			l.Speak(l.Request(studiotest.ThreeSentences))
			require.Contains(t, l.log.String(), "on demand in "+place)
			l.goesOn(goroutines)
		})
	}
}

func TestPanicInATakeOrPreview(t *testing.T) {
	l := newPanicLab(t)
	g := l.Speak(l.InChunks())
	goroutines := runtime.NumGoroutine()
	l.Set("speak")
	_, err := l.Takes.RegenerateChunk(t.Context(), g.ID, 1, nil, true)
	backendtest.RequireCode(t, backend.CodeEngineFailed, err)
	l.goesOn(goroutines)
	l.Set("speak")
	_, err = l.Generations.Previews.Preview(t.Context(), l.Profile.ID)
	backendtest.RequireCode(t, backend.CodeEngineFailed, err)
	l.goesOn(goroutines)
	again, err := l.Takes.RegenerateChunk(t.Context(), g.ID, 1, nil, true)
	require.NoError(t, err)
	require.Equal(t, 2, again.Chunks[1].Takes, "the one that failed left nothing")
}

// TestPanicInAScript panics in the join and in who is told of the end. A join can be made again.
func TestPanicInAScript(t *testing.T) {
	l := newPanicLab(t)
	ended := make(chan error, 2)
	r := scripts.Request{Turns: []generations.Request{l.Request("Who is there?"), l.Request("Nobody.")}}
	r.Ended = func(_ string, err error) {
		ended <- err
		l.At("script end")
	}
	goroutines := runtime.NumGoroutine()
	l.Set("join")
	script, err := l.Scripts.SubmitScript(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, backend.CodeInternal, backend.CodeOf(<-ended))
	l.goesOn(goroutines)
	joined, err := l.Scripts.JoinScript(t.Context(), script.ID)
	require.NoError(t, err)
	require.FileExists(t, joined.AudioPath)

	l.Set("script end")
	_, err = l.Scripts.SubmitScript(t.Context(), r)
	require.NoError(t, err)
	require.NoError(t, <-ended)
	require.Eventually(t, l.Fired, studiotest.WaitLimit, studiotest.WaitStep)
	l.goesOn(goroutines)
	require.Eventually(t, func() bool { return bytes.Contains([]byte(l.log.String()), []byte("script end")) }, studiotest.WaitLimit, studiotest.WaitStep)
}

// TestPanicInRetention lets the next round remove what the first one could not.
func TestPanicInRetention(t *testing.T) {
	l := newPanicLab(t, func(l *studiotest.Lab) {
		l.Options.Retention = func() time.Duration { return time.Hour }
	})
	old := time.Now().Add(-2 * time.Hour)
	l.Now.Store(&old)
	g := l.Speak(l.Request("This is old."))
	l.Now.Store(nil)
	goroutines := runtime.NumGoroutine()
	l.Set("retention")
	ctx, stop := context.WithCancel(t.Context())
	ended, changed := make(chan error, 1), make(chan struct{})
	go func() { ended <- l.Generations.Archive.Retain(ctx, changed) }()
	changed <- struct{}{}
	require.Eventually(t, func() bool {
		_, err := l.DB.Generation(t.Context(), g.ID)
		return backend.CodeOf(err) == backend.CodeGenerationNotFound
	}, studiotest.WaitLimit, studiotest.WaitStep)
	stop()
	require.NoError(t, <-ended)
	require.Contains(t, l.log.String(), "on demand in retention")
	l.goesOn(goroutines)
}
