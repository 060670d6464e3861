//go:build unix

package vad_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/build/bench/peer"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/vad"
)

// BenchmarkVADSherpa finds the speech of a clip that is repeated for five minutes, and with sherpa-onnx, in turns: the same network,
// one thread. cpu-ratio is our processor time over its, found the seconds of speech that we found over those that it found.
func BenchmarkVADSherpa(b *testing.B) {
	theirs := peer.Start(b, enginetest.Root(b), "vad_sherpa.py", filepath.Join(enginetest.Root(b), "engines/vad/data/silero_vad.onnx"))
	clip := enginetest.Clip(b, "jfk.wav").Samples
	samples := slices.Repeat(clip, 5*60*vad.Rate/len(clip))
	raw, err := binary.Append(nil, binary.LittleEndian, samples)
	require.NoError(b, err)
	path := filepath.Join(b.TempDir(), "speech.raw")
	require.NoError(b, os.WriteFile(path, raw, 0o600))
	d := newDetector(b)
	_, err = d.Speech(b.Context(), samples[:vad.Rate]) // loads the network
	require.NoError(b, err)
	for b.Loop() {
		before, _ := enginetest.ProcessorTime()
		spans, err := d.Speech(b.Context(), samples)
		require.NoError(b, err)
		after, _ := enginetest.ProcessorTime()
		found := 0
		for _, s := range spans {
			found += s.End - s.Start
		}
		r := theirs.Do(b, path)
		seconds := float64(len(samples)) / vad.Rate
		b.ReportMetric((after-before)/r.Processor, "cpu-ratio")
		b.ReportMetric(seconds/(after-before), "ours-x-real-time")
		b.ReportMetric(seconds/r.Processor, "theirs-x-real-time")
		b.ReportMetric(float64(found)/vad.Rate/r.Amount, "found")
	}
	b.ReportMetric(0, "ns/op")
}
