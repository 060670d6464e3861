package generations_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// TestContinueAfterAChange changes what a stopped generation is made from: only what it changes is spoken again, and the audio is
// that of a generation made afterwards.
func TestContinueAfterAChange(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*studiotest.Lab)
		again  int // sentences that were finished and are spoken again
		not    bool
	}{
		"a pronunciation of the first passage": {
			change: func(l *studiotest.Lab) {
				l.Words = []backend.Pronunciation{{Word: studiotest.Word(0), Respelling: "kola", Language: "en"}}
			}, again: 1,
		},
		"the version of the model":   {change: func(l *studiotest.Lab) { l.Models.Revision = "r2" }, again: -1},
		"the version of the program": {change: func(l *studiotest.Lab) { l.RestartAs("9.9.9") }, not: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, engine, g := stoppedAt(t, 4, passages)
			made := engine.Total()
			if c.again < 0 {
				c.again = made
			}
			c.change(l)
			_, err := l.Generations.Retry(t.Context(), g.ID, nil)
			require.NoError(t, err)
			done := l.Becomes(g.ID, backend.StatusComplete)
			require.Equal(t, 16+c.again, engine.Total(), "%v", engine.ByText)
			require.Equal(t, !c.not, done.Receipt.Reproducible, "a receipt vouches for one version only")
			require.Equal(t, done.Receipt.AudioSHA256, l.Speak(passages(l)).Receipt.AudioSHA256)
		})
	}
}

// TestContinueWithoutTheModel keeps what is finished while the model is missing.
func TestContinueWithoutTheModel(t *testing.T) {
	t.Parallel()
	l, engine, g := stoppedAt(t, 4, passages)
	want := g.Partial
	l.Models.BeforeAcquire = func(context.Context, func(backend.Status)) error {
		return backend.E(backend.CodeModelCorrupt, "A file of the model is missing.", "Download it again.")
	}
	_, err := l.Generations.Retry(t.Context(), g.ID, nil)
	require.NoError(t, err)
	g = l.Becomes(g.ID, backend.StatusFailed)
	require.Equal(t, backend.CodeModelCorrupt, g.Error.Code)
	require.Equal(t, want, g.Partial)
	l.Models.BeforeAcquire = nil
	require.Eventually(t, func() bool {
		_, err = l.Generations.Retry(t.Context(), g.ID, nil)
		return err == nil
	}, studiotest.WaitLimit, studiotest.WaitStep)
	l.Becomes(g.ID, backend.StatusComplete)
	require.Equal(t, 16, engine.Total())
}

// TestHostedPartial stops a hosted generation: what is paid is shown, stays, and is not paid again.
func TestHostedPartial(t *testing.T) {
	t.Parallel()
	l, f := studiotest.NewWithHosted(t)
	f.MaxCharacters = 20
	failing := true
	f.Gate = func(_ context.Context, _ backend.HostedSpeech, part int) error {
		if failing && part == 2 {
			return backend.E(backend.CodeHostedUnreachable, "No connection.", "Retry it.")
		}
		return nil
	}
	r := l.HostedRequest(studiotest.Ann, "The first sentence. The second sentence. The third one is it.")
	r.Format = "wav"
	g, err := l.Generations.Generate(t.Context(), r)
	backendtest.RequireCode(t, backend.CodeHostedUnreachable, err)
	require.NotNil(t, g.Partial)
	require.Equal(t, 2, g.Partial.Chunks)
	require.Positive(t, g.Partial.Seconds)
	paid := len(f.Paid())

	_, err = l.Generations.Cancel(t.Context(), g.ID)
	backendtest.RequireCode(t, backend.CodeNotInProgress, err)
	require.Equal(t, g.Partial, l.Stored(g.ID).Partial, "what is paid stays")
	failing = false
	_, err = l.Generations.Retry(t.Context(), g.ID, nil)
	require.NoError(t, err)
	done := l.Becomes(g.ID, backend.StatusComplete)
	require.Nil(t, done.Partial)
	require.Len(t, f.Paid(), len(done.Chunks), "%d of them were paid before", paid)
}

// TestStreamThatIsLeft keeps what was made for a client that went away.
func TestStreamThatIsLeft(t *testing.T) {
	t.Parallel()
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	ctx, leave := context.WithCancel(t.Context())
	st, err := l.Generations.Player.Stream(ctx, passages(l))
	require.NoError(t, err)
	require.Error(t, st.WriteTo(ctx, leaving{leave}))
	require.NoError(t, st.Close())
	g := l.Stored(st.Generation.ID)
	if g.Status == backend.StatusComplete {
		return // it was faster than its client
	}
	require.Equal(t, backend.StatusCancelled, g.Status)
	_, err = l.Generations.Retry(t.Context(), g.ID, nil)
	require.NoError(t, err)
	done := l.Becomes(g.ID, backend.StatusComplete)
	require.Equal(t, l.Speak(passages(l)).Receipt.AudioSHA256, done.Receipt.AudioSHA256)
}

// leaving is a client that goes away at the first sound.
type leaving struct{ leave func() }

func (c leaving) Write(p []byte) (int, error) {
	c.leave()
	return len(p), nil
}
