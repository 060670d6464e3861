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

// markupBreak is the Break of a chunk with a pause of markup before it.
const markupBreak = "pause"

// segment is one utterance of an engine: a sentence of a line, or the whole line if pauses do not follow the structure of
// the text.
type segment struct {
	line      int
	last      bool // of its line
	first     bool // of the text
	text      string
	seed      int64
	asked     time.Duration // silence before it by markup
	own       time.Duration // silence before it by the structure of the text or the engine
	trimStart bool          // its own silence counts as part of the pause before it
	trimEnd   bool          // and of the one after it
}

// pauseBefore returns the silence before a text of the plan, in milliseconds, and its origin. Markup overrides the
// structure, even with no pause, and does not depend on the speed. A crossfade replaces the pause between sentences.
func (p *Plan) pauseBefore(piece text.Piece, asked time.Duration, marked bool) (ms int64, from string) {
	var seconds float64
	switch {
	case marked:
		return asked.Milliseconds(), markupBreak
	case piece.Break != text.SentenceBreak || p.crossfade == 0:
		seconds = piece.Break.Pause(*p.pauses)
	}
	return p.paced(seconds).Milliseconds(), piece.Break.String()
}

// paced returns a pause in seconds at the speed of the job, in whole milliseconds.
func (p *Plan) paced(seconds float64) time.Duration {
	return time.Duration(seconds / p.speed * float64(time.Second)).Round(time.Millisecond)
}

// segments divides lines into utterances.
func (p *Plan) segments(lines []backend.ReceiptChunk, engine engines.Pauses) []segment {
	var all []segment
	for i, l := range lines {
		first := len(all)
		for k, sentence := range p.sentences(l.Spoken) {
			seg := segment{line: i, text: sentence, seed: l.Seed}
			if k > 0 {
				seg.seed, seg.own = chunkSeed(l.Seed, k), p.paced(p.pauses.Sentence)
				seg.trimStart, all[len(all)-1].trimEnd = true, true
			}
			all = append(all, seg)
		}
		all[len(all)-1].last = true
		p.separate(all, first, lines, engine)
	}
	if len(all) > 0 {
		all[0].first = true
	}
	if p.pauses != nil && len(all) > 0 {
		all[len(all)-1].trimEnd = p.lastPause() > 0
	}
	return all
}

// sentences returns the utterances of a line.
func (p *Plan) sentences(spoken string) []string {
	if p.pauses == nil {
		return []string{spoken}
	}
	return text.Utterances(spoken)
}

// separate sets the silence before all[first], the first segment of its line.
func (p *Plan) separate(all []segment, first int, lines []backend.ReceiptChunk, engine engines.Pauses) {
	seg := &all[first]
	l, pause := lines[seg.line], time.Duration(lines[seg.line].PauseMS)*time.Millisecond
	switch {
	case l.Break == markupBreak || p.pauses == nil && pause > 0:
		seg.asked = pause
	case l.Break == "" || l.Break == text.SentenceBreak.String() && p.crossfade > 0:
		if first > 0 && p.crossfade == 0 {
			seg.own = pauseAfter(lines[seg.line-1].Text, engine)
		}
		return
	default:
		seg.own = pause
	}
	if p.pauses == nil {
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

// speakSegment synthesizes a segment without the silence that counts as part of a pause, by speakWhole or speakNow.
func (p *Plan) speakSegment(ctx context.Context, sp engines.Speaker, seg segment, speak speakFunc, emit func(engines.Sound) error) error {
	info := sp.Info()
	t := engines.Trimmer{Start: seg.trimStart, End: seg.trimEnd, Rate: info.SampleRate, Channels: info.Channels, Emit: emit}
	u := engines.Utterance{
		Text: seg.text, Voice: p.voice.id, Language: p.voice.language, Speed: p.speed, Seed: seg.seed, Steps: p.steps,
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

// track joins segments with the silence between them.
type track struct {
	joiner     *audio.Joiner
	rate       int
	parts      []part        // one for each span of the joiner
	asked, own time.Duration // silence before the next segment with audio
}

func newTrack(rate, channels int, crossfade time.Duration, emit func([]float32) error) *track {
	return &track{joiner: audio.NewJoiner(rate, channels, crossfade, emit), rate: rate}
}

// next returns a function that receives the audio of the next segment. A segment without audio passes its silence on to the
// next one.
func (t *track) next(seg segment) func(engines.Sound) error {
	t.asked, t.own = t.asked+seg.asked, max(t.own, seg.own)
	heard := false
	return func(s engines.Sound) error {
		if !heard && len(s.Samples) == 0 {
			return nil
		}
		if !heard {
			heard = true
			if err := t.start(seg.line); err != nil {
				return err
			}
		}
		p := &t.parts[len(t.parts)-1]
		p.words = append(p.words, engines.Shifted(s.Words, audio.Seconds(p.frames, t.rate))...)
		p.frames += int64(s.Frames())
		return t.joiner.Write(s.Samples)
	}
}

// start begins a part after the silence before it.
func (t *track) start(line int) error {
	pause := t.asked
	if pause == 0 && len(t.parts) > 0 {
		pause = t.own
	}
	t.asked, t.own = 0, 0
	if err := t.joiner.Pause(pause); err != nil {
		return err
	}
	t.parts = append(t.parts, part{line: line})
	return t.joiner.Start()
}

// end appends silence after the last part.
func (t *track) end(pause time.Duration) error {
	if err := t.joiner.Pause(t.asked + pause); err != nil {
		return err
	}
	return t.joiner.Close()
}

// chunks returns the lines with audio, and their times.
func (t *track) chunks(lines []backend.ReceiptChunk) (takes []backend.ReceiptChunk, chunks []backend.Chunk) {
	spans := t.joiner.Spans()
	for i, p := range t.parts {
		start, end := audio.Seconds(spans[i].Start, t.rate), audio.Seconds(spans[i].End, t.rate)
		if i == 0 || t.parts[i-1].line != p.line {
			takes = append(takes, lines[p.line])
			chunks = append(chunks, backend.Chunk{Text: lines[p.line].Text, Start: start, Takes: 1})
		}
		c := &chunks[len(chunks)-1]
		c.End, c.Words = end, append(c.Words, within(engines.Shifted(p.words, start), start, end)...)
	}
	return takes, chunks
}

// lineSpan is the range of a line in the audio, in frames.
type lineSpan struct {
	line       int
	start, end int64
	text       string // of a revision
}

// lastChunk returns the range of the line of the last part, up to what is spoken of it. There must be a part.
func (t *track) lastChunk() lineSpan {
	first := len(t.parts) - 1
	line := t.parts[first].line
	for first > 0 && t.parts[first-1].line == line {
		first--
	}
	return lineSpan{line: line, start: t.joiner.Spans()[first].Start, end: t.joiner.Frames()}
}

// within limits the times of words to a span, since a word may begin or end in trimmed silence.
func within(words []backend.Word, start, end float64) []backend.Word {
	for i := range words {
		words[i].Start = min(max(words[i].Start, start), end)
		words[i].End = min(max(words[i].End, start), end)
	}
	return words
}
