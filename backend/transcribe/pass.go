package transcribe

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/printable"
	"github.com/voicewright/voicewright/backend/transcribe/paragraphs"
	"github.com/voicewright/voicewright/engines"
)

// maxPiece is the length of the longest audio that is passed to a model at once. It bounds the memory of long audio; shorter
// audio is one run, whose text depends on all of it.
const maxPiece = 10 * 60 * engines.TranscriberRate

// pass transcribes the audio of a job, piece by piece.
type pass struct {
	s       *Service
	j       *job
	loaded  *engines.LoadedTranscriber
	options backend.TranscribeOptions // the language is set once it was detected
	samples int64                     // of the audio
	nextID  int

	modelSamples int64 // samples that the model heard
	spent        time.Duration
	segments     []backend.Segment
}

func newPass(s *Service, j *job, loaded *engines.LoadedTranscriber, samples int64) *pass {
	p := &pass{s: s, j: j, loaded: loaded, options: j.options, samples: samples, nextID: 1}
	if !j.again {
		s.show(j, func(t *backend.Transcript) {
			t.Segments, t.Text, t.Warnings = []backend.Segment{}, "", []backend.TranscriptWarning{}
		})
	}
	return p
}

// all transcribes everything. Memory is that of one piece.
func (p *pass) all(ctx context.Context) error {
	f, err := os.Open(p.s.folder.audio(p.j))
	if err != nil {
		return backend.FileError("read the stored audio", "the data directory", err)
	}
	defer func() { _ = f.Close() }()
	w, err := audio.NewWAVReader(f)
	if err != nil {
		return fmt.Errorf("read the stored audio: %w", err)
	}
	buffer := make([]float32, min(p.samples, maxPiece))
	var at int64
	for n, end := 0, false; !end; {
		var m int
		if m, end, err = fill(w, buffer[n:]); err != nil {
			return err
		}
		n += m
		end = end || at+int64(n) >= p.samples
		piece := buffer[:n]
		if !end {
			if piece, err = p.untilPause(ctx, piece); err != nil {
				return err
			}
		}
		if err := p.piece(ctx, piece, at); err != nil {
			return err
		}
		at += int64(len(piece))
		n = copy(buffer, buffer[len(piece):n])
	}
	return nil
}

// piece transcribes a piece that begins at a sample of the audio.
func (p *pass) piece(ctx context.Context, samples []float32, at int64) error {
	parts, err := p.parts(ctx, samples)
	if err != nil {
		return err
	}
	for _, part := range parts {
		if err := p.part(ctx, part, at, int64(len(samples))); err != nil {
			return err
		}
	}
	p.progress(at + int64(len(samples)))
	return nil
}

// part passes samples to the model. at is the place of the piece in the audio, and length its length.
func (p *pass) part(ctx context.Context, part excerpt, at, length int64) error {
	begun := p.s.o.Now()
	offset := seconds(at)
	o := engines.TranscribeOptions{
		Language: p.options.Language, Translate: p.options.Translate, Words: p.options.Words, Prompt: p.options.Prompt,
		Progress: func(done float64) {
			p.progress(at + sampleAt(part.place(done*seconds(int64(len(part.samples))))))
		},
		Waiting: func() { p.s.show(p.j, func(t *backend.Transcript) { t.Waiting = true }) },
	}
	language, err := p.loaded.Transcribe(ctx, part.samples, o, func(seg backend.Segment) error {
		seg.Start, seg.End = offset+part.place(seg.Start), offset+part.place(seg.End)
		for i := range seg.Words {
			w := &seg.Words[i]
			w.Start, w.End = offset+part.place(w.Start), offset+part.place(w.End)
		}
		p.add(seg, seconds(at+length))
		return nil
	})
	if err != nil {
		return err
	}
	p.modelSamples += int64(len(part.samples))
	p.spent += p.s.o.Now().Sub(begun)
	if p.options.Language == "" { // detected once, so that it cannot change within a text
		p.options.Language = language
	}
	if !p.j.again {
		p.s.show(p.j, func(t *backend.Transcript) { t.Language = p.options.Language })
	}
	return nil
}

// add adds a segment, with its times in the audio that is transcribed, and shows it. until is the end of the piece.
func (p *pass) add(seg backend.Segment, until float64) {
	seg.Text = printable.WithoutControls(seg.Text)
	if backend.OneLine(seg.Text) == "" {
		return
	}
	shift := p.j.from
	seg.ID, seg.Start, seg.End = p.nextID, shift+min(seg.Start, until), shift+min(seg.End, until)
	if seg.Words == nil {
		seg.Words = []backend.HeardWord{}
	}
	for i := range seg.Words {
		w := &seg.Words[i]
		w.Word = printable.WithoutControls(w.Word)
		w.Start, w.End = shift+min(w.Start, until), shift+min(w.End, until)
	}
	last := len(p.segments) - 1
	seg.Paragraph = last < 0
	p.nextID++
	p.segments = append(p.segments, seg)
	p.s.show(p.j, func(t *backend.Transcript) {
		t.Waiting = false
		if p.j.again {
			return
		}
		t.Segments = p.segments
		t.Text = paragraphs.Text(p.segments)
	})
}

// progress shows how much of the audio is done.
func (p *pass) progress(samples int64) {
	done := float64(samples) / float64(max(p.samples, 1))
	p.s.show(p.j, func(t *backend.Transcript) { t.Progress = max(t.Progress, min(done, 1)) })
}
