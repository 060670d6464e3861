package takes_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// TestLevelAgain says that a revised file is louder than it was levelled to, and levels it again with its takes.
func TestLevelAgain(t *testing.T) {
	f := enginetest.NewFixture(enginetest.FixtureOptions{})
	l := studiotest.New(t, studiotest.Engine{Fixture: f, SpeakFunc: func(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
		return f.Speak(ctx, u, func(b audio.Buffer) error {
			if strings.Contains(u.Text, "whisper") {
				for i := range b.Samples {
					b.Samples[i] /= 4
				}
			}
			return emit(b)
		})
	}})
	g := l.Speak(l.Request("This is a sentence. " + strings.Repeat("It goes on for a while. ", 12)))
	g, err := l.Takes.RegenerateChunk(t.Context(), g.ID, 0, nil, false)
	require.NoError(t, err)
	_, after := l.Revised(g.ID, "This is a sentence. I whisper. "+strings.Repeat("I whisper for a while longer. ", 12))
	require.InDelta(t, 12, *g.Receipt.Level.LUFS-*after.Receipt.Level.LUFS, 3)
	level, err := l.Takes.Level(t.Context(), g.ID)
	require.NoError(t, err)
	require.InDelta(t, -16, *level.Receipt.Level.LUFS, 0.6+level.Receipt.Level.ShortfallLU)
	require.Equal(t, studiotest.FileHash(t, level.AudioPath), level.Receipt.AudioSHA256)
	require.Equal(t, 2, level.Chunks[0].Takes)
	_, err = l.Takes.ChooseTakes(t.Context(), g.ID, map[int]int{0: 1})
	require.NoError(t, err)
	back, err := l.Takes.UndoText(t.Context(), g.ID)
	require.NoError(t, err)
	require.Equal(t, g.Text, back.Text)
	require.Equal(t, g.Receipt.AudioSHA256, studiotest.FileHash(t, back.AudioPath))
	for _, path := range l.Files() {
		require.False(t, strings.HasPrefix(filepath.Base(path), "v"), path)
	}
}

func TestTakeHasTheLevelOfItsGeneration(t *testing.T) {
	l := studiotest.New(t, studiotest.Peaky())
	g := l.Speak(l.InChunks())
	first, third := studiotest.Part(t, g, 0), studiotest.Part(t, g, 2)
	before, _ := studiotest.Loudness(t, studiotest.Sound(studiotest.Part(t, g, 1)))
	again, err := l.Takes.RegenerateChunk(t.Context(), g.ID, 1, nil, true)
	require.NoError(t, err)
	require.Equal(t, first, studiotest.Part(t, again, 0), "the others keep their samples")
	require.Equal(t, third, studiotest.Part(t, again, 2))
	require.Equal(t, g.Receipt.Level, again.Receipt.Level)
	require.Nil(t, again.Receipt.Chunks[1].GainDB, "the limiter makes up for its peaks")
	after, peak := studiotest.Loudness(t, studiotest.Sound(studiotest.Part(t, again, 1)))
	require.InDelta(t, before, after, 1)
	require.LessOrEqual(t, peak, -1+0.01)
}
