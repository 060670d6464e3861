//go:build unix

package app_test

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/build/bench/peer"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/espeak"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/piper"
)

// letter is ten sentences of 3 to 30 words.
const letter = `Dear friend, the boat that we built last summer is still in the shed behind the mill. It leaks a little. When the water rose in
March, we carried it up the hill on our shoulders, and the whole village came out to watch and to give advice. Nobody laughed. My
brother says that new boards will cost more than the boat did, but he also says that about his own roof, which has let in the rain for
years. Will you come in June? The garden has never been so green, the bees are back, and on clear evenings we can see the lights of
the ferry all the way to the island. Bring warm clothes, good shoes, and that book about stars. The train now stops twice a day, in the
morning at nine and in the evening a little after six. We will meet you there with the old car, if it starts, or else with two
bicycles and a basket for your bags. `

// BenchmarkPiperTTS speaks a long text with the voice VOICEWRIGHT_GRAPH through the program and with piper-tts, in turns: the same
// graph, runtime and phonemes, into a WAV file. speed is the time of piper-tts over that of the program, cpu-ratio the program's
// processor time over that of piper-tts, each -rtf time over the seconds of sound that piper-tts made, and sound the length of the
// program's sound over that, which has pauses between the sentences.
func BenchmarkPiperTTS(b *testing.B) {
	graph := os.Getenv("VOICEWRIGHT_GRAPH")
	if graph == "" {
		b.Skip("VOICEWRIGHT_GRAPH names no Piper voice")
	}
	theirs := peer.Start(b, enginetest.Root(b), "speak_piper.py", graph)
	ph := espeak.NewPhonemizer()
	driver := piper.NewDriver(onnx.New(onnx.Options{Path: enginetest.Library(b)}), ph)
	voice := enginetest.OpenFiles(b, driver, enginetest.Find(b, driver, graph), engines.Options{})
	text := strings.Repeat(strings.ReplaceAll(letter, "\n", " "), 3)
	client, post := benchVoice(b, &repeated{Speaker: voice}, text) //nolint:bodyclose // closed below
	speak := func() float64 {
		resp, err := post(client, "/generate")
		require.NoError(b, err)
		require.Equal(b, http.StatusOK, resp.StatusCode)
		var made struct{ Duration float64 }
		require.NoError(b, json.NewDecoder(resp.Body).Decode(&made))
		require.NoError(b, resp.Body.Close())
		return made.Duration
	}
	speak()
	theirs.Do(b, letter)
	for b.Loop() {
		own, others := enginetest.ProcessorTime()
		start := time.Now()
		seconds := speak()
		took := time.Since(start).Seconds()
		ownAfter, othersAfter := enginetest.ProcessorTime()
		processor := ownAfter - own + othersAfter - others
		r := theirs.Do(b, text)
		b.ReportMetric(r.Took.Seconds()/took, "speed")
		b.ReportMetric(processor/r.Processor, "cpu-ratio")
		b.ReportMetric(took/r.Amount, "ours-rtf")
		b.ReportMetric(r.Took.Seconds()/r.Amount, "theirs-rtf")
		b.ReportMetric(processor/r.Amount, "ours-cpu-rtf")
		b.ReportMetric(r.Processor/r.Amount, "theirs-cpu-rtf")
		b.ReportMetric(seconds/r.Amount, "sound")
	}
	b.ReportMetric(0, "ns/op")
	require.NoError(b, ph.Close())
}
