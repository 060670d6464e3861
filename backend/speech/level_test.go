package speech_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// peaky is a voice of short pulses: its peaks are far above its loudness, as those of the built-in voice are.
func peaky() hooked {
	f := fixture(enginetest.FixtureOptions{})
	return hooked{f, func(ctx context.Context, u engines.Utterance, emit emitFunc) error {
		return f.Speak(ctx, u, func(b audio.Buffer) error {
			const period = 200 // frames: 120 Hz
			for i := range b.Samples {
				at := float64(i % period)
				loudness := 0.6 + 0.3*math.Sin(float64(i)/4000+float64(u.Seed%7))
				b.Samples[i] = float32(loudness * math.Exp(-at/14) * math.Sin(0.25*at))
			}
			return emit(b)
		})
	}}
}

// heard measures a file: loudness in LUFS and true peak in dBTP.
func heard(t *testing.T, path string) (lufs, peak float64) {
	t.Helper()
	return heardSound(t, readWAV(t, path))
}

func heardSound(t *testing.T, b audio.Buffer) (lufs, peak float64) {
	t.Helper()
	m := audio.NewMeter(b.Rate, b.Channels)
	m.Write(b.Samples)
	lufs, ok := m.Integrated()
	require.True(t, ok)
	return lufs, 20 * math.Log10(m.TruePeak())
}

func TestVoiceWithHighPeaksReachesTheTarget(t *testing.T) {
	l := newLab(t, peaky())
	g := l.speak(l.inChunks())
	requireLevel(t, g.AudioPath, 0.25)
	require.NotNil(t, g.Receipt.Level)
	require.Equal(t, audio.LevelVersion, g.Receipt.Level.Version)
	require.Greater(t, g.Receipt.Level.ReductionDB, 2.0)
	require.InDelta(t, -16, *g.Receipt.Level.LUFS, 0.2)
	require.InDelta(t, 0, g.Receipt.Level.ShortfallLU, 0.2)
	require.Equal(t, []string{g.AudioPath}, l.files(), "the trace is gone")

	again := l.speak(func() generations.Request { r := l.inChunks(); r.Seed = &g.Seed; return r }())
	require.Equal(t, g.Receipt.AudioSHA256, again.Receipt.AudioSHA256, "the same receipt, the same bytes")

	r := l.inChunks()
	r.Limit = new(false)
	alone := l.speak(r)
	require.Nil(t, alone.Receipt.Level)
	require.Equal(t, false, alone.Receipt.Parameters["limit"])
	lufs, peak := heard(t, alone.AudioPath)
	require.Less(t, lufs, -18.0, "one gain cannot bring it to the target")
	require.InDelta(t, -1, peak, 0.05)
}

func TestVoiceThatNeedsMoreStaysBelow(t *testing.T) {
	f := peaky()
	speak := f.speak
	f.speak = func(ctx context.Context, u engines.Utterance, emit emitFunc) error {
		return speak(ctx, u, func(b audio.Buffer) error {
			for i := range b.Samples {
				b.Samples[i] *= 0.1
			}
			b.Samples[len(b.Samples)/2] = 0.9
			return emit(b)
		})
	}
	l := newLab(t, f)
	g := l.speak(l.request(threeSentences))
	lufs, peak := heard(t, g.AudioPath)
	require.LessOrEqual(t, peak, -1+0.01)
	require.InDelta(t, 9, g.Receipt.Level.ReductionDB, 0.01)
	require.Greater(t, g.Receipt.Level.ShortfallLU, 3.0)
	require.InDelta(t, -16-lufs, g.Receipt.Level.ShortfallLU, 0.1, "the receipt says by how much")
}

// A receipt that says nothing of a level was made with one gain alone, and so is what is made again from it.
func TestOldReceiptsMakeTheSameBytes(t *testing.T) {
	l := newLab(t, peaky())
	for name, crossfade := range map[string]int{"joined": 0, "crossfaded": 40} {
		t.Run(name, func(t *testing.T) {
			r := l.inChunks()
			r.CrossfadeMS, r.Limit = &crossfade, new(false)
			g := l.speak(r)
			old, err := l.db.UpdateGeneration(t.Context(), g.ID, func(row *backend.Generation) error {
				row.Request.Limit = nil
				delete(row.Receipt.Parameters, "limit")
				return nil
			})
			require.NoError(t, err)
			same, err := l.service.Generations.Regenerate(t.Context(), old.ID, &old.Seed, nil)
			require.NoError(t, err)
			same = l.becomes(same.ID, backend.StatusComplete)
			require.Equal(t, old.Receipt.AudioSHA256, same.Receipt.AudioSHA256)

			_, err = l.service.Takes.RegenerateChunk(t.Context(), old.ID, 1, nil, true)
			require.NoError(t, err)
			back, err := l.service.Takes.ChooseTakes(t.Context(), old.ID, map[int]int{1: 0})
			require.NoError(t, err)
			require.Equal(t, old.Receipt.AudioSHA256, back.Receipt.AudioSHA256)
			require.Nil(t, back.Receipt.Level)

			other, err := l.service.Generations.Regenerate(t.Context(), old.ID, nil, nil)
			require.NoError(t, err)
			other = l.becomes(other.ID, backend.StatusComplete)
			require.NotNil(t, other.Receipt.Level, "new sound has the level of today")
		})
	}
}

func TestTakeHasTheLevelOfItsGeneration(t *testing.T) {
	l := newLab(t, peaky())
	g := l.speak(l.inChunks())
	first, third := part(t, g, 0), part(t, g, 2)
	before, _ := heardSound(t, soundOf(part(t, g, 1)))
	again, err := l.service.Takes.RegenerateChunk(t.Context(), g.ID, 1, nil, true)
	require.NoError(t, err)
	require.Equal(t, first, part(t, again, 0), "the others keep their samples")
	require.Equal(t, third, part(t, again, 2))
	require.Equal(t, g.Receipt.Level, again.Receipt.Level)
	require.Nil(t, again.Receipt.Chunks[1].GainDB, "the limiter makes up for its peaks")
	after, peak := heardSound(t, soundOf(part(t, again, 1)))
	require.InDelta(t, before, after, 1)
	require.LessOrEqual(t, peak, -1+0.01)
}

func TestSpeakersOfAScriptAreEquallyLoud(t *testing.T) {
	l := newLab(t, fixture(enginetest.FixtureOptions{SampleRate: 48000}), func(l *lab) {
		l.modelSet.speakers[robot] = anyVoice{peaky()}
	})
	r := l.script("Who is there, and what do you want?", "Nobody at all, and nothing that matters.", "Good.", "No.")
	r.Turns[1].Voice, r.Turns[3].Voice = robot+":0", robot+":0"
	s, err := l.service.Scripts.Script(t.Context(), r)
	require.NoError(t, err)
	_, peak := heard(t, s.AudioPath)
	require.LessOrEqual(t, peak, -1+0.01, "also of the turns that were resampled")
	for i, g := range s.Turns {
		b := readWAV(t, g.AudioPath)
		b.Samples = slices.Repeat(b.Samples, 10) // so that short turns can be measured
		lufs, _ := heardSound(t, b)
		require.InDelta(t, -16, lufs, 0.5, "turn %d", i)
	}
}

func TestPreviewOfAVoiceWithHighPeaks(t *testing.T) {
	l := newLab(t, peaky())
	raw, err := l.service.Generations.Preview(t.Context(), l.profile.ID)
	require.NoError(t, err)
	b, err := audio.ReadWAV(bytes.NewReader(raw))
	require.NoError(t, err)
	lufs, peak := heardSound(t, b)
	require.InDelta(t, -16, lufs, 0.2)
	require.LessOrEqual(t, peak, -1+0.01)
}

// streamed is what a client hears of a generation.
func (l *lab) streamed(r generations.Request) audio.Buffer {
	l.t.Helper()
	st, err := l.service.Generations.Stream(l.t.Context(), r)
	require.NoError(l.t, err)
	var got bytes.Buffer
	require.NoError(l.t, st.WriteTo(l.t.Context(), &got))
	require.NoError(l.t, st.Close())
	b := audio.Buffer{Rate: st.Rate, Channels: st.Channels}
	for i := 0; i+1 < got.Len(); i += 2 {
		b.Samples = append(b.Samples, float32(int16(binary.LittleEndian.Uint16(got.Bytes()[i:])))/32768)
	}
	return b
}

func TestStreamUsesTheLevelOfItsVoice(t *testing.T) {
	l := newLab(t, peaky())
	r := l.inChunks()
	r.Seed = new(int64(5))
	unknown, _ := heardSound(t, l.streamed(r))
	require.Less(t, unknown, -18.0, "nothing is known of the voice yet")
	known := l.streamed(r)
	lufs, peak := heardSound(t, known)
	require.InDelta(t, -16, lufs, 0.25)
	require.LessOrEqual(t, peak, -1+0.01)
	g := l.speak(r)
	require.Equal(t, readWAV(t, g.AudioPath).Samples, known.Samples, "the stream is the file")

	r.Limit = new(false)
	lufs, peak = heardSound(t, l.streamed(r))
	require.Less(t, lufs, -18.0)
	require.LessOrEqual(t, peak, -1+0.01, "without a limiter the gain stays where nothing clips")
}

// TestAWordSaysLittleOfAVoice: a shout between two streams of a voice does not make the second one quieter.
func TestAWordSaysLittleOfAVoice(t *testing.T) {
	f, loud := peaky(), peaky().speak
	f.speak = func(ctx context.Context, u engines.Utterance, emit emitFunc) error {
		return loud(ctx, u, func(b audio.Buffer) error {
			if !strings.Contains(u.Text, "Stop") {
				for i := range b.Samples {
					b.Samples[i] /= 5
				}
			}
			return emit(b)
		})
	}
	l := newLab(t, f)
	r := l.request(strings.Repeat(threeSentences+" ", 3))
	r.Seed = new(int64(5))
	l.speak(r)
	before, _ := heardSound(t, l.streamed(r))
	l.speak(l.request("Stop, stop, stop!"))
	after, _ := heardSound(t, l.streamed(r))
	require.InDelta(t, before, after, 0.25)
}

func TestLevelOfLongSoundNeedsLittleMemory(t *testing.T) {
	const minutes = 5
	speak := func(limit bool) uint64 {
		f := peaky()
		f.speak = func(ctx context.Context, u engines.Utterance, emit emitFunc) error {
			second := make([]float32, 24000)
			for i := range second {
				second[i] = float32(math.Exp(-float64(i%200)/14) * math.Sin(0.25*float64(i%200)))
			}
			for range minutes * 60 {
				if err := emit(soundOf(second)); err != nil {
					return err
				}
			}
			return nil
		}
		l := newLab(t, f)
		return allocated(func() {
			r := l.request("One sentence.")
			r.Limit = &limit
			g := l.speak(r)
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
