package proof

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/speech"
	"github.com/voicewright/voicewright/backend/text"
	"github.com/voicewright/voicewright/backend/wer"
	"github.com/voicewright/voicewright/engines"
)

// Soft speech is amplified towards this peak, to which transcription models are used, by at most 12 dB.
const (
	heardPeak    = 0.7
	heardMaxGain = 4
)

// listen transcribes each chunk of a generation and compares it with its text. Everything in the file is heard: what is
// between two chunks belongs to the first, what is before the first one and after the last one to those.
// Errors: audio_missing, unsupported_media, runtime_missing, those of the model.
func (s *Service) listen(
	ctx context.Context, loaded *engines.LoadedTranscriber, g backend.Generation,
) ([]backend.ChunkVerification, error) {
	if _, err := os.Stat(g.AudioPath); errors.Is(err, fs.ErrNotExist) {
		return nil, speech.AudioGone(g.ID, err)
	}
	out := make([]backend.ChunkVerification, len(g.Chunks))
	l := listener{g: g, hear: func(n int, samples []float32) (err error) {
		out[n], err = s.hear(ctx, loaded, g.Language, g.Receipt.Chunks[n], samples)
		return err
	}}
	err := s.o.Encoder.StreamMono(ctx, g.AudioPath, engines.TranscriberRate, l.write)
	if err == nil {
		err = l.end()
	}
	return out, err
}

// ringing is how far a sound reaches beyond its ends after resampling and compression, in samples.
const ringing = engines.TranscriberRate / 50

// listener cuts the audio of a generation into chunks as it is read.
type listener struct {
	g      backend.Generation
	hear   func(n int, samples []float32) error
	buffer []float32
	base   int64 // the index of the first sample in buffer
	next   int   // the chunk to hear next
}

func at(seconds float64) int64 { return audio.Frames(seconds, engines.TranscriberRate) }

// write adds samples, and hears the chunks that are complete.
func (l *listener) write(samples []float32) error {
	l.buffer = append(l.buffer, samples...)
	for l.next+1 < len(l.g.Chunks) {
		until := at(max(l.g.Chunks[l.next].End, l.g.Chunks[l.next+1].Start))
		if l.base+int64(len(l.buffer)) < until {
			return nil
		}
		if err := l.chunk(until); err != nil {
			return err
		}
	}
	return nil
}

// end hears the remaining chunks; those that begin after the end of the audio have no samples.
func (l *listener) end() error {
	for l.next < len(l.g.Chunks) {
		until := l.base + int64(len(l.buffer))
		if l.next+1 < len(l.g.Chunks) {
			until = min(until, at(max(l.g.Chunks[l.next].End, l.g.Chunks[l.next+1].Start)))
		}
		if err := l.chunk(until); err != nil {
			return err
		}
	}
	return nil
}

// chunk hears the next chunk, whose audio ends at until, and forgets the samples before the one after it. Silence around
// the chunk is left out, as models hear words in it.
func (l *listener) chunk(until int64) error {
	c := l.g.Chunks[l.next]
	start, end := at(c.Start), min(at(c.End), until)
	first := start
	if l.next == 0 {
		first = 0
	}
	sample := func(i int64) float32 { return l.buffer[i-l.base] }
	from, to := max(first, l.base), until
	if l.next+1 < len(l.g.Chunks) {
		to = max(to-ringing, min(end, to)) // the next chunk is heard before it begins
	}
	for from < min(start, until) && inaudible(sample(from)) {
		from++
	}
	for to > max(end, from) && inaudible(sample(to-1)) {
		to--
	}
	if start-from < ringing {
		from = max(from, min(start, until))
	}
	if to-end < ringing {
		to = min(to, end)
	}
	var samples []float32
	if from < to {
		samples = l.buffer[from-l.base : to-l.base]
	}
	if err := l.hear(l.next, samples); err != nil {
		return err
	}
	l.next++
	if l.next < len(l.g.Chunks) {
		kept := min(max(at(l.g.Chunks[l.next].Start), l.base), l.base+int64(len(l.buffer)))
		l.buffer = append(l.buffer[:0], l.buffer[kept-l.base:]...)
		l.base = kept
	}
	return nil
}

func inaudible(sample float32) bool { return -engines.Quiet <= sample && sample <= engines.Quiet }

// hear transcribes mono samples at engines.TranscriberRate and compares them with a chunk: with its spoken text, or with the
// written one where that is nearer. Silence has no words, whatever a model hears in it.
func (s *Service) hear(
	ctx context.Context, loaded *engines.LoadedTranscriber, language string, c backend.ReceiptChunk, samples []float32,
) (backend.ChunkVerification, error) {
	var words []string
	if peak := peakOf(samples); peak > engines.Quiet {
		_, err := loaded.Transcribe(ctx, amplified(samples, peak), engines.TranscribeOptions{Language: language},
			func(segment backend.Segment) error {
				words = append(words, strings.Fields(segment.Text)...)
				return nil
			})
		if err != nil {
			return backend.ChunkVerification{}, err
		}
	}
	out := backend.ChunkVerification{Heard: strings.Join(words, " ")}
	r := wer.Best(language, out.Heard, c.Spoken, text.Plain(c.Text))
	out.WER, out.Words, out.Dropped, out.Repeated = r.WER, r.Words, wer.List(r.Dropped), wer.List(r.Repeated)
	return out, nil
}

func peakOf(samples []float32) float32 {
	var peak float32
	for _, v := range samples {
		peak = max(peak, v, -v)
	}
	return peak
}

// amplified returns samples with a peak of heardPeak, or with the largest gain.
func amplified(samples []float32, peak float32) []float32 {
	gain := min(max(heardPeak/peak, 1), heardMaxGain)
	out := make([]float32, len(samples))
	for i, v := range samples {
		out[i] = v * gain
	}
	return out
}
