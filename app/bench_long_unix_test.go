//go:build unix

package app_test

import (
	"context"
	"net/http"
	"os"
	"strings"
	"sync"
	"syscall"
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

// repeated keeps what an engine was asked to speak, so that it can be asked again without the program around it.
type repeated struct {
	engines.Speaker
	mu    sync.Mutex
	asked []engines.Utterance
}

func (r *repeated) Info() engines.Info {
	info := r.Speaker.Info()
	info.Engine = "long"
	return info
}

func (r *repeated) Speak(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
	u.Voice, u.Language = "", ""
	r.mu.Lock()
	r.asked = append(r.asked, u)
	r.mu.Unlock()
	return r.Speaker.Speak(ctx, u, emit)
}

// again speaks the same side by side, and forgets it.
func (r *repeated) again(b *testing.B) {
	b.Helper()
	asked := make(chan engines.Utterance, len(r.asked))
	for _, u := range r.asked {
		asked <- u
	}
	close(asked)
	r.asked = nil
	var work sync.WaitGroup
	for range r.Info().Concurrency {
		work.Go(func() {
			for u := range asked {
				if err := r.Speaker.Speak(b.Context(), u, func(audio.Buffer) error { return nil }); err != nil {
					b.Error(err)
				}
			}
		})
	}
	work.Wait()
}

// BenchmarkLongText speaks a long text with the Piper voice VOICEWRIGHT_GRAPH, one of true size, through the program and then
// the same sentences by the bare engine, side by side. speed is that of the program over that of the bare engine; outside-% is
// the share of the processor time, that of espeak-ng counted in, which is not the engine's runs.
func BenchmarkLongText(b *testing.B) {
	graph := os.Getenv("VOICEWRIGHT_GRAPH")
	if graph == "" {
		b.Skip("VOICEWRIGHT_GRAPH names no Piper voice")
	}
	ph := espeak.NewPhonemizer()
	driver := piper.NewDriver(onnx.New(onnx.Options{Path: enginetest.Library(b)}), ph)
	files, ok, err := driver.Find(graph)
	require.NoError(b, err)
	require.True(b, ok)
	voice, err := driver.Open(b.Context(), files, engines.Options{})
	require.NoError(b, err)
	long := &repeated{Speaker: voice}
	client, post := benchVoice(b, long, strings.Repeat("The old house stood at the end of the lane. "+ //nolint:bodyclose // closed below
		"Nobody had lived in it for years, and when the rain came, water ran down the walls. Who opened the door? ", 12))
	long.again(b)
	var ours, bare, oursTook, bareTook float64
	for b.Loop() {
		ours, oursTook = spent(ours, oursTook, func() {
			resp, err := post(client, "/generate")
			require.NoError(b, err)
			require.Equal(b, http.StatusOK, resp.StatusCode)
			require.NoError(b, resp.Body.Close())
		})
		bare, bareTook = spent(bare, bareTook, func() { long.again(b) })
	}
	require.NoError(b, ph.Close())
	phonemes := processorTime(syscall.RUSAGE_CHILDREN) / 2 // of both
	b.ReportMetric(100*(ours+phonemes-bare)/(ours+phonemes), "outside-%")
	b.ReportMetric(bareTook/oursTook, "speed")
}

// spent adds the processor time and the time of work, in seconds.
func spent(processor, elapsed float64, work func()) (float64, float64) {
	began, start := processorTime(syscall.RUSAGE_SELF), time.Now()
	work()
	return processor + processorTime(syscall.RUSAGE_SELF) - began, elapsed + time.Since(start).Seconds()
}

// processorTime is what this process, or those that it waited for, has used so far, in seconds.
func processorTime(who int) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(who, &u); err != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
