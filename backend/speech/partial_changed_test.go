package speech_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// TestContinueAfterAChange changes what a stopped generation is made from: only what it changes is spoken again, and the audio is
// that of a generation made afterwards.
func TestContinueAfterAChange(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*lab)
		again  int // sentences that were finished and are spoken again
		not    bool
	}{
		"a pronunciation of the first passage": {
			change: func(l *lab) { l.words = []backend.Pronunciation{{Word: nth(0), Respelling: "kola", Language: "en"}} }, again: 1,
		},
		"the version of the model":   {change: func(l *lab) { l.modelSet.revision = "r2" }, again: -1},
		"the version of the program": {change: func(l *lab) { l.restartAs("9.9.9") }, not: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, engine, g := stoppedAt(t, 4, passages)
			made := engine.total()
			if c.again < 0 {
				c.again = made
			}
			c.change(l)
			_, err := l.service.Generations.Retry(t.Context(), g.ID, nil)
			require.NoError(t, err)
			done := l.becomes(g.ID, backend.StatusComplete)
			require.Equal(t, 16+c.again, engine.total(), "%v", engine.calls)
			require.Equal(t, !c.not, done.Receipt.Reproducible, "a receipt vouches for one version only")
			require.Equal(t, done.Receipt.AudioSHA256, l.speak(passages(l)).Receipt.AudioSHA256)
		})
	}
}

// TestContinueWithoutTheModel keeps what is finished while the model is missing.
func TestContinueWithoutTheModel(t *testing.T) {
	t.Parallel()
	l, engine, g := stoppedAt(t, 4, passages)
	want := g.Partial
	l.modelSet.acquire = func(context.Context, func(backend.Status)) error {
		return backend.E(backend.CodeModelCorrupt, "A file of the model is missing.", "Download it again.")
	}
	_, err := l.service.Generations.Retry(t.Context(), g.ID, nil)
	require.NoError(t, err)
	g = l.becomes(g.ID, backend.StatusFailed)
	require.Equal(t, backend.CodeModelCorrupt, g.Error.Code)
	require.Equal(t, want, g.Partial)
	l.modelSet.acquire = nil
	require.Eventually(t, func() bool {
		_, err = l.service.Generations.Retry(t.Context(), g.ID, nil)
		return err == nil
	}, waitLimit, waitStep)
	l.becomes(g.ID, backend.StatusComplete)
	require.Equal(t, 16, engine.total())
}

// TestHostedPartial stops a hosted generation: what is paid is shown, stays, and is not paid again.
func TestHostedPartial(t *testing.T) {
	t.Parallel()
	l, f := hostedLab(t)
	f.limit = 20
	failing := true
	f.gate = func(_ context.Context, _ backend.HostedSpeech, part int) error {
		if failing && part == 2 {
			return backend.E(backend.CodeHostedUnreachable, "No connection.", "Retry it.")
		}
		return nil
	}
	r := l.hosted(ann, "The first sentence. The second sentence. The third one is it.")
	r.Format = "wav"
	g, err := l.service.Generations.Generate(t.Context(), r)
	requireCode(t, backend.CodeHostedUnreachable, err)
	require.NotNil(t, g.Partial)
	require.Equal(t, 2, g.Partial.Chunks)
	require.Positive(t, g.Partial.Seconds)
	paid := len(f.paid())

	_, err = l.service.Generations.Cancel(t.Context(), g.ID)
	requireCode(t, backend.CodeNotInProgress, err)
	require.Equal(t, g.Partial, l.stored(g.ID).Partial, "what is paid stays")
	failing = false
	_, err = l.service.Generations.Retry(t.Context(), g.ID, nil)
	require.NoError(t, err)
	done := l.becomes(g.ID, backend.StatusComplete)
	require.Nil(t, done.Partial)
	require.Len(t, f.paid(), len(done.Chunks), "%d of them were paid before", paid)
}

// TestStreamThatIsLeft keeps what was made for a client that went away.
func TestStreamThatIsLeft(t *testing.T) {
	t.Parallel()
	l := newLab(t, fixture(enginetest.FixtureOptions{}))
	ctx, leave := context.WithCancel(t.Context())
	st, err := l.service.Generations.Stream(ctx, passages(l))
	require.NoError(t, err)
	require.Error(t, st.WriteTo(ctx, leaving{leave}))
	require.NoError(t, st.Close())
	g := l.stored(st.Generation.ID)
	if g.Status == backend.StatusComplete {
		return // it was faster than its client
	}
	require.Equal(t, backend.StatusCancelled, g.Status)
	_, err = l.service.Generations.Retry(t.Context(), g.ID, nil)
	require.NoError(t, err)
	done := l.becomes(g.ID, backend.StatusComplete)
	require.Equal(t, l.speak(passages(l)).Receipt.AudioSHA256, done.Receipt.AudioSHA256)
}

// leaving is a client that goes away at the first sound.
type leaving struct{ leave func() }

func (c leaving) Write(p []byte) (int, error) {
	c.leave()
	return len(p), nil
}
