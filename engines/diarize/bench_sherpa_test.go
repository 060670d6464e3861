//go:build unix

package diarize

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/build/bench/peer"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx"
)

// BenchmarkSpeakersSherpa finds the three speakers of two minutes with the networks of the true size, and with sherpa-onnx, in turns:
// the same files, samples, windows and threads. speed is the time of sherpa-onnx over ours, cpu-ratio our processor time over its.
func BenchmarkSpeakersSherpa(b *testing.B) {
	e, files := openTrueShape(b)
	threads, callers := onnx.Threads(0, 1)
	theirs := peer.Start(b, enginetest.Root(b), "speakers_sherpa.py", files[RoleSegmentation], files[RoleEmbedding],
		strconv.Itoa(threads*callers))
	sound := newTalk(2 * 60 * Rate)
	samples := make([]float32, sound.Samples())
	require.NoError(b, sound.Read(b.Context(), samples, 0))
	raw, err := binary.Append(nil, binary.LittleEndian, samples)
	require.NoError(b, err)
	path := filepath.Join(b.TempDir(), "talk.raw")
	require.NoError(b, os.WriteFile(path, raw, 0o600))
	seconds := float64(len(samples)) / Rate
	for b.Loop() {
		clock, processor := time.Now(), processorTime()
		_, err := e.Diarize(b.Context(), sound, engines.DiarizeOptions{Count: 3, Pace: engines.Thorough})
		require.NoError(b, err)
		took, used := time.Since(clock).Seconds(), processorTime()-processor
		r := theirs.Do(b, path)
		b.ReportMetric(r.Took.Seconds()/took, "speed")
		b.ReportMetric(used/r.Processor, "cpu-ratio")
		b.ReportMetric(took/seconds, "ours-rtf")
		b.ReportMetric(r.Took.Seconds()/seconds, "theirs-rtf")
	}
	b.ReportMetric(0, "ns/op")
}
