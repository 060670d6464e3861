package text

import (
	"strings"
	"time"
	"unicode"
)

// The limits of a chunk in code points.
const (
	MinChunkChars = 50
	MaxChunkChars = 5000
)

// Piece is one step of speaking: a text to speak, or a pause without text.
type Piece struct {
	Text  string        // without white space around it; empty for a pause
	Pause time.Duration // 0 for a text, else up to 60 s
}

// Plan cuts s into what is spoken, one after another. Texts are whole sentences, as many as fit into maxChars code
// points (brought into MinChunkChars..MaxChunkChars); the first one is a single sentence, so that its sound is there
// early. A longer sentence is cut after clause punctuation, else at white space, else anywhere but within markup, which
// alone may be longer than maxChars.
// Markup `[pause 0.5s]` (also 500ms, or a bare number of seconds; 0 to 60 s) and `<break time="500ms"/>` become pauses.
// Other tags of SSML and simple HTML are left out; those of blocks, such as <p>, end a sentence. Double brackets and
// marks of expression stay for Speak. Anything else in brackets, and markup left open, is text.
// Every text is Speakable: marks that stand alone join the text before them, else the one after them, and are dropped
// where they fit neither. All other characters but white space come out in their order. A text that has nothing to
// speak but marks of expression is one text with these; one without gives its pauses only.
func Plan(s string, maxChars int) []Piece {
	limit := min(max(maxChars, MinChunkChars), MaxChunkChars)
	p := planner{limit: limit}
	var span strings.Builder
	for {
		at, m, ok := nextMarkup(s)
		if !ok {
			span.WriteString(s)
			p.span(span.String())
			return joinMarks(p.pieces, limit)
		}
		span.WriteString(s[:at])
		switch m.kind {
		case pauseMarkup:
			p.span(span.String())
			span.Reset()
			if m.pause > 0 {
				p.pieces = append(p.pieces, Piece{Pause: m.pause})
			}
		case blockMarkup:
			span.WriteString("\n\n")
		case inlineMarkup:
		case tagMarkup, respellMarkup, rawMarkup:
			span.WriteString(s[at : at+m.size])
		}
		s = s[at+m.size:]
	}
}

// planner fills chunks with parts of sentences.
type planner struct {
	limit  int
	pieces []Piece
	spoken bool // a speakable chunk has come

	chunk     strings.Builder
	chars     int // of chunk
	speakable bool
}

// span plans a text without pauses and elements.
func (p *planner) span(s string) {
	for _, sentence := range Sentences(s) {
		for _, part := range cut(sentence, p.limit) {
			p.add(part)
		}
	}
	p.flush()
}

// add puts a part into the chunk when it fits, else into a new one. The first speakable chunk takes no second part that
// can be spoken.
func (p *planner) add(part string) {
	speakable := speaks(part)
	full := p.speakable && speakable && !p.spoken
	if full || p.chars+chars(strings.TrimRightFunc(part, unicode.IsSpace)) > p.limit {
		p.flush()
	}
	if p.chunk.Len() == 0 {
		part = strings.TrimLeftFunc(part, unicode.IsSpace)
	}
	p.chunk.WriteString(part)
	p.chars += chars(part)
	p.speakable = p.speakable || speakable
}

func (p *planner) flush() {
	if text := strings.TrimSpace(p.chunk.String()); text != "" {
		p.pieces = append(p.pieces, Piece{Text: text})
	}
	p.spoken = p.spoken || p.speakable
	p.chunk.Reset()
	p.chars, p.speakable = 0, false
}

// joinMarks gives the texts that cannot be spoken to a neighbour.
func joinMarks(pieces []Piece, limit int) []Piece {
	var all []Piece
	last, waiting := -1, ""
	for _, p := range pieces {
		switch {
		case p.Text == "":
			all = append(all, p)
			continue
		case speaks(p.Text):
			if joined := join(waiting, p.Text); chars(joined) <= limit {
				p.Text = joined
			}
			last, waiting = len(all), ""
			all = append(all, p)
			continue
		case last >= 0 && waiting == "":
			if joined := join(all[last].Text, p.Text); chars(joined) <= limit {
				all[last].Text = joined
				continue
			}
		}
		if joined := join(waiting, p.Text); chars(joined) <= limit {
			waiting = joined
		}
	}
	if last < 0 && Speakable(waiting) {
		all = append(all, Piece{Text: waiting})
	}
	return all
}

func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + " " + b
}
