package speech_test

import (
	"bytes"
	"context"
	"math"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// loudnessOf measures a file: loudness in LUFS and true peak in dBTP.
func loudnessOf(t *testing.T, path string) (lufs, peak float64) {
	t.Helper()
	return studiotest.Loudness(t, studiotest.ReadWAV(t, path))
}

func TestVoiceWithHighPeaksReachesTheTarget(t *testing.T) {
	l := studiotest.New(t, studiotest.Peaky())
	g := l.Speak(l.InChunks())
	studiotest.RequireLevel(t, g.AudioPath, 0.25)
	require.NotNil(t, g.Receipt.Level)
	require.Equal(t, audio.LevelVersion, g.Receipt.Level.Version)
	require.Greater(t, g.Receipt.Level.ReductionDB, 2.0)
	require.InDelta(t, -16, *g.Receipt.Level.LUFS, 0.2)
	require.InDelta(t, 0, g.Receipt.Level.ShortfallLU, 0.2)
	require.Equal(t, []string{g.AudioPath}, l.Files(), "the trace is gone")

	again := l.Speak(func() generations.Request { r := l.InChunks(); r.Seed = &g.Seed; return r }())
	require.Equal(t, g.Receipt.AudioSHA256, again.Receipt.AudioSHA256, "the same receipt, the same bytes")

	r := l.InChunks()
	r.Limit = new(false)
	alone := l.Speak(r)
	require.Nil(t, alone.Receipt.Level)
	require.Equal(t, false, alone.Receipt.Parameters["limit"])
	lufs, peak := loudnessOf(t, alone.AudioPath)
	require.Less(t, lufs, -18.0, "one gain cannot bring it to the target")
	require.InDelta(t, -1, peak, 0.05)
}

func TestVoiceThatNeedsMoreStaysBelow(t *testing.T) {
	f := studiotest.Peaky()
	speak := f.SpeakFunc
	f.SpeakFunc = func(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
		return speak(ctx, u, func(b audio.Buffer) error {
			for i := range b.Samples {
				b.Samples[i] *= 0.1
			}
			b.Samples[len(b.Samples)/2] = 0.9
			return emit(b)
		})
	}
	l := studiotest.New(t, f)
	g := l.Speak(l.Request(studiotest.ThreeSentences))
	lufs, peak := loudnessOf(t, g.AudioPath)
	require.LessOrEqual(t, peak, -1+0.01)
	require.InDelta(t, 9, g.Receipt.Level.ReductionDB, 0.01)
	require.Greater(t, g.Receipt.Level.ShortfallLU, 3.0)
	require.InDelta(t, -16-lufs, g.Receipt.Level.ShortfallLU, 0.1, "the receipt says by how much")
}

// A receipt that says nothing of a level was made with one gain alone, and so is what is made again from it.
func TestOldReceiptsMakeTheSameBytes(t *testing.T) {
	l := studiotest.New(t, studiotest.Peaky())
	for name, crossfade := range map[string]int{"joined": 0, "crossfaded": 40} {
		t.Run(name, func(t *testing.T) {
			r := l.InChunks()
			r.CrossfadeMS, r.Limit = &crossfade, new(false)
			g := l.Speak(r)
			old, err := l.DB.UpdateGeneration(t.Context(), g.ID, func(row *backend.Generation) error {
				row.Request.Limit = nil
				delete(row.Receipt.Parameters, "limit")
				return nil
			})
			require.NoError(t, err)
			same, err := l.Generations.Regenerate(t.Context(), old.ID, &old.Seed, nil)
			require.NoError(t, err)
			same = l.Becomes(same.ID, backend.StatusComplete)
			require.Equal(t, old.Receipt.AudioSHA256, same.Receipt.AudioSHA256)

			_, err = l.Takes.RegenerateChunk(t.Context(), old.ID, 1, nil, true)
			require.NoError(t, err)
			back, err := l.Takes.ChooseTakes(t.Context(), old.ID, map[int]int{1: 0})
			require.NoError(t, err)
			require.Equal(t, old.Receipt.AudioSHA256, back.Receipt.AudioSHA256)
			require.Nil(t, back.Receipt.Level)

			other, err := l.Generations.Regenerate(t.Context(), old.ID, nil, nil)
			require.NoError(t, err)
			other = l.Becomes(other.ID, backend.StatusComplete)
			require.NotNil(t, other.Receipt.Level, "new sound has the level of today")
		})
	}
}

func TestPreviewOfAVoiceWithHighPeaks(t *testing.T) {
	l := studiotest.New(t, studiotest.Peaky())
	raw, err := l.Generations.Previews.Preview(t.Context(), l.Profile.ID)
	require.NoError(t, err)
	b, err := audio.ReadWAV(bytes.NewReader(raw))
	require.NoError(t, err)
	lufs, peak := studiotest.Loudness(t, b)
	require.InDelta(t, -16, lufs, 0.2)
	require.LessOrEqual(t, peak, -1+0.01)
}

func TestStreamUsesTheLevelOfItsVoice(t *testing.T) {
	l := studiotest.New(t, studiotest.Peaky())
	r := l.InChunks()
	r.Seed = new(int64(5))
	unknown, _ := studiotest.Loudness(t, l.Streamed(r))
	require.Less(t, unknown, -18.0, "nothing is known of the voice yet")
	known := l.Streamed(r)
	lufs, peak := studiotest.Loudness(t, known)
	require.InDelta(t, -16, lufs, 0.25)
	require.LessOrEqual(t, peak, -1+0.01)
	g := l.Speak(r)
	require.Equal(t, studiotest.ReadWAV(t, g.AudioPath).Samples, known.Samples, "the stream is the file")

	r.Limit = new(false)
	lufs, peak = studiotest.Loudness(t, l.Streamed(r))
	require.Less(t, lufs, -18.0)
	require.LessOrEqual(t, peak, -1+0.01, "without a limiter the gain stays where nothing clips")
}

// TestAWordSaysLittleOfAVoice: a shout between two streams of a voice does not make the second one quieter.
func TestAWordSaysLittleOfAVoice(t *testing.T) {
	f, loud := studiotest.Peaky(), studiotest.Peaky().SpeakFunc
	f.SpeakFunc = func(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
		return loud(ctx, u, func(b audio.Buffer) error {
			if !strings.Contains(u.Text, "Stop") {
				for i := range b.Samples {
					b.Samples[i] /= 5
				}
			}
			return emit(b)
		})
	}
	l := studiotest.New(t, f)
	r := l.Request(strings.Repeat(studiotest.ThreeSentences+" ", 3))
	r.Seed = new(int64(5))
	l.Speak(r)
	before, _ := studiotest.Loudness(t, l.Streamed(r))
	l.Speak(l.Request("Stop, stop, stop!"))
	after, _ := studiotest.Loudness(t, l.Streamed(r))
	require.InDelta(t, before, after, 0.25)
}

func TestLevelOfLongSoundNeedsLittleMemory(t *testing.T) {
	const minutes = 5
	speak := func(limit bool) uint64 {
		f := studiotest.Peaky()
		f.SpeakFunc = func(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
			second := make([]float32, 24000)
			for i := range second {
				second[i] = float32(math.Exp(-float64(i%200)/14) * math.Sin(0.25*float64(i%200)))
			}
			for range minutes * 60 {
				if err := emit(studiotest.Sound(second)); err != nil {
					return err
				}
			}
			return nil
		}
		l := studiotest.New(t, f)
		return allocated(func() {
			r := l.Request("One sentence.")
			r.Limit = &limit
			g := l.Speak(r)
			info, err := os.Stat(g.AudioPath)
			require.NoError(t, err)
			require.Greater(t, info.Size(), int64(minutes*60*48000))
		})
	}
	with, without := speak(true), speak(false)
	t.Logf("with the limiter %.1f MB, without %.1f MB", float64(with)/1e6, float64(without)/1e6)
	require.Less(t, with, without+3<<20)
}

// allocated is how many bytes f allocates, whether they are freed or not.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestPeaksWinOverLoudness(t *testing.T) {
	clicks := studiotest.Engine{Fixture: enginetest.NewFixture(enginetest.FixtureOptions{}), SpeakFunc: func(
		_ context.Context, _ engines.Utterance, emit func(audio.Buffer) error,
	) error {
		samples := make([]float32, 48000)
		for i := range samples {
			samples[i] = 0.01 * float32(math.Sin(float64(i)/20))
			if i%4800 == 100 {
				samples[i] = 0.9
			}
		}
		return emit(audio.Buffer{Samples: samples, Rate: 24000, Channels: 1})
	}}
	l := studiotest.New(t, clicks)
	g := l.Speak(l.Request("Click."))
	b := studiotest.ReadWAV(t, g.AudioPath)
	m := audio.NewMeter(b.Rate, 1)
	m.Write(b.Samples)
	require.InDelta(t, -1, 20*math.Log10(m.TruePeak()), 0.05)
}

func TestNormalizeOff(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	r := l.Request(studiotest.ThreeSentences)
	r.Normalize = new(false)
	g := l.Speak(r)
	require.Zero(t, g.Receipt.GainDB)
	var peak float32
	for _, x := range studiotest.ReadWAV(t, g.AudioPath).Samples {
		peak = max(peak, x)
	}
	require.InDelta(t, 0.5, peak, 0.001, "the engine's own level")
	_, measured, err := l.DB.VoiceLevel(t.Context(), studiotest.BuiltIn, g.Voice)
	require.NoError(t, err)
	require.False(t, measured)
}

func TestShortTextKeepsTheKnownLevelOfItsVoice(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	long := l.Speak(l.Request(studiotest.ThreeSentences))
	short := l.Speak(l.Request("Hm.")) // too short to say something about the voice
	require.Less(t, short.Duration, 0.4)
	require.Greater(t, math.Abs(long.Receipt.GainDB-short.Receipt.GainDB), 0.1)
	gain, ok, err := l.DB.VoiceLevel(t.Context(), studiotest.BuiltIn, long.Voice)
	require.NoError(t, err)
	require.True(t, ok)
	require.InDelta(t, long.Receipt.GainDB, gain.GainDB, 1e-9)
}
