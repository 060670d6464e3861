//go:build whisper

package proof_test

import (
	"context"
	"log/slog"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/proof"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/whisper"
	"github.com/voicewright/voicewright/engines/whisper/whispertest"
)

// slot is how long a tone is that the model "tones" names, in seconds.
const slot = 5

// slotTone returns five seconds of the tone that a word names.
func slotTone(word string) []float32 {
	out := make([]float32, slot*24000)
	for i := range out {
		out[i] = float32(0.5 * math.Sin(2*math.Pi*tones[word]*float64(i)/24000))
	}
	return out
}

// singSlots returns the tones of a sentence such as "First low then mid."
func singSlots(text string) []float32 {
	var out []float32
	for _, word := range strings.Fields(strings.Trim(text, ".")) {
		if tones[word] > 0 {
			out = append(out, slotTone(word)...)
		}
	}
	return out
}

// whisperLab is a lab that hears with whisper.cpp and the model "tones", and speaks what say returns.
func whisperLab(t *testing.T, say func(u engines.Utterance) string) *studiotest.Lab {
	t.Helper()
	driver := whisper.NewDriver(slog.New(slog.DiscardHandler))
	loaded, err := driver.Open(t.Context(), engines.Files{whisper.RoleModel: whispertest.Path(t, "tones")}, engines.Options{Threads: 1})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, loaded.Close()) })
	model, ok := loaded.(engines.Transcriber)
	require.True(t, ok)
	singer := studiotest.Engine{Fixture: enginetest.NewFixture(enginetest.FixtureOptions{}), SpeakFunc: func(_ context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
		return emit(studiotest.Sound(singSlots(say(u))))
	}}
	return studiotest.New(t, singer, func(l *studiotest.Lab) {
		l.Verify = proof.Settings{Model: func(string) (string, bool) { return "tones", false }, Limit: 0.15}
		l.Models.Hear = func(ctx context.Context, samples []float32) (string, error) {
			var heard []string
			_, err := model.Transcribe(ctx, samples, engines.TranscribeOptions{Language: "en"}, func(s backend.Segment) error {
				heard = append(heard, s.Text)
				return nil
			})
			return strings.Join(heard, ""), err
		}
	})
}

// A generation of two chunks is understood as it is, at the level that all speech gets; each wrong one is found.
func TestWhisperHearsTones(t *testing.T) {
	l := whisperLab(t, rightly)
	r := l.Request("First low then mid.\n\nFirst high then low.")
	r.MaxChunkChars = new(50)
	r.Verify = new(true)
	g := l.Speak(r)
	require.Len(t, g.Chunks, 2)
	require.Zero(t, g.Verify.WER, "%+v %+v", g.Chunks[0].Verify, g.Chunks[1].Verify)
	word := func(s []float32, chunk, n int) []float32 {
		from := int(g.Chunks[chunk].Start*24000) + n*slot*24000
		return s[from : from+slot*24000]
	}
	tests := []struct {
		name   string
		change func(s []float32) []float32
		chunk  int
		over   float64
	}{
		{"swapped", func(s []float32) []float32 {
			a := slices.Clone(word(s, 0, 0))
			copy(word(s, 0, 0), word(s, 0, 1))
			copy(word(s, 0, 1), a)
			return s
		}, 0, 0.15},
		{"chunks swapped", func(s []float32) []float32 {
			middle := int(g.Chunks[1].Start * 24000)
			return slices.Concat(s[middle:], s[:middle])
		}, 1, 0.15},
		{"cut", func(s []float32) []float32 { return s[:len(s)-7*24000] }, 1, 0.15},
		{"half missing", func(s []float32) []float32 { return s[:len(s)/2] }, 1, 0.9},
		{"doubled", func(s []float32) []float32 { return slices.Concat(s, s) }, 1, 0.9},
		{"silent", func(s []float32) []float32 { return make([]float32, len(s)) }, 0, 0.99},
		{"one word silent", func(s []float32) []float32 { clear(word(s, 1, 0)); return s }, 1, 0.15},
	}
	original := studiotest.ReadWAV(t, g.AudioPath).Samples
	for _, test := range tests {
		changeAudio(t, g, func([]float32) []float32 { return test.change(slices.Clone(original)) })
		wrong := verifyAudio(l, g.ID)
		t.Logf("%s: WER %.2f; chunks %.2f %q, %.2f %q", test.name, wrong.Verify.WER,
			wrong.Chunks[0].Verify.WER, wrong.Chunks[0].Verify.Heard, wrong.Chunks[1].Verify.WER, wrong.Chunks[1].Verify.Heard)
		require.Greater(t, wrong.Chunks[test.chunk].Verify.WER, test.over, test.name)
		require.Greater(t, wrong.Verify.WER, 0.1, test.name)
	}
	changeAudio(t, g, func([]float32) []float32 { return original })
	require.Zero(t, verifyAudio(l, g.ID).Verify.WER)
}

// A take that whisper.cpp does not understand is made again with another seed.
func TestWhisperAsksForAnotherTake(t *testing.T) {
	var calls atomic.Int64
	l := whisperLab(t, func(u engines.Utterance) string {
		if calls.Add(1) == 1 {
			return "First mid then high."
		}
		return u.Text
	})
	r := l.Request("First low then mid.")
	r.Verify = new(true)
	g := l.Speak(r)
	require.Zero(t, g.Verify.WER)
	require.Equal(t, 2, g.Chunks[0].Takes)
	require.InDelta(t, 0.5, g.Receipt.Chunks[0].Takes[0].Verify.WER, 1e-9)
}
