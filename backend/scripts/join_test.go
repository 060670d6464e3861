package scripts_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/scripts"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines/enginetest"
)

func TestLongCompressedTurnIsJoined(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{SampleRate: studiotest.LongRate}))
	script, err := l.Scripts.Script(t.Context(), scripts.Request{Turns: []generations.Request{l.Request("Short.")}})
	require.NoError(t, err)
	g := studiotest.LongBook(l)
	turn := script.Generations[0]
	_, err = l.DB.UpdateGeneration(t.Context(), turn, func(row *backend.Generation) error {
		row.AudioPath, row.Format, row.Duration, row.Receipt = g.AudioPath, g.Format, g.Duration, g.Receipt
		return nil
	})
	require.NoError(t, err)
	studiotest.InLittleMemory(t, "a join", func() {
		joined, err := l.Scripts.JoinScript(t.Context(), script.ID)
		require.NoError(t, err)
		require.InDelta(t, studiotest.LongSeconds, joined.Duration, 0.1)
	})
	left, err := os.ReadDir(filepath.Join(l.Dir, "unfinished"))
	require.NoError(t, err)
	require.Empty(t, left)
}

// TestScriptResamplesWithoutSeams joins a long turn of another rate in blocks as if it were resampled at once.
func TestScriptResamplesWithoutSeams(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{SampleRate: 22050}), func(l *studiotest.Lab) {
		l.Models.Speakers[studiotest.Robot] = studiotest.AnyVoice{Speaker: enginetest.NewFixture(enginetest.FixtureOptions{SampleRate: 24000})}
	})
	r := l.Script(strings.Repeat("A sentence of some length goes here. ", 20), "Short.")
	r.Turns[1].Voice = studiotest.Robot + ":0"
	s, err := l.Scripts.Script(t.Context(), r)
	require.NoError(t, err)
	require.Greater(t, s.Turns[0].Duration, 25.0)
	whole := studiotest.ReadWAV(t, s.Turns[0].AudioPath).Resampled(24000).Samples
	joined := studiotest.ReadWAV(t, s.AudioPath).Samples[:len(whole)]
	for i := range whole[:len(whole)-100] { // the join may smooth the end
		require.InDelta(t, whole[i], joined[i], 1.0/16384, "sample %d", i)
	}
}

// TestScriptDeletedWhileJoined leaves no file behind.
func TestScriptDeletedWhileJoined(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	s, err := l.Scripts.Script(t.Context(), l.Script("One.", "Two."))
	require.NoError(t, err)
	var work sync.WaitGroup
	for range 20 {
		work.Go(func() { _, _ = l.Scripts.JoinScript(t.Context(), s.ID) })
	}
	work.Go(func() { require.NoError(t, l.Scripts.DeleteScript(t.Context(), s.ID)) })
	work.Wait()
	l.Settled(s.Turns[0].AudioPath, s.Turns[1].AudioPath)
}
