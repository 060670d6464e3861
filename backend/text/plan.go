package text

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/voicewright/voicewright/backend/hyphen"
	"github.com/voicewright/voicewright/backend/text/internal/markup"
	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// The limits of a chunk in code points.
const (
	MinChunkChars = 50
	MaxChunkChars = 5000
)

// Piece is one step of speaking: a text to speak, or a pause without text.
type Piece struct {
	Text  string        // without white space around it; empty for a pause
	Pause time.Duration // of a pause, 0 to 60 s; 0 replaces the pause of the structure as well
	Break Break         // of a text: what separates it from the text before it; NoBreak for the first
	Asked string        // of a pause that was shortened to 60 s: its markup
}

// Plan returns the texts and pauses of s in their order.
//
// A text has whole sentences of one paragraph, as many as fit into maxChars code points (limited to
// MinChunkChars..MaxChunkChars). The first one is a single sentence, so that its audio is ready early. A longer sentence is
// cut after clause punctuation, else at white space, else anywhere but within markup, which may be longer than maxChars.
//
// Headings are paragraphs of their own: lines with # before them, with === or --- below them or in **, "Chapter 1" and
// the like, and short lines without an end mark between blank lines. Lines such as * * *, ---, ~~~, ⁂ or a single # are
// scene breaks, which are not spoken, nor are the lines around code (```) and the addresses of names. Items of a list are
// sentences and texts of their own.
//
// `[pause 0.5s]` and `<break time="500ms"/>` become pauses. Other tags of SSML and simple HTML are left out; those of blocks,
// such as <p>, end a paragraph. Double brackets and expressions stay for Speak. Other brackets, and markup that is not
// closed, are text.
//
// Every text is Speakable: punctuation alone joins the text before it, else the one after it, and is left out if it fits
// neither. Words that a hyphen at a line end divides are joined (see package hyphen). All other characters but white space are
// kept in their order. If there is nothing to speak but expressions, they
// are one text; if there is nothing to speak at all, only the pauses remain.
func Plan(s string, maxChars int) []Piece { return Replan(s, maxChars, nil) }

// Replan is the Plan of a text that was changed: sentences that were one text of the former plan are one text again, so that a
// sentence more or less does not change the texts after it.
func Replan(s string, maxChars int, former []string) []Piece {
	p := newPlanner(maxChars)
	p.former = byStart(former)
	for _, b := range blocks(strings.TrimSpace(withoutElements(hyphen.Join(s, "")))) {
		p.block(b.text, b.before)
	}
	return p.end()
}

// FlatPlan is the Plan of old generations, made before pauses followed the structure of a text: the text is one paragraph.
func FlatPlan(s string, maxChars int) []Piece {
	p := newPlanner(maxChars)
	p.block(s, NoBreak)
	pieces := p.end()
	for i := range pieces {
		pieces[i].Break = NoBreak
	}
	return pieces
}

// withoutElements replaces the elements of blocks by line ends, headings and scene breaks.
func withoutElements(s string) string {
	return markup.Replace(s, func(m markup.Markup, source string) string {
		switch {
		case m.Kind == markup.Inline:
			return ""
		case m.Kind != markup.Block || endsOnlySentence(m.Name):
			return source
		case m.Name == "hr":
			return "\n\n***\n\n"
		case isHeading(m.Name) && source[1] != '/':
			return "\n\n# "
		}
		return "\n\n"
	})
}

// endsOnlySentence reports whether an element of SSML or HTML ends a sentence, but no paragraph.
func endsOnlySentence(name string) bool {
	return name == "s" || name == "sentence" || name == "br" || name == "td" || name == "th"
}

// isHeading reports whether the name of a block is one of h1 to h6.
func isHeading(name string) bool { return len(name) == 2 && name[0] == 'h' && name != "hr" }

// planner fills chunks with parts of sentences.
type planner struct {
	limit  int
	former formerTexts
	pieces []Piece
	spoken bool // the plan has a speakable chunk

	chunk     strings.Builder
	chars     int   // of chunk
	speakable bool  // chunk is
	before    Break // what separates chunk from the one before
}

func newPlanner(maxChars int) *planner {
	return &planner{limit: min(max(maxChars, MinChunkChars), MaxChunkChars)}
}

// block plans a paragraph: its texts and the pauses between them.
func (p *planner) block(s string, before Break) {
	var span []byte
	flush := func() {
		if p.span(string(span), before) {
			before = SentenceBreak
		}
		span = span[:0]
	}
	for {
		at, m, ok := markup.Next(s)
		if !ok {
			span = append(span, s...)
			flush()
			return
		}
		span = append(span, s[:at]...)
		source := s[at : at+m.Size]
		s = s[at+m.Size:]
		switch m.Kind {
		case markup.Pause:
			if m.Pause == 0 && withinSentence(string(span)) {
				span, s = prose.CloseGap(span, s)
				break
			}
			flush()
			p.pause(m, source)
		case markup.Block:
			span = append(span, "\n\n"...)
		case markup.Inline:
		case markup.Expression, markup.Respelling, markup.Raw:
			span = append(span, source...)
		}
	}
}

// withinSentence reports whether s ends within a sentence.
func withinSentence(s string) bool {
	s = strings.TrimSpace(s)
	return s != "" && !endsSentence(s)
}

// pause adds a pause.
func (p *planner) pause(m markup.Markup, source string) {
	piece := Piece{Pause: m.Pause}
	if m.Shortened {
		piece.Asked = source
	}
	p.pieces = append(p.pieces, piece)
}

// span plans a text without pauses and elements and reports whether it added a piece.
func (p *planner) span(s string, before Break) bool {
	planned := len(p.pieces)
	all := Sentences(s)
	for len(all) > 0 {
		n := p.keep(all, s, before)
		if n == 0 {
			n = 1
			for _, part := range cut(all[0], p.limit) {
				p.add(part, before)
				before = NoBreak
			}
		}
		for _, sentence := range all[:n] {
			s = s[len(sentence):]
		}
		all, before = all[n:], SentenceBreak
	}
	p.flush()
	return len(p.pieces) > planned
}

// startBytes is how much of a text finds it in the former plan.
const startBytes = 24

// formerTexts are the texts of a former plan by their first bytes, the longest ones first.
type formerTexts map[string][]string

func byStart(texts []string) formerTexts {
	out := formerTexts{}
	for _, s := range texts {
		start := s[:min(len(s), startBytes)]
		if !slices.Contains(out[start], s) {
			out[start] = append(out[start], s)
		}
	}
	for _, list := range out {
		slices.SortStableFunc(list, func(a, b string) int { return len(b) - len(a) })
	}
	return out
}

// keep adds the text of the former plan that the sentences begin with, and returns how many of them it has; 0 = there is none.
// remaining is all sentences.
func (p *planner) keep(all []string, remaining string, before Break) int {
	text, n := p.former.at(all, remaining)
	if n > 0 {
		p.flush()
		p.chunk.WriteString(text)
		p.before, p.speakable = before, true
		p.flush()
	}
	return n
}

// at returns the text that sentences begin with, and of how many of them it consists; 0 = there is none. remaining is all sentences.
func (f formerTexts) at(all []string, remaining string) (text string, n int) {
	if len(f) == 0 {
		return "", 0
	}
	remaining = strings.TrimLeftFunc(remaining, unicode.IsSpace)
	candidates := f[remaining[:min(len(remaining), startBytes)]]
	if first := strings.TrimSpace(all[0]); len(first) < startBytes {
		candidates = slices.Concat(candidates, f[first])
	}
	for _, text := range candidates {
		if n := leading(all, remaining, text); n > 0 && speaks(text) {
			return text, n
		}
	}
	return "", 0
}

// leading returns how many sentences text consists of, if it is the first ones; 0 if it is not. remaining is all sentences.
func leading(all []string, remaining, text string) int {
	if !strings.HasPrefix(remaining, text) {
		return 0
	}
	length := len(strings.TrimLeftFunc(all[0], unicode.IsSpace))
	for n := 1; ; n++ {
		if length >= len(text) && strings.TrimSpace(remaining[len(text):length]) == "" {
			return n
		}
		if length > len(text) || n == len(all) {
			return 0
		}
		length += len(all[n])
	}
}

// add appends a part to the chunk if it fits, else it begins a new chunk. The first speakable chunk gets only one speakable
// part.
func (p *planner) add(part string, before Break) {
	speakable := speaks(part)
	full := p.speakable && speakable && !p.spoken
	if full || p.chars+chars(strings.TrimRightFunc(part, unicode.IsSpace)) > p.limit {
		p.flush()
	}
	if p.chunk.Len() == 0 {
		part = strings.TrimLeftFunc(part, unicode.IsSpace)
		p.before = before
	}
	p.chunk.WriteString(part)
	p.chars += chars(part)
	p.speakable = p.speakable || speakable
}

// flush adds the chunk to the pieces.
func (p *planner) flush() {
	if text := strings.TrimSpace(p.chunk.String()); text != "" {
		p.pieces = append(p.pieces, Piece{Text: text, Break: p.before})
	}
	p.spoken = p.spoken || p.speakable
	p.chunk.Reset()
	p.chars, p.speakable = 0, false
}

// end returns the pieces. The first text follows nothing.
func (p *planner) end() []Piece {
	all := joinMarks(p.pieces, p.limit)
	for i := range all {
		if all[i].Text != "" {
			all[i].Break = NoBreak
			break
		}
	}
	return all
}

// joinMarks joins texts that cannot be spoken to a neighbour, or leaves them out if they do not fit.
func joinMarks(pieces []Piece, limit int) []Piece {
	var all []Piece
	last, waiting, before := -1, "", NoBreak
	for _, p := range pieces {
		if p.Text == "" {
			all = append(all, p)
			continue
		}
		before = max(before, p.Break)
		switch {
		case speaks(p.Text):
			if joined := join(waiting, p.Text); chars(joined) <= limit {
				p.Text = joined
			}
			p.Break = before
			last, waiting, before = len(all), "", NoBreak
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

// join returns two texts with a space between them.
func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + " " + b
}
