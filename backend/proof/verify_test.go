package proof_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/proof"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// The language of tones: each word is half a second of its tone.
var tones = map[string]float64{"low": 300, "mid": 1000, "high": 3000}

const toneSeconds = 0.5

func tone(hz float64, rate int) []float32 {
	out := make([]float32, int(toneSeconds*float64(rate)))
	for i := range out {
		out[i] = float32(0.5 * math.Sin(2*math.Pi*hz*float64(i)/float64(rate)))
	}
	return out
}

// sing returns a text in tones.
func sing(text string) []float32 {
	var out []float32
	for _, word := range strings.Fields(strings.ToLower(strings.Trim(text, "."))) {
		out = append(out, tone(tones[strings.Trim(word, ".,")], 24000)...)
	}
	return out
}

// singer is an engine that says what say returns for a text and a seed.
func singer(say func(u engines.Utterance) string) studiotest.Engine {
	return studiotest.Engine{Fixture: enginetest.NewFixture(enginetest.FixtureOptions{}), SpeakFunc: func(_ context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
		return emit(studiotest.Sound(sing(say(u))))
	}}
}

func rightly(u engines.Utterance) string { return u.Text }

// hearTones returns the words that the tones in samples mean, with the tone that crosses zero as often in each half second.
func hearTones(_ context.Context, samples []float32) (string, error) {
	const step = toneSeconds * engines.TranscriberRate
	var words []string
	for at := 0; at+step/2 < len(samples); at += step {
		part := samples[at:min(at+step, len(samples))]
		crossings := 0
		for i := 1; i < len(part); i++ {
			if (part[i-1] < 0) != (part[i] < 0) {
				crossings++
			}
		}
		hz := float64(crossings) / 2 / (float64(len(part)) / engines.TranscriberRate)
		for word, want := range tones {
			if math.Abs(hz-want) < want/4 {
				words = append(words, word)
			}
		}
	}
	return strings.Join(words, " ") + ".", nil
}

// listening is a lab with a model that hears tones.
func listening(t *testing.T, say func(u engines.Utterance) string) *studiotest.Lab {
	return studiotest.New(t, singer(say), func(l *studiotest.Lab) {
		l.Models.Hear = hearTones
		l.Verify = proof.Settings{Model: func(string) (string, bool) { return "whisper-tones", false }, Limit: 0.15}
	})
}

// verifiedRequest returns a request whose audio is heard. Each chunk is a sentence.
func verifiedRequest(l *studiotest.Lab, text string) generations.Request {
	r := l.Request(text)
	r.Verify = new(true)
	r.MaxChunkChars = new(50)
	return r
}

func TestVerifyHearsARightTake(t *testing.T) {
	l := listening(t, rightly)
	g := l.Speak(verifiedRequest(l, "Low mid high mid low low high. High low mid mid high high low."))
	require.Len(t, g.Chunks, 2)
	require.False(t, g.Verifying)
	require.Equal(t, "whisper-tones", g.Verify.ModelName)
	require.Zero(t, g.Verify.WER)
	require.WithinDuration(t, time.Now(), g.Verify.At, time.Minute)
	require.Equal(t, &backend.ChunkVerification{Heard: "low mid high mid low low high.", Dropped: []string{}, Repeated: []string{}, Words: 7}, g.Chunks[0].Verify)
	require.Equal(t, g.Chunks[1].Verify, g.Receipt.Chunks[1].Verify)
	require.Equal(t, g.Verify, g.Receipt.Verify)
	require.Equal(t, []int{1, 1}, []int{g.Chunks[0].Takes, g.Chunks[1].Takes})
	require.Equal(t, g, l.Stored(g.ID))
}

// Each way in which a file can be wrong is found, and a take that is not changed is right.
func TestVerifyFindsWrongAudio(t *testing.T) {
	const text = "Low mid high. "
	tests := []struct {
		name  string
		wrong func(samples []float32) []float32
		check func(t *testing.T, g backend.Generation)
	}{
		{"right", func(s []float32) []float32 { return s }, func(t *testing.T, g backend.Generation) {
			require.Zero(t, g.Verify.WER)
		}},
		{"swapped", func(s []float32) []float32 {
			words := len(s) / 3
			return slices.Concat(s[words:2*words], s[:words], s[2*words:])
		}, func(t *testing.T, g backend.Generation) {
			require.Equal(t, "mid low high.", g.Chunks[0].Verify.Heard)
			require.InDelta(t, 2./3, g.Verify.WER, 1e-9)
		}},
		{"cut", func(s []float32) []float32 { return s[:len(s)/3] }, func(t *testing.T, g backend.Generation) {
			require.InDelta(t, 2./3, g.Verify.WER, 1e-9)
			require.Equal(t, []string{"mid", "high"}, g.Chunks[0].Verify.Dropped)
		}},
		{"doubled", func(s []float32) []float32 { return slices.Concat(s, s) }, func(t *testing.T, g backend.Generation) {
			require.Equal(t, 1.0, g.Verify.WER)
			require.ElementsMatch(t, []string{"low", "mid", "high"}, g.Chunks[0].Verify.Repeated)
		}},
		{"silent", func(s []float32) []float32 { return make([]float32, len(s)) }, func(t *testing.T, g backend.Generation) {
			require.Equal(t, 1.0, g.Verify.WER)
			require.Empty(t, g.Chunks[0].Verify.Heard)
			require.Equal(t, []string{"low", "mid", "high"}, g.Chunks[0].Verify.Dropped)
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			l := listening(t, rightly)
			g := l.Speak(l.Request(text))
			require.Nil(t, g.Verify)
			changeAudio(t, g, test.wrong)
			test.check(t, verifyAudio(l, g.ID))
		})
	}
}

// changeAudio replaces the samples of a generation's file.
func changeAudio(t *testing.T, g backend.Generation, change func([]float32) []float32) {
	t.Helper()
	b := studiotest.ReadWAV(t, g.AudioPath)
	samples := change(b.Samples)
	file := audio.PCM16(audio.WAVHeader(b.Rate, b.Channels, uint32(2*len(samples))), samples)
	require.NoError(t, os.WriteFile(g.AudioPath, file, 0o600))
}

// verifyAudio verifies a stored generation and returns it.
func verifyAudio(l *studiotest.Lab, id string) backend.Generation {
	l.T.Helper()
	n, err := l.Generations.Checks.Verify(l.T.Context(), []string{id, id, "no-such-id"})
	require.NoError(l.T, err)
	require.Equal(l.T, 1, n)
	return unverifying(l, id)
}

// unverifying waits until a generation has been heard.
func unverifying(l *studiotest.Lab, id string) backend.Generation {
	l.T.Helper()
	require.Eventually(l.T, func() bool {
		g, err := l.Generations.Generation(l.T.Context(), id)
		return err == nil && !g.Verifying
	}, studiotest.WaitLimit, studiotest.WaitStep)
	return l.Stored(id)
}

// A chunk that is not understood is made again with other seeds; the best take is chosen, the first one is still there.
func TestVerifyMakesChunksAgain(t *testing.T) {
	var calls atomic.Int64 // of the second chunk
	l := listening(t, func(u engines.Utterance) string {
		if strings.HasPrefix(u.Text, "Low") {
			return []string{"high high high high high high high", "high low high high low high high", u.Text}[calls.Add(1)-1]
		}
		return u.Text
	})
	g := l.Speak(verifiedRequest(l, "Mid mid high mid low low high. Low low mid mid high high low."))
	require.Zero(t, g.Verify.WER)
	require.Equal(t, 1, g.Chunks[0].Takes)
	require.Equal(t, 2, g.Chunks[1].Takes)
	require.Equal(t, 1, g.Chunks[1].Take)
	takes := g.Receipt.Chunks[1].Takes
	require.NotEqual(t, takes[0].Seed, takes[1].Seed)
	require.Greater(t, takes[0].Verify.WER, 0.5)
	require.Zero(t, takes[1].Verify.WER)
	require.EqualValues(t, 3, calls.Load())
	back, err := l.Takes.ChooseTakes(t.Context(), g.ID, map[int]int{1: 0})
	require.NoError(t, err)
	require.Greater(t, back.Verify.WER, 0.2, "the error rate is that of the chosen takes")
	require.Equal(t, takes[0].Verify, back.Chunks[1].Verify)
	again, err := l.Takes.ChooseTakes(t.Context(), g.ID, map[int]int{1: 1})
	require.NoError(t, err)
	require.Zero(t, again.Verify.WER)
}

// Another seed is not tried twice where it changes nothing, and a worse take is not kept.
func TestVerifyEndsWhereSeedsChangeNothing(t *testing.T) {
	var calls atomic.Int64
	l := listening(t, func(engines.Utterance) string { calls.Add(1); return "high" })
	g := l.Speak(verifiedRequest(l, "Low mid low."))
	require.Equal(t, 1.0, g.Verify.WER)
	require.Equal(t, 1, g.Chunks[0].Takes)
	require.EqualValues(t, 2, calls.Load())

	calls.Store(0)
	worse := listening(t, func(engines.Utterance) string {
		return []string{"Low mid high", "high high low low", "high low high low"}[calls.Add(1)-1]
	})
	g = worse.Speak(verifiedRequest(worse, "Low mid low."))
	require.Equal(t, 1, g.Chunks[0].Takes)
	require.InDelta(t, 1./3, g.Verify.WER, 1e-9)
	require.EqualValues(t, 3, calls.Load())
}

// A new take has not been heard: the generation has no error rate until it was.
func TestVerifyForgetsWhatChanged(t *testing.T) {
	l := listening(t, rightly)
	g := l.Speak(l.Request("Low mid high."))
	require.Zero(t, verifyAudio(l, g.ID).Verify.WER)
	g, err := l.Takes.RegenerateChunk(t.Context(), g.ID, 0, nil, true)
	require.NoError(t, err)
	require.Nil(t, g.Verify)
	require.Nil(t, g.Chunks[0].Verify)
	require.Zero(t, verifyAudio(l, g.ID).Verify.WER)

	asked := l.Speak(verifiedRequest(l, "Low mid high."))
	_, err = l.Takes.RegenerateChunk(t.Context(), asked.ID, 0, nil, true)
	require.NoError(t, err)
	require.NotNil(t, unverifying(l, asked.ID).Verify, "heard again, as it was requested")
}

// The audio is there whatever happens to its verification; why it was not heard is stored.
func TestVerifyFailsWithoutTheGeneration(t *testing.T) {
	tests := map[string]func(l *studiotest.Lab, g backend.Generation) backend.Code{
		"no model": func(l *studiotest.Lab, _ backend.Generation) backend.Code {
			l.Models.Hear = nil
			return backend.CodeOffline
		},
		"no audio": func(l *studiotest.Lab, g backend.Generation) backend.Code {
			require.NoError(l.T, os.Remove(g.AudioPath))
			return backend.CodeAudioMissing
		},
		"no sound file": func(l *studiotest.Lab, g backend.Generation) backend.Code {
			require.NoError(l.T, os.WriteFile(g.AudioPath, []byte("RIFF"), 0o600))
			return backend.CodeUnsupportedMedia
		},
		"a model that fails": func(l *studiotest.Lab, _ backend.Generation) backend.Code {
			l.Models.Hear = func(context.Context, []float32) (string, error) {
				return "", backend.E(backend.CodeEngineFailed, "The model failed.", "Try again.")
			}
			return backend.CodeEngineFailed
		},
		"a model that panics": func(l *studiotest.Lab, _ backend.Generation) backend.Code {
			l.Models.Hear = func(context.Context, []float32) (string, error) { panic("on purpose") }
			return backend.CodeInternal
		},
	}
	for name, broken := range tests {
		t.Run(name, func(t *testing.T) {
			l := listening(t, rightly)
			g := l.Speak(l.Request("Low mid high."))
			code := broken(l, g)
			g = verifyAudio(l, g.ID)
			require.Equal(t, backend.StatusComplete, g.Status)
			require.Nil(t, g.Verify)
			require.Equal(t, code, g.VerifyError.Code)
			require.NotEmpty(t, g.VerifyError.Detail)
			require.NotEmpty(t, g.VerifyError.Remedy)
		})
	}
	t.Run("of a request", func(t *testing.T) {
		l := listening(t, rightly)
		l.Models.Hear = nil
		g := l.Speak(verifiedRequest(l, "Low mid high."))
		require.Equal(t, backend.CodeOffline, g.VerifyError.Code)
		l.Models.Hear = hearTones
		require.Nil(t, verifyAudio(l, g.ID).VerifyError, "it was heard now")
	})
}

// The setting holds for requests that do not say otherwise.
func TestVerifyBySetting(t *testing.T) {
	l := listening(t, rightly)
	l.Verify.Always = true
	require.NotNil(t, l.Speak(l.Request("Low mid.")).Verify)
	r := l.Request("Low mid.")
	r.Verify = new(false)
	require.Nil(t, l.Speak(r).Verify)
}

// A verification can be cancelled, while it runs and while it waits, and the end of the program cancels it.
func TestVerifyIsCancelled(t *testing.T) {
	entered := make(chan struct{}, 10)
	l := listening(t, rightly)
	l.Models.Hear = func(ctx context.Context, _ []float32) (string, error) {
		entered <- struct{}{}
		<-ctx.Done()
		return "", backend.ErrCancelled.WithCause(ctx.Err())
	}
	a, b, c := l.Speak(l.Request("Low.")), l.Speak(l.Request("Mid.")), l.Speak(l.Request("High."))
	n, err := l.Generations.Checks.Verify(t.Context(), []string{a.ID, b.ID, c.ID})
	require.NoError(t, err)
	require.Equal(t, 3, n)
	<-entered
	for _, id := range []string{b.ID, a.ID} {
		g, err := l.Generations.Generation(t.Context(), id)
		require.NoError(t, err)
		require.True(t, g.Verifying)
		_, err = l.Generations.Cancel(t.Context(), id)
		require.NoError(t, err)
		g, err = l.Generations.Generation(t.Context(), id)
		require.NoError(t, err)
		require.False(t, g.Verifying)
		require.Nil(t, g.VerifyError)
	}
	<-entered // c, which the end of the test cancels
}

// Chunks of a compressed generation, with a pause by markup between them and at the start, are heard where they are.
func TestVerifyCompressedAudioWithPauses(t *testing.T) {
	l := listening(t, rightly)
	r := verifiedRequest(l, "[pause 2s] Low mid high mid low low high. [pause 3s] High low mid mid high high low. [pause 1s]")
	r.Format = "flac"
	g := l.Speak(r)
	require.Equal(t, ".flac", filepath.Ext(g.AudioPath))
	require.Len(t, g.Chunks, 2)
	require.Zero(t, g.Verify.WER, "%+v", g.Chunks)
}

// What is said between two chunks, and after the last one, is heard.
func TestVerifyHearsTheWholeFile(t *testing.T) {
	l := listening(t, rightly)
	g := l.Speak(generations.Request{ProfileID: l.Profile.ID, Text: "Low low. [pause 3s] Mid mid."})
	require.Len(t, g.Chunks, 2)
	changeAudio(t, g, func(s []float32) []float32 {
		middle := int(24000 * (g.Chunks[0].End + 1))
		copy(s[middle:], tone(3000, 24000))
		return append(s, tone(300, 24000)...)
	})
	g = verifyAudio(l, g.ID)
	require.Contains(t, g.Chunks[0].Verify.Heard, "high")
	require.Equal(t, "mid mid low.", g.Chunks[1].Verify.Heard)
}
