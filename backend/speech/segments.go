package speech

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/text"
	"github.com/voicewright/voicewright/engines"
)

// MarkupBreak is the Break of a chunk with a pause of markup before it.
const MarkupBreak = "pause"

// Segment is one utterance of an engine: a sentence of a line, or the whole line if pauses do not follow the structure of
// the text.
type Segment struct {
	Line      int
	Last      bool // of its line
	first     bool // of the text
	text      string
	seed      int64
	Asked     time.Duration // silence before it by markup
	Own       time.Duration // silence before it by the structure of the text or the engine
	trimStart bool          // its own silence counts as part of the pause before it
	trimEnd   bool          // and of the one after it
	donation  *donation     // what it is copied from; nil for one that is spoken
}

// Sizes returns the sizes of segments for SideBySide: the characters that are spoken.
func Sizes(segments []Segment) []int {
	sizes := make([]int, len(segments))
	for i, seg := range segments {
		sizes[i] = spokenOf(seg)
	}
	return sizes
}

// pauseBefore returns the silence before a text of the plan, in milliseconds, and its origin. Markup overrides the
// structure, even with no pause, and does not depend on the speed. A crossfade replaces the pause between sentences.
func (p *Plan) pauseBefore(piece text.Piece, pause time.Duration, marked bool) (ms int64, from string) {
	var seconds float64
	switch {
	case marked:
		return pause.Milliseconds(), MarkupBreak
	case piece.Break != text.SentenceBreak || p.Crossfade == 0:
		seconds = piece.Break.Pause(*p.Pauses)
	}
	return p.paced(seconds).Milliseconds(), piece.Break.String()
}

// paced returns a pause in seconds at the speed of the job, in whole milliseconds.
func (p *Plan) paced(seconds float64) time.Duration {
	return time.Duration(seconds / p.Speed * float64(time.Second)).Round(time.Millisecond)
}

// Segments divides lines into utterances.
func (p *Plan) Segments(lines []backend.ReceiptChunk, engine engines.Pauses) []Segment {
	var all []Segment
	for i, l := range lines {
		first := len(all)
		for k, sentence := range p.sentences(l.Spoken) {
			seg := Segment{Line: i, text: sentence, seed: l.Seed}
			if k > 0 {
				seg.seed, seg.Own = ChunkSeed(l.Seed, k), p.paced(p.Pauses.Sentence)
				seg.trimStart, all[len(all)-1].trimEnd = true, true
			}
			all = append(all, seg)
		}
		all[len(all)-1].Last = true
		p.separate(all, first, lines, engine)
	}
	if len(all) > 0 {
		all[0].first = true
	}
	if p.Pauses != nil && len(all) > 0 {
		all[len(all)-1].trimEnd = p.LastPause() > 0
	}
	return all
}

// sentences returns the utterances of a line.
func (p *Plan) sentences(spoken string) []string {
	if p.Pauses == nil {
		return []string{spoken}
	}
	return text.Utterances(spoken)
}

// separate sets the silence before all[first], the first segment of its line.
func (p *Plan) separate(all []Segment, first int, lines []backend.ReceiptChunk, engine engines.Pauses) {
	seg := &all[first]
	l, pause := lines[seg.Line], time.Duration(lines[seg.Line].PauseMS)*time.Millisecond
	switch {
	case l.Break == MarkupBreak || p.Pauses == nil && pause > 0:
		seg.Asked = pause
	case l.Break == "" || l.Break == text.SentenceBreak.String() && p.Crossfade > 0:
		if first > 0 && p.Crossfade == 0 {
			seg.Own = pauseAfter(lines[seg.Line-1].Text, engine)
		}
		return
	default:
		seg.Own = pause
	}
	if p.Pauses == nil {
		return
	}
	seg.trimStart = true
	if first > 0 {
		all[first-1].trimEnd = true
	}
}

// pauseAfter returns the silence that an engine puts after a chunk, by its last mark.
func pauseAfter(chunk string, own engines.Pauses) time.Duration {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(chunk, "\"'”’»)]} "))
	switch {
	case strings.ContainsRune(".!?…。！？।", last):
		return own.Sentence
	case strings.ContainsRune(",;:—–，；：、", last):
		return own.Clause
	default:
		return 0
	}
}

// SpeakSegment synthesizes a segment without the silence that counts as part of a pause, by SpeakWhole or speakNow.
func (p *Plan) SpeakSegment(ctx context.Context, sp engines.Speaker, seg Segment, speak speakFunc, emit func(engines.Sound) error) error {
	info := sp.Info()
	t := engines.Trimmer{Start: seg.trimStart, End: seg.trimEnd, Rate: info.SampleRate, Channels: info.Channels, Emit: emit}
	u := engines.Utterance{
		Text: seg.text, Voice: p.Voice.ID, Language: p.Voice.Language, Speed: p.Speed, Seed: seg.seed, Steps: p.steps,
	}
	if err := speak(ctx, sp, u, t.Write); err != nil {
		return err
	}
	return t.Close()
}

// part is a segment with audio.
type part struct {
	line   int
	words  []backend.Word // times from its start
	frames int64
}

// Track joins segments with the silence between them.
type Track struct {
	Joiner     *audio.Joiner
	rate       int
	Parts      []part        // one for each span of the joiner
	asked, own time.Duration // silence before the next segment with audio
}

// NewTrack returns an empty track, whose audio emit receives.
func NewTrack(rate, channels int, crossfade time.Duration, emit func([]float32) error) *Track {
	return &Track{Joiner: audio.NewJoiner(rate, channels, crossfade, emit), rate: rate}
}

// Next returns a function that receives the audio of the next segment. A segment without audio passes its silence on to the
// next one.
func (t *Track) Next(seg Segment) func(engines.Sound) error {
	t.asked, t.own = t.asked+seg.Asked, max(t.own, seg.Own)
	heard := false
	return func(s engines.Sound) error {
		if !heard && len(s.Samples) == 0 {
			return nil
		}
		if !heard {
			heard = true
			if err := t.start(seg.Line); err != nil {
				return err
			}
		}
		p := &t.Parts[len(t.Parts)-1]
		p.words = append(p.words, engines.Shifted(s.Words, audio.Seconds(p.frames, t.rate))...)
		p.frames += int64(s.Frames())
		return t.Joiner.Write(s.Samples)
	}
}

// start begins a part after the silence before it.
func (t *Track) start(line int) error {
	pause := t.asked
	if pause == 0 && len(t.Parts) > 0 {
		pause = t.own
	}
	t.asked, t.own = 0, 0
	if err := t.Joiner.Pause(pause); err != nil {
		return err
	}
	t.Parts = append(t.Parts, part{line: line})
	return t.Joiner.Start()
}

// End appends silence after the last part.
func (t *Track) End(pause time.Duration) error {
	if err := t.Joiner.Pause(t.asked + pause); err != nil {
		return err
	}
	return t.Joiner.Close()
}

// Chunks returns the lines with audio, and their times.
func (t *Track) Chunks(lines []backend.ReceiptChunk) (takes []backend.ReceiptChunk, chunks []backend.Chunk) {
	spans := t.Joiner.Spans()
	for i, p := range t.Parts {
		start, end := audio.Seconds(spans[i].Start, t.rate), audio.Seconds(spans[i].End, t.rate)
		if i == 0 || t.Parts[i-1].line != p.line {
			takes = append(takes, lines[p.line])
			chunks = append(chunks, backend.Chunk{Text: lines[p.line].Text, Start: start, Takes: 1})
		}
		c := &chunks[len(chunks)-1]
		c.End, c.Words = end, append(c.Words, within(engines.Shifted(p.words, start), start, end)...)
	}
	return takes, chunks
}

// Span is the range of a line in the audio, in frames.
type Span struct {
	Line       int
	Start, End int64
	Text       string // of a revision
}

// LastChunk returns the range of the line of the last part, up to what is spoken of it. There must be a part.
func (t *Track) LastChunk() Span {
	first := len(t.Parts) - 1
	line := t.Parts[first].line
	for first > 0 && t.Parts[first-1].line == line {
		first--
	}
	return Span{Line: line, Start: t.Joiner.Spans()[first].Start, End: t.Joiner.Frames()}
}

// within limits the times of words to a span, since a word may begin or end in trimmed silence.
func within(words []backend.Word, start, end float64) []backend.Word {
	for i := range words {
		words[i].Start = min(max(words[i].Start, start), end)
		words[i].End = min(max(words[i].End, start), end)
	}
	return words
}
