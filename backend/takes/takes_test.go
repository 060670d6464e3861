package takes_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

func TestRegenerateChunk(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	g := l.Speak(l.InChunks())
	require.Len(t, g.Chunks, 3)
	first, second, third := studiotest.Part(t, g, 0), studiotest.Part(t, g, 1), studiotest.Part(t, g, 2)

	again, err := l.Takes.RegenerateChunk(t.Context(), g.ID, 1, nil, true)
	require.NoError(t, err)
	require.Equal(t, g.ID, again.ID)
	require.Equal(t, backend.StatusComplete, again.Status)
	require.Equal(t, 1, again.Chunks[1].Take)
	require.Equal(t, 2, again.Chunks[1].Takes)
	require.Equal(t, 1, again.Chunks[0].Takes)
	require.Equal(t, first, studiotest.Part(t, again, 0), "the neighbours keep their sound")
	require.Equal(t, third, studiotest.Part(t, again, 2))
	require.NotEqual(t, second, studiotest.Part(t, again, 1))
	require.Equal(t, studiotest.FileHash(t, again.AudioPath), again.Receipt.AudioSHA256)
	require.NotEqual(t, g.Receipt.AudioSHA256, again.Receipt.AudioSHA256)
	require.Equal(t, again.Receipt.Chunks[1].ReceiptTake, again.Receipt.Chunks[1].Takes[1])
	require.Equal(t, g.Receipt.Chunks[1].ReceiptTake, again.Receipt.Chunks[1].Takes[0])
	require.NoFileExists(t, g.AudioPath, "the row names the new file, so the old one is gone")

	chosen, err := l.Takes.ChooseTakes(t.Context(), g.ID, map[int]int{1: 0})
	require.NoError(t, err)
	require.Equal(t, 0, chosen.Chunks[1].Take)
	require.Equal(t, 2, chosen.Chunks[1].Takes)
	require.Equal(t, g.Receipt.AudioSHA256, chosen.Receipt.AudioSHA256, "the first take is back, bit by bit")
	require.Equal(t, g.Duration, chosen.Duration)

	_, err = l.Generations.Archive.Delete(t.Context(), []string{g.ID})
	require.NoError(t, err)
	require.Empty(t, l.Files())
}

// TestTakesOfOtherLength moves what stands behind a take of another length.
func TestTakesOfOtherLength(t *testing.T) {
	f := enginetest.NewFixture(enginetest.FixtureOptions{})
	longer := studiotest.Engine{Fixture: f, SpeakFunc: func(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
		return f.Speak(ctx, u, func(b audio.Buffer) error {
			if u.Seed == 77 {
				b.Samples = append(b.Samples, b.Samples...)
			}
			return emit(b)
		})
	}}
	l := studiotest.New(t, longer)
	g := l.Speak(l.InChunks())
	for range 2 { // also a second take of the same chunk
		after, err := l.Takes.RegenerateChunk(t.Context(), g.ID, 0, new(int64(77)), true)
		require.NoError(t, err)
		moved := g.Chunks[0].End - g.Chunks[0].Start
		require.InDelta(t, g.Duration+moved, after.Duration, 1e-9)
		require.InDelta(t, g.Chunks[2].Start+moved, after.Chunks[2].Start, 1e-9)
		require.Equal(t, studiotest.Part(t, g0(t, l, g), 2), studiotest.Part(t, after, 2))
		require.InDelta(t, after.Duration, after.Chunks[2].End, 1e-9)
	}
	require.Equal(t, 3, l.Stored(g.ID).Chunks[0].Takes)
}

// g0 returns a generation like g that nobody has changed.
func g0(t *testing.T, l *studiotest.Lab, g backend.Generation) backend.Generation {
	t.Helper()
	r := l.InChunks()
	r.Seed = &g.Seed
	return l.Speak(r)
}

func TestTakesOfOtherKinds(t *testing.T) {
	for name, change := range map[string]func(*generations.Request){
		"compressed": func(r *generations.Request) { r.Format = "mp3" },
		"lossless":   func(r *generations.Request) { r.Format = "flac" },
		"crossfade":  func(r *generations.Request) { r.CrossfadeMS = new(40) },
	} {
		t.Run(name, func(t *testing.T) {
			l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
			r := l.InChunks()
			change(&r)
			g := l.Speak(r)
			same, err := l.Takes.ChooseTakes(t.Context(), g.ID, map[int]int{0: 0, 2: 0})
			require.NoError(t, err, "the only take is the chosen one")
			require.Equal(t, studiotest.FileHash(t, same.AudioPath), g.Receipt.AudioSHA256)
			again, err := l.Takes.RegenerateChunk(t.Context(), g.ID, 2, nil, true)
			require.NoError(t, err)
			require.FileExists(t, again.AudioPath)
			require.InDelta(t, g.Duration, again.Duration, 1e-9)
			require.NotEqual(t, g.Receipt.AudioSHA256, again.Receipt.AudioSHA256)
			require.Equal(t, studiotest.FileHash(t, again.AudioPath), again.Receipt.AudioSHA256)
			require.Equal(t, 2, again.Chunks[2].Takes)
			back, err := l.Takes.ChooseTakes(t.Context(), g.ID, map[int]int{2: 0})
			require.NoError(t, err)
			require.Equal(t, 0, back.Chunks[2].Take)
			require.Equal(t, g.Receipt.Chunks[2].Seed, back.Receipt.Chunks[2].Seed)
			if name != "compressed" {
				require.Equal(t, g.Receipt.AudioSHA256, back.Receipt.AudioSHA256)
			}
		})
	}
}

func TestTakeThatFailsChangesNothing(t *testing.T) {
	broken := backend.E(backend.CodeEngineFailed, "The graph gave NaN.", "Try another seed.")
	f := enginetest.NewFixture(enginetest.FixtureOptions{})
	leaving, leave := context.WithCancel(t.Context())
	defer leave()
	l := studiotest.New(t, studiotest.Engine{Fixture: f, SpeakFunc: func(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
		switch u.Seed {
		case 13:
			return broken
		case 14:
			leave()
			<-ctx.Done()
			return backend.ErrCancelled.WithCause(ctx.Err())
		}
		return f.Speak(ctx, u, emit)
	}})
	g := l.Stored(l.Speak(l.InChunks()).ID)
	_, err := l.Takes.RegenerateChunk(t.Context(), g.ID, 0, new(int64(13)), true)
	require.ErrorIs(t, err, broken)
	_, err = l.Takes.RegenerateChunk(leaving, g.ID, 0, new(int64(14)), true)
	backendtest.RequireCode(t, backend.CodeCancelled, err)
	require.Equal(t, g, l.Stored(g.ID))
	l.Settled(g.AudioPath)

	_, err = l.Takes.RegenerateChunk(t.Context(), g.ID, 3, nil, true)
	backendtest.RequireInvalid(t, "less_than", "n", err)
	_, err = l.Takes.ChooseTakes(t.Context(), g.ID, map[int]int{0: 1})
	backendtest.RequireInvalid(t, "less_than", "take", err)
	_, err = l.Takes.ChooseTakes(t.Context(), g.ID, map[int]int{9: 0})
	backendtest.RequireInvalid(t, "less_than", "9", err)
	require.NoError(t, os.Remove(g.AudioPath))
	_, err = l.Takes.RegenerateChunk(t.Context(), g.ID, 0, nil, true)
	backendtest.RequireCode(t, backend.CodeAudioMissing, err)
}

func TestTakesOfUnfinished(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{Fail: backend.E(backend.CodeEngineFailed, "No.", "Retry.")}))
	g, err := l.Generations.Generate(t.Context(), l.Request("Hello."))
	require.Error(t, err)
	_, err = l.Takes.RegenerateChunk(t.Context(), g.ID, 0, nil, true)
	backendtest.RequireCode(t, backend.CodeNotInProgress, err)
	_, err = l.Takes.ChooseTakes(t.Context(), g.ID, nil)
	backendtest.RequireCode(t, backend.CodeNotInProgress, err)
	_, err = l.Takes.RegenerateChunk(t.Context(), l.Options.NewID(), 0, nil, true)
	backendtest.RequireCode(t, backend.CodeGenerationNotFound, err)
}

// TestTakesOfEveryFormat regenerates a passage with its own seed: the sound stays what it was, also where a format is
// decoded at another rate than it was made of.
func TestTakesOfEveryFormat(t *testing.T) {
	for _, format := range []string{"wav", "flac", "opus", "mp3", "m4a"} {
		t.Run(format, func(t *testing.T) {
			l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
			r := l.InChunks()
			r.Format = format
			g := l.Speak(r)
			before := waveform(l, g.ID)
			again, err := l.Takes.RegenerateChunk(t.Context(), g.ID, 1, &g.Receipt.Chunks[1].Seed, true)
			require.NoError(t, err)
			require.InDelta(t, g.Duration, again.Duration, 0.001)
			requireAlike(t, before, waveform(l, g.ID))
			_, err = l.Takes.ChooseTakes(t.Context(), g.ID, map[int]int{1: 0})
			require.NoError(t, err)
			requireAlike(t, before, waveform(l, g.ID))
		})
	}
}

// waveform counts the vibrations in each half second of a generation.
func waveform(l *studiotest.Lab, id string) []float64 {
	l.T.Helper()
	g := l.Stored(id)
	wav := filepath.Join(l.T.TempDir(), "decoded.wav")
	require.NoError(l.T, l.Options.Encoder.DecodeFile(l.T.Context(), g.AudioPath, wav, g.SampleRate))
	b := studiotest.ReadWAV(l.T, wav)
	var out []float64
	for part := range slices.Chunk(b.Samples, b.Rate/2) {
		crossings := 0
		for i := range part[1:] {
			if part[i] < 0 != (part[i+1] < 0) && (part[i] > 0.01 || part[i] < -0.01) {
				crossings++
			}
		}
		out = append(out, float64(crossings))
	}
	return out[:int(2*g.Duration)]
}

func requireAlike(t *testing.T, want, got []float64) {
	t.Helper()
	require.Len(t, got, len(want))
	for i := range want {
		require.InDelta(t, want[i], got[i], 0.2*want[i]+10, "%.1f s", float64(i)/2)
	}
}

// TestTakeThatIsNotChosen adds a take without a change of the audio; choosing it later changes the audio.
func TestTakeThatIsNotChosen(t *testing.T) {
	for name, change := range map[string]func(*generations.Request){
		"plain": func(*generations.Request) {}, "crossfade": func(r *generations.Request) { r.CrossfadeMS = new(40) },
	} {
		t.Run(name, func(t *testing.T) {
			l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
			r := l.InChunks()
			change(&r)
			g := l.Stored(l.Speak(r).ID)
			added, err := l.Takes.RegenerateChunk(t.Context(), g.ID, 1, new(int64(7)), false)
			require.NoError(t, err)
			require.Equal(t, 0, added.Chunks[1].Take)
			require.Equal(t, 2, added.Chunks[1].Takes)
			require.Equal(t, g.AudioPath, added.AudioPath)
			require.Equal(t, g.Receipt.AudioSHA256, studiotest.FileHash(t, added.AudioPath))
			want := g
			want.Chunks[1].Takes = 2
			want.Receipt.Chunks[1].Takes = added.Receipt.Chunks[1].Takes
			require.Equal(t, want, l.Stored(g.ID), "nothing else in the row changes")
			require.Equal(t, int64(7), added.Receipt.Chunks[1].Takes[1].Seed)
			if name == "plain" {
				e, err := l.Takes.TakeAudio(t.Context(), g.ID, 1, 1)
				require.NoError(t, err)
				e.Close()
			}
			chosen, err := l.Takes.ChooseTakes(t.Context(), g.ID, map[int]int{1: 1})
			require.NoError(t, err)
			require.NotEqual(t, g.Receipt.AudioSHA256, studiotest.FileHash(t, chosen.AudioPath))
			require.Equal(t, int64(7), chosen.Receipt.Chunks[1].Seed)
		})
	}
}
