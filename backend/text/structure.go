package text

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/chapter"
	"github.com/voicewright/voicewright/backend/text/internal/markup"
	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// Break is what separates a text of a plan from the one before it. Breaks are in the order of the length of their pauses.
type Break int

// The breaks of a text.
const (
	NoBreak        Break = iota // within a sentence that was too long for one text
	SentenceBreak               // between sentences of a paragraph
	ParagraphBreak              // a blank line, or the tag of a block
	HeadingBreak                // before or after a heading
	SceneBreak                  // a line such as * * *
)

// String returns the name of a break, empty for NoBreak.
func (b Break) String() string {
	return [...]string{"", "sentence", "paragraph", "heading", "scene"}[b]
}

// Pause returns the silence of a break in seconds.
func (b Break) Pause(p backend.Pauses) float64 {
	return [...]float64{0, p.Sentence, p.Paragraph, p.Heading, p.Scene}[b]
}

// block is a paragraph or a heading.
type block struct {
	text   string
	before Break // what separates it from the block before
}

// The longest heading, in characters, and in words if nothing marks it as one.
const (
	maxHeadingChars = 80
	maxHeadingWords = 12
)

// Lines of a special meaning.
var (
	markedLine = regexp.MustCompile(`^#{1,6}[ \t]+(\S.*?)[ \t]*#*$`)
	boldLine   = regexp.MustCompile(`^(?:\*\*([^*\s][^*]*)\*\*|__([^_\s][^_]*)__)$`)
	underline  = regexp.MustCompile(`^(?:={3,}|-{3,})$`)
	fenceLine  = regexp.MustCompile("^(`{3,}[^`]*|~{3,}[^~\\s][^~]*)$")
	itemLine   = regexp.MustCompile(`^(?:[-–*+•‣◦]|\(?(?:[0-9]{1,3}|[A-Za-z]|[ivxIVX]{2,5})[.)])\s+\S`)
)

// blocks divides a text at blank lines, headings, scene breaks and items of lists. Line ends within markup do not count.
func blocks(s string) []block {
	b := blockReader{s: s}
	all := lines(s)
	for i, l := range all {
		b.next = 0
		if i+1 < len(all) {
			b.next = itemMarker(b.trimmed(all[i+1]))
		}
		b.line(l)
	}
	b.end()
	return b.blocks
}

// span is a part of a text in bytes.
type span struct{ start, end int }

// lines returns where the lines of s begin and end, without their line ends.
func lines(s string) []span {
	var all []span
	start := 0
	for at := 0; at < len(s); {
		if m, ok := markup.Read(s[at:]); ok {
			at += m.Size
			continue
		}
		r, size := utf8.DecodeRuneInString(s[at:])
		if prose.IsLineEnd(r) || r == '\u2029' {
			if strings.HasPrefix(s[at:], "\r\n") {
				size = 2
			}
			all = append(all, span{start, at})
			if r == '\u2029' {
				all = append(all, span{at, at})
			}
			start = at + size
		}
		at += size
	}
	return append(all, span{start, len(s)})
}

// blockReader collects lines into blocks.
type blockReader struct {
	s      string
	blocks []block

	open    span   // the current block
	count   int    // its lines; 0 where there is no current block
	before  Break  // what separates it from the block before
	heading bool   // the block before is a heading
	ended   bool   // its last line ends with a sentence or a colon
	item    bool   // it is an item of a list
	next    rune   // the marker of the next line
	fence   string // what ends the code that the line is in
}

// trimmed returns the text of a line.
func (b *blockReader) trimmed(l span) string { return strings.TrimSpace(b.s[l.start:l.end]) }

// line adds a line.
func (b *blockReader) line(l span) {
	line := b.trimmed(l)
	marked := markedLine.FindStringSubmatch(line)
	switch {
	case line == "":
		b.blankLine()
	case b.fenced(line), markup.IsDefinition(line):
		b.end()
	case b.fence != "":
		b.ordinary(l, line)
	case b.underlines(line):
		b.endHeading()
	case chapter.IsScene(line):
		b.end()
		b.before = SceneBreak
	case marked != nil && utf8.RuneCountInString(line) <= maxHeadingChars:
		b.end()
		b.add(marked[1], true)
	case b.count == 0 || b.ended:
		if _, ok := chapter.Parse(line); ok && utf8.RuneCountInString(line) <= maxHeadingChars {
			b.end()
			b.add(line, true)
			return
		}
		if bold := boldLine.FindStringSubmatch(line); bold != nil && isTitle(bold[1]+bold[2]) {
			b.end()
			b.add(bold[1]+bold[2], true)
			return
		}
		fallthrough
	default:
		b.ordinary(l, line)
	}
}

// fenced reports whether a line is what code begins or ends with, as in ```js, and remembers that it begins.
func (b *blockReader) fenced(line string) bool {
	switch {
	case b.fence != "" && strings.HasPrefix(line, b.fence) && strings.Trim(line, b.fence[:1]) == "":
		b.fence = ""
	case b.fence == "" && fenceLine.MatchString(line):
		b.fence = line[:3]
	default:
		return false
	}
	return true
}

// ordinary adds a line to the current block. An item of a list begins a block of its own. A line that only looks like an
// item, such as the second line of "He was\n12. She was 10.", is in no list and continues its sentence.
func (b *blockReader) ordinary(l span, line string) {
	item := itemMarker(line)
	if item != 0 && b.count > 0 && (b.item || b.ended || item == b.next) {
		b.end()
		b.before, b.item = SentenceBreak, true
	}
	if b.count == 0 {
		b.open.start = l.start
		b.item = b.item || item != 0 && item == b.next
	}
	b.open.end = l.end
	b.count++
	b.ended = endsSentence(line) || strings.HasSuffix(line, ":")
}

// itemMarker returns the kind of marker with which an item of a list begins: the sign, 1 or a. It is 0 for other lines.
func itemMarker(line string) rune {
	if !itemLine.MatchString(line) {
		return 0
	}
	switch first, _ := utf8.DecodeRuneInString(strings.TrimPrefix(line, "(")); {
	case unicode.IsDigit(first):
		return '1'
	case unicode.IsLetter(first):
		return 'a'
	default:
		return first
	}
}

// underlines reports whether a line of = or - makes the single line above it a heading. A line of - below a sentence is a
// scene break.
func (b *blockReader) underlines(line string) bool {
	return b.count == 1 && underline.MatchString(line) && (isTitle(b.trimmed(b.open)) ||
		line[0] == '=' && utf8.RuneCountInString(b.trimmed(b.open)) <= maxHeadingChars)
}

// blankLine ends the current block, which is a heading if it is a single line that looks like one.
func (b *blockReader) blankLine() {
	if b.count == 1 && !b.item && isTitle(b.trimmed(b.open)) {
		b.endHeading()
		return
	}
	b.end()
}

// endHeading ends the current block as a heading.
func (b *blockReader) endHeading() {
	b.count = 0
	b.add(b.s[b.open.start:b.open.end], true)
}

// end ends the current block.
func (b *blockReader) end() {
	if b.count > 0 {
		text := b.s[b.open.start:b.open.end]
		b.count = 0
		b.add(text, false)
	}
	b.ended, b.item = false, false
}

// add appends a block.
func (b *blockReader) add(text string, heading bool) {
	before := b.before
	if before != SentenceBreak { // items of a list are in one paragraph
		before = max(before, ParagraphBreak)
	}
	if heading || b.heading {
		before = max(before, HeadingBreak)
	}
	b.blocks = append(b.blocks, block{strings.TrimSpace(text), before})
	b.before, b.heading, b.ended, b.item = NoBreak, heading, false, false
}

// isTitle reports whether a line between blank lines is a heading: short, without an end mark, and no item of a list,
// speech or rest of a sentence.
func isTitle(line string) bool {
	plain := Plain(line)
	if plain == "" || utf8.RuneCountInString(plain) > maxHeadingChars || len(strings.Fields(plain)) > maxHeadingWords || !Speakable(plain) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(plain)
	if !unicode.IsLetter(first) && !unicode.IsNumber(first) || unicode.IsLower(first) {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(plain, prose.IsClosing))
	return !unicode.In(last, unicode.Po, unicode.Pd)
}

// endsSentence reports whether a line ends with the punctuation that ends a sentence.
func endsSentence(line string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(line, prose.IsClosing))
	return strings.ContainsRune(".!?…。！？।۔؟", last)
}
