package kitten

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/espeak"
)

// The kit's tolerances (its README).
const (
	floatTolerance = 1e-5
	sumTolerance   = 1e-6 // relative
)

func idsOf(symbols []symbol) []int64 {
	ids := make([]int64, len(symbols))
	for i, s := range symbols {
		ids[i] = s.id
	}
	return ids
}

// requestOf returns the one request for phonemes.
func requestOf(t *testing.T, e *Engine, phonemes string) request {
	t.Helper()
	r := &phonemeText{}
	r.add(phonemes)
	symbols, speakable := e.frontend.symbols(r)
	require.True(t, speakable)
	framed := runs(symbols)
	require.Len(t, framed, 1)
	return request{symbols: framed[0]}
}

func TestCheckVector(t *testing.T) {
	enginetest.Parity(t)
	want := readKit(t).CheckVector
	r := requestOf(t, &Engine{frontend: newFrontend(letters{})}, want.Phonemes)
	require.Equal(t, want.IDs, idsOf(r.symbols))
}

func TestSymbolsAreThoseOfTheModels(t *testing.T) {
	enginetest.Parity(t)
	raw, err := os.ReadFile("testdata/kitten_vocab.json")
	require.NoError(t, err)
	var table map[string]int64
	require.NoError(t, json.Unmarshal(raw, &table))
	got := map[string]int64{}
	for r, id := range symbolIDs() {
		got[string(r)] = id
	}
	require.Equal(t, table, got)
	require.Len(t, got, 175)
}

// TestPhonemesToSamples starts from the phonemes of every chunk, so it does not depend on espeak-ng.
func TestPhonemesToSamples(t *testing.T) {
	enginetest.Parity(t)
	worst, chunks := 0.0, 0
	for _, c := range readKit(t).Cases {
		t.Run(fmt.Sprintf("%d %s %s", c.ID, c.Model, c.Voice), func(t *testing.T) {
			e := open(t, c.dir(t), letters{}, 0)
			voice, err := e.voice(c.Voice)
			require.NoError(t, err)
			var all []float32
			for _, chunk := range c.Chunks {
				r := requestOf(t, e, chunk.Phonemes)
				require.Equal(t, chunk.IDs, idsOf(r.symbols))
				require.Equal(t, chunk.StyleRow, min(characters(chunk.Text), styleRows-1))
				r.style, r.speed = e.styles.row(voice, characters(chunk.Text)), e.config.speed(voice, c.Speed)
				require.InDeltaSlice(t, chunk.StyleHead, r.style[:len(chunk.StyleHead)], 1e-6) // written with seven digits
				require.Equal(t, chunk.SpeedFed, r.speed)
				samples, frames, err := run(t.Context(), e.session, r)
				require.NoError(t, err)
				require.Equal(t, chunk.Durations, frames)
				worst = max(worst, sameWave(t, chunk, samples))
				kept, _, err := e.sound(t.Context(), r)
				require.NoError(t, err)
				sameStats(t, chunk.AfterCut, kept)
				all = append(all, kept...)
				chunks++
			}
			sameStats(t, c.Final, all)
		})
	}
	t.Logf("%d chunks, largest difference of a sample %.2g", chunks, worst)
}

func sameWave(t *testing.T, want kitChunk, samples []float32) (worst float64) {
	t.Helper()
	sameStats(t, want.Waveform, samples)
	mid := samples[len(samples)/2:]
	require.InDeltaSlice(t, want.WaveformMid, mid[:len(want.WaveformMid)], floatTolerance)
	for i, v := range want.WaveformMid {
		worst = max(worst, math.Abs(float64(v-mid[i])))
	}
	if want.Array != "" {
		whole := enginetest.ReadNpy[float32](t, kit(t, want.Array))
		require.InDeltaSlice(t, whole, samples, floatTolerance)
		for i, v := range whole {
			worst = max(worst, math.Abs(float64(v-samples[i])))
		}
	}
	return worst
}

func sameStats(t *testing.T, want enginetest.Stats, samples []float32) {
	t.Helper()
	got := enginetest.StatsOf(samples)
	require.Equal(t, want.Count, got.Count)
	require.InDelta(t, want.Sum, got.Sum, floatTolerance*float64(want.Count))
	require.InEpsilon(t, want.SumAbs, got.SumAbs, sumTolerance)
	require.InEpsilon(t, want.SumSquare, got.SumSquare, sumTolerance)
	require.InDelta(t, want.MaxAbs, got.MaxAbs, floatTolerance)
}

// TestTextToSamples runs every chunk from its text, with the phonemes of the espeak-ng on this machine. The cases hold
// the results of espeak-ng 1.51.
func TestTextToSamples(t *testing.T) {
	enginetest.Parity(t)
	p := espeak.NewPhonemizer()
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	equal, spoken := 0, 0
	for _, c := range readKit(t).Cases {
		t.Run(fmt.Sprintf("%d %s %s", c.ID, c.Model, c.Voice), func(t *testing.T) {
			e := open(t, c.dir(t), p, 0)
			for _, chunk := range c.Chunks {
				r, err := e.frontend.read(t.Context(), chunk.Text)
				require.NoError(t, err)
				symbols, _ := e.frontend.symbols(r)
				want := chunk.with151(t)
				require.Equal(t, want, idsOf(frame(symbols)), "%q is read %q", chunk.Text, r)
				equal++
				if own := chunks(chunk.Text); len(own) != 1 || own[0] != chunk.Text {
					continue // the engine also ends a chunk at a blank line and in a word that is longer than a chunk
				}
				var got []float32
				u := engines.Utterance{Text: chunk.Text, Voice: c.Voice, Speed: c.Speed}
				err = e.SpeakWords(t.Context(), u, func(b audio.Buffer, words []backend.Word) error {
					require.NotEmpty(t, words)
					got = append(got, b.Samples...)
					return nil
				})
				require.NoError(t, err)
				sameStats(t, chunk.AfterCut, got)
				spoken++
			}
		})
	}
	t.Logf("%d chunks with equal ids, %d of them spoken with equal samples", equal, spoken)
}

// TestTones decodes the input of the model from the sound.
func TestTones(t *testing.T) {
	enginetest.Parity(t)
	e := open(t, modelDir(t, "repo_tone"), letters{}, 0)
	for _, voice := range e.Info().Voices {
		for _, speed := range []float64{0.5, 1, 2} {
			sentences := []string{"Hello, tone world?", "And a second [[wˈɜːld]] so on,"}
			var got [][]float32
			u := engines.Utterance{Text: "Hello, tone world? And a second [[wˈɜːld]] so on", Voice: voice.ID, Speed: speed}
			require.NoError(t, e.Speak(t.Context(), u, func(b audio.Buffer) error {
				got = append(got, b.Samples)
				return nil
			}))
			require.Len(t, got, len(sentences))
			for i, sentence := range sentences {
				toneIs(t, e, sentence, voice.ID, speed, got[i])
			}
		}
	}
}

// toneIs checks that the sound of a chunk encodes the ids of the chunk, up to the cut tail.
func toneIs(t *testing.T, e *Engine, chunk, voice string, speed float64, samples []float32) {
	t.Helper()
	r, err := e.frontend.read(t.Context(), chunk)
	require.NoError(t, err)
	symbols, _ := e.frontend.symbols(r)
	want := idsOf(frame(symbols))
	got, err := enginetest.DecodeTones(samples[:len(samples)/frameSize*frameSize], frameSize)
	require.NoError(t, err)
	require.Len(t, got, 1)
	row := e.styles.row(voice, characters(chunk))
	header := []float64{float64(e.config.speed(voice, speed)) / 4}
	for i, at := range []int{0, 1, 128, 255} {
		header = append(header[:i], (float64(row[at])+4)/8, header[i])
	}
	require.InDeltaSlice(t, header, got[0].Header, 1e-4)
	require.Greater(t, len(got[0].IDs), 5)
	for i, id := range got[0].IDs {
		require.EqualValues(t, want[i], id)
	}
	frames := int(math.RoundToEven(2 / float64(e.config.speed(voice, speed))))
	require.Len(t, samples, (5+len(want)*max(frames, 1))*frameSize-tail)
}
