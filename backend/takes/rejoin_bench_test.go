package takes

import (
	"bufio"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/speech"
)

// BenchmarkRejoin joins the file of a generation of two hours after one of its 720 passages changed, and measures its loudness.
func BenchmarkRejoin(b *testing.B) {
	const rate, passages, long = 24000, 720, 10 // seconds
	dir := b.TempDir()
	g := backend.Generation{ID: "g", SampleRate: rate, Channels: 1, Format: backend.FormatWAV, Duration: passages * long}
	g.Request.Pauses = &backend.Pauses{Sentence: 0.35}
	g.Receipt = &backend.Receipt{Level: &backend.ReceiptLevel{LUFS: new(-16.0)}}
	rev := &revision{from: make([]int, passages)}
	all := make([]passage, passages)
	for n := range all {
		start := float64(n * long)
		g.Chunks = append(g.Chunks, backend.Chunk{Start: start, End: start + long - 0.35, Takes: 1})
		line := backend.ReceiptChunk{PauseMS: 350, Break: "sentence"}
		g.Receipt.Chunks = append(g.Receipt.Chunks, line)
		rev.from[n] = n
		all[n] = passage{from: n, line: line, gap: rate * 35 / 100}
	}
	all[0].gap = 0
	source := tones(b, filepath.Join(dir, "old.wav"), rate, passages*long)
	all[300].from, all[300].source, all[300].end = -1, source, rate*long
	synth := speech.NewSynthesizer(speech.SynthesizerOptions{Dir: dir, Log: slog.New(slog.DiscardHandler)})
	s := New(nil, synth, &Files{Synth: synth}, Options{})
	b.ReportAllocs()
	for b.Loop() {
		t := &timeline{g: g, plan: &speech.Plan{Pauses: g.Request.Pauses}, live: speech.NewLive(), source: source}
		t.Begin()
		if err := t.fill(b.Context(), all); err != nil {
			b.Fatal(err)
		}
		next := g
		next.Duration, next.Format, next.AudioPath = audio.Seconds(t.Length(), rate), backend.FormatWAV, filepath.Join(dir, "new.wav")
		if err := t.measure(b.Context(), &next); err != nil {
			b.Fatal(err)
		}
		if _, err := s.writeJoined(b.Context(), next, takesFolder{}, t); err != nil {
			b.Fatal(err)
		}
	}
}

// tones writes a file of n seconds.
func tones(b *testing.B, path string, rate, n int) *audio.PCMFile {
	b.Helper()
	second := make([]float32, rate)
	for i := range second {
		second[i] = float32(0.2 * math.Sin(float64(i)/20))
	}
	pcm := audio.PCM16(nil, second)
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	out := bufio.NewWriter(f)
	_, err = out.Write(audio.WAVHeader(rate, 1, uint32(n*len(pcm))))
	for range n {
		if err == nil {
			_, err = out.Write(pcm)
		}
	}
	if err == nil {
		err = out.Flush()
	}
	if err == nil {
		err = f.Close()
	}
	source, openErr := audio.OpenPCM16(path)
	if err != nil || openErr != nil {
		b.Fatal(err, openErr)
	}
	b.Cleanup(func() { _ = source.Close() })
	return source
}
