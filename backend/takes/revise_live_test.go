package takes_test

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/speech"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// holding is an engine that waits with texts that have a word, until it is opened.
func holding(word string) (h studiotest.Engine, open func()) {
	gate := make(chan struct{})
	f := enginetest.NewFixture(enginetest.FixtureOptions{})
	return studiotest.Engine{Fixture: f, SpeakFunc: func(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
		if strings.Contains(u.Text, word) {
			select {
			case <-gate:
			case <-ctx.Done():
				return backend.ErrCancelled.WithCause(ctx.Err())
			}
		}
		return f.Speak(ctx, u, emit)
	}}, sync.OnceFunc(func() { close(gate) })
}

// twoChanged changes the second and the last one of fiveParagraphs.
var twoChanged = strings.NewReplacer("second one", "second paragraph", "The end.", "The held end.").Replace(studiotest.FiveParagraphs)

// startedChange returns a lab in which twoChanged is being made, but for its last passage, and an open listener at its first new one.
func startedChange(t *testing.T) (l *studiotest.Lab, g backend.Generation, live *generations.LiveAudio, open func()) {
	engine, open := holding("held")
	l = studiotest.New(t, engine)
	t.Cleanup(open)
	g = l.Stored(l.Speak(l.Request(studiotest.FiveParagraphs)).ID)
	_, err := l.Takes.Revise(t.Context(), g.ID, twoChanged, nil)
	require.NoError(t, err)
	live, err = l.Generations.Player.Live(t.Context(), g.ID, 0, 0)
	require.NoError(t, err)
	return l, g, live, open
}

// TestLiveOfAChange hears a changed text while it is made: kept passages, the new one, and what is behind it.
func TestLiveOfAChange(t *testing.T) {
	t.Parallel()
	l, before, live, open := startedChange(t)
	require.NoError(t, live.Close())
	require.InDelta(t, before.Chunks[2].Start, live.NewFrom, 0.1, "the first new passage")
	part := <-l.Listen(t.Context(), before.ID, live.NewFrom, 0.5)
	require.NoError(t, part.Err)
	var peaks speech.LivePeaks
	var err error
	require.Eventually(t, func() bool {
		peaks, err = l.Generations.Player.LivePeaks(t.Context(), before.ID, 0)
		return err != nil || len(peaks.Chunks) == 4
	}, studiotest.WaitLimit, studiotest.WaitStep, "those up to the one that is not spoken yet")
	require.NoError(t, err)
	all, later := l.Listen(t.Context(), before.ID, 0, 0), l.Listen(t.Context(), before.ID, live.NewFrom, 0)
	open()
	g := l.Ended(before.ID)
	want := studiotest.PCM(t, g)
	at := 2 * int(live.NewFrom*24000+0.5)
	require.InDelta(t, g.Chunks[2].Start, live.NewFrom, 1e-6)
	require.Equal(t, want[at:at+24000], part.PCM)
	for i, c := range peaks.Chunks {
		require.InDelta(t, g.Chunks[i].Start, c.Start, 1e-6)
		require.InDelta(t, g.Chunks[i].End, c.End, 1e-6)
		require.Equal(t, g.Chunks[i].Text, c.Text)
	}
	for from, got := range map[int]studiotest.Received{0: <-all, at: <-later} {
		require.NoError(t, got.Err)
		require.True(t, bytes.Equal(want[from:], got.PCM), "from byte %d", from)
	}
	_, err = l.Generations.Player.Live(t.Context(), g.ID, 0, 0)
	backendtest.RequireCode(t, backend.CodeNotInProgress, err)
	l.Settled(g.AudioPath, before.AudioPath)
}

func TestLiveOfACancelledChange(t *testing.T) {
	t.Parallel()
	l, before, live, _ := startedChange(t)
	require.NoError(t, live.Close())
	all := l.Listen(t.Context(), before.ID, 0, 0)
	_, err := l.Generations.Cancel(t.Context(), before.ID)
	require.NoError(t, err)
	got := <-all
	backendtest.RequireCode(t, backend.CodeCancelled, got.Err)
	require.NotEmpty(t, got.PCM, "what there was is heard")
	require.Equal(t, before.Receipt.AudioSHA256, l.Stored(before.ID).Receipt.AudioSHA256)
	l.Settled(before.AudioPath)
}

// TestLiveOfAnotherOrder has nothing to wait for: it ends before it can be heard.
func TestLiveOfAnotherOrder(t *testing.T) {
	t.Parallel()
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	g := l.Speak(l.Request(studiotest.FiveParagraphs))
	_, err := l.Takes.Revise(t.Context(), g.ID, "The end.\n\nAnd a third one.", nil)
	require.NoError(t, err)
	_, err = l.Generations.Player.Live(t.Context(), g.ID, 0, 0)
	backendtest.RequireCode(t, backend.CodeNotInProgress, err)
	require.Len(t, l.Ended(g.ID).Chunks, 2)
}
