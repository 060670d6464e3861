package pockettest_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/pocket"
	"github.com/voicewright/voicewright/engines/pocket/pockettest"
)

// TestTheModelSpeaksWithThePitchOfTheSample loads the model with the engine and speaks with samples of three pitches.
func TestTheModelSpeaksWithThePitchOfTheSample(t *testing.T) {
	folder, size := t.TempDir(), 0
	require.NoError(t, pockettest.Write(folder, "english"))
	for _, content := range pockettest.Files("english") {
		size += len(content)
	}
	require.Less(t, size, 30_000)
	driver := pocket.NewDriver(onnx.New(onnx.Options{Path: enginetest.Library(t)}))
	files, ok, err := driver.Find(folder)
	require.NoError(t, err)
	require.True(t, ok)
	about, err := driver.Describe(files)
	require.NoError(t, err)
	require.True(t, about.Clones)
	require.Equal(t, []string{"en"}, about.Languages)
	model, err := driver.Open(t.Context(), files, engines.Options{Threads: 1})
	require.NoError(t, err)
	defer func() { require.NoError(t, model.Close()) }()
	const text = "Hello there, this is a test."
	for _, hz := range []float64{150, 220, 400} {
		sample := tone(hz, 24000)
		require.InDelta(t, hz, pockettest.Pitch(sample), 1)
		var got []float32
		err := model.(engines.Speaker).Speak(t.Context(), engines.Utterance{Text: text, Speed: 1, Seed: 7, Reference: &engines.Reference{
			Key: string(rune(int(hz))), Audio: func(context.Context) (audio.Buffer, error) {
				return audio.Buffer{Samples: sample, Rate: pockettest.Rate, Channels: 1}, nil
			},
		}}, func(b audio.Buffer) error {
			got = append(got, b.Samples...)
			return nil
		})
		require.NoError(t, err)
		require.InDelta(t, hz, pockettest.Pitch(got), 1, "the tone has the pitch of the sample")
		tokens := float64(len(text) + 1) // one each, and one for the space before the text
		require.Len(t, got, pockettest.Frame*(int(tokens*pockettest.FramesPerToken)+pockettest.AfterEnd))
		for i := 1; i < len(got); i++ {
			require.LessOrEqual(t, math.Abs(float64(got[i]-got[i-1])), 0.3*2*math.Pi*hz/pockettest.Rate+1e-3, "no click at %d", i)
		}
	}
}

func tone(hz float64, n int) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(0.5 * math.Sin(2*math.Pi*hz*float64(i)/pockettest.Rate+0.1))
	}
	return out
}
