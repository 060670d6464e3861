package scripts_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// TestAVoiceHasOneGainInAScript makes a quiet and a loud voice equal, and leaves the whisper of one quieter than its shout.
func TestAVoiceHasOneGainInAScript(t *testing.T) {
	const shout, normal, whisper = "This is a shout, loud and long.", "This is as always, no more.", "This is a whisper, soft and low."
	at := func(dB map[string]float64) engines.Speaker {
		f := enginetest.NewFixture(enginetest.FixtureOptions{})
		return studiotest.Engine{Fixture: f, SpeakFunc: func(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
			gain := float32(audio.FromDB(dB[u.Text]))
			return f.Speak(ctx, u, func(s audio.Buffer) error {
				for i := range s.Samples {
					s.Samples[i] *= gain
				}
				return emit(s)
			})
		}}
	}
	l := studiotest.New(t, at(map[string]float64{normal: -6, whisper: -14}), func(l *studiotest.Lab) {
		l.Models.Speakers[studiotest.Robot] = studiotest.AnyVoice{Speaker: at(map[string]float64{normal: -30})}
	})
	r := l.Script(shout, normal, whisper, normal)
	r.Turns[3].Voice = studiotest.Robot + ":0"
	s, err := l.Scripts.Script(t.Context(), r)
	require.NoError(t, err)

	b := studiotest.ReadWAV(t, s.AudioPath)
	var parts []audio.Buffer
	from := 0.0
	for _, g := range s.Turns {
		cut := func(at float64) int { return int(at * float64(b.Rate)) }
		parts = append(parts, audio.Buffer{Rate: b.Rate, Channels: 1, Samples: b.Samples[cut(from):cut(from+g.Duration)]})
		from += g.Duration + 0.3
	}
	lufs := func(list ...audio.Buffer) float64 {
		all := audio.Buffer{Rate: b.Rate, Channels: 1}
		for _, p := range list {
			all.Samples = append(all.Samples, p.Samples...)
		}
		out, _ := studiotest.Loudness(t, all)
		return out
	}
	require.InDelta(t, -16, lufs(parts[:3]...), 0.5, "all turns of a voice together")
	require.InDelta(t, -16, lufs(parts[3]), 0.5, "the quiet voice")
	require.InDelta(t, -6, lufs(parts[1])-lufs(parts[0]), 0.5)
	require.InDelta(t, -14, lufs(parts[2])-lufs(parts[0]), 0.5)
	_, peak := studiotest.Loudness(t, b)
	require.LessOrEqual(t, peak, -1+0.01)

	voices := s.Receipt.Voices
	require.Len(t, voices, 2)
	require.Equal(t, []int{3, 1}, []int{voices[0].Turns, voices[1].Turns})
	require.Equal(t, backend.SourceLocal, voices[0].Source)
	require.InDelta(t, -16, *voices[0].Level.LUFS, 0.5)
	require.InDelta(t, 30, voices[1].GainDB-s.Turns[0].Receipt.GainDB, 6)

	// A new turn changes the gain of its voice only, and the file is made again without speech.
	r.Turns[2].Text = shout
	ended := make(chan error, 1)
	r.Ended = func(_ string, err error) { ended <- err }
	_, _, err = l.Scripts.ReviseScript(t.Context(), s.ID, r)
	require.NoError(t, err)
	select {
	case err := <-ended:
		require.NoError(t, err)
	case <-time.After(studiotest.WaitLimit):
		t.Fatal("the revision does not end")
	}
	now, err := l.Scripts.StoredScript(t.Context(), s.ID)
	require.NoError(t, err)
	require.Less(t, now.Receipt.Voices[0].GainDB, voices[0].GainDB, "it is louder than the whisper")
	require.Equal(t, voices[1], now.Receipt.Voices[1])
}

func TestSpeakersOfAScriptAreEquallyLoud(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{SampleRate: 48000}), func(l *studiotest.Lab) {
		l.Models.Speakers[studiotest.Robot] = studiotest.AnyVoice{Speaker: studiotest.Peaky()}
	})
	r := l.Script("Who is there, and what do you want?", "Nobody at all, and nothing that matters.", "Good.", "No.")
	r.Turns[1].Voice, r.Turns[3].Voice = studiotest.Robot+":0", studiotest.Robot+":0"
	s, err := l.Scripts.Script(t.Context(), r)
	require.NoError(t, err)
	_, peak := studiotest.Loudness(t, studiotest.ReadWAV(t, s.AudioPath))
	require.LessOrEqual(t, peak, -1+0.01, "also of the turns that were resampled")
	for i, g := range s.Turns {
		b := studiotest.ReadWAV(t, g.AudioPath)
		b.Samples = slices.Repeat(b.Samples, 10) // so that short turns can be measured
		lufs, _ := studiotest.Loudness(t, b)
		require.InDelta(t, -16, lufs, 0.5, "turn %d", i)
	}
}
