//go:build unix

package app_test

import (
	"context"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/espeak"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/piper"
)

// repeated records the utterances of an engine, so that they can be repeated without the program around it.
type repeated struct {
	engines.Speaker
	mu       sync.Mutex
	recorded []engines.Utterance
}

func (r *repeated) Info() engines.Info {
	info := r.Speaker.Info()
	info.Engine = "long"
	return info
}

func (r *repeated) Speak(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
	u.Voice, u.Language = "", ""
	r.mu.Lock()
	r.recorded = append(r.recorded, u)
	r.mu.Unlock()
	return r.Speaker.Speak(ctx, u, emit)
}

// again speaks the recorded utterances in parallel, and drops them.
func (r *repeated) again(b *testing.B) {
	b.Helper()
	recorded := make(chan engines.Utterance, len(r.recorded))
	for _, u := range r.recorded {
		recorded <- u
	}
	close(recorded)
	r.recorded = nil
	var work sync.WaitGroup
	for range r.Info().Concurrency {
		work.Go(func() {
			for u := range recorded {
				if err := r.Speaker.Speak(b.Context(), u, func(audio.Buffer) error { return nil }); err != nil {
					b.Error(err)
				}
			}
		})
	}
	work.Wait()
}

// BenchmarkLongText speaks a long text with the Piper voice VOICEWRIGHT_GRAPH, one of real size, through the program and then
// the same sentences with the engine alone, in parallel, after each has done so once. speed is the speed of the program relative to the engine; outside-% is
// the share of the processor time, including espeak-ng, that is not spent in the engine.
func BenchmarkLongText(b *testing.B) {
	graph := os.Getenv("VOICEWRIGHT_GRAPH")
	if graph == "" {
		b.Skip("VOICEWRIGHT_GRAPH names no Piper voice")
	}
	ph := espeak.NewPhonemizer()
	driver := piper.NewDriver(onnx.New(onnx.Options{Path: enginetest.Library(b)}), ph)
	voice := enginetest.OpenFiles(b, driver, enginetest.Find(b, driver, graph), engines.Options{})
	recorder := &repeated{Speaker: voice}
	client, post := benchVoice(b, recorder, strings.Repeat("The old house stood at the end of the lane. "+ //nolint:bodyclose // closed below
		"Nobody had lived in it for years, and when the rain came, water ran down the walls. Who opened the door? ", 12))
	generate := func() {
		resp, err := post(client, "/generate")
		require.NoError(b, err)
		require.Equal(b, http.StatusOK, resp.StatusCode)
		require.NoError(b, resp.Body.Close())
	}
	_, earlier := enginetest.ProcessorTime()
	generate() // else the program would be the first to ask for the memory of the engine
	recorder.again(b)
	var ours, bare, oursTook, bareTook float64
	for b.Loop() {
		ours, oursTook = spent(ours, oursTook, generate)
		bare, bareTook = spent(bare, bareTook, func() { recorder.again(b) })
	}
	require.NoError(b, ph.Close())
	_, phonemes := enginetest.ProcessorTime()
	phonemes = (phonemes - earlier) / 2 * float64(b.N) / float64(b.N+1) // half of the runs are the engine's, and two were before
	b.ReportMetric(100*(ours+phonemes-bare)/(ours+phonemes), "outside-%")
	b.ReportMetric(bareTook/oursTook, "speed")
}

// spent runs work and returns the sums with its processor time and its duration, in seconds.
func spent(processor, elapsed float64, work func()) (float64, float64) {
	began, _ := enginetest.ProcessorTime()
	start := time.Now()
	work()
	ended, _ := enginetest.ProcessorTime()
	return processor + ended - began, elapsed + time.Since(start).Seconds()
}
