package text

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend/text/internal/markup"
	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// Break is what separates a text of a plan from the one before it, in order of length.
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

// block is a paragraph or a heading.
type block struct {
	text   string
	before Break // what separates it from the block before
}

// The longest heading without marks of its own, in characters and words.
const (
	longestTitle = 80
	mostWords    = 12
)

// chapterWords are the words before a number that make a line a heading, in the languages of the voices.
const chapterWords = `chapter|part|book|section|act|scene|volume|canto|letter|kapitel|teil|buch|abschnitt|akt|szene|chapitre|partie|livre|` +
	`acte|scène|capítulo|parte|libro|acto|escena|capitolo|atto|scena|livro|ato|cena|hoofdstuk|deel|boek|rozdział|część|księga|` +
	`глава|часть|книга|розділ|частина|kapitola|kapitel|kapittel|luku|bölüm`

const numberWords = `[0-9]{1,4}|[ivxlcdm]{1,8}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|` +
	`fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|` +
	`(?:twenty|thirty|forty|fifty)[- ](?:one|two|three|four|five|six|seven|eight|nine)|` +
	`eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|premier|un|deux|trois|quatre|cinq`

var (
	chapterLine = regexp.MustCompile(`(?i)^(?:` + chapterWords + `)\s+(?:` + numberWords + `)(?:\s*[.:—–-]?|\s*[.:—–-]\s*\S.*)$|^第.{1,8}[章回節节部]`)
	sceneLine   = regexp.MustCompile(`^(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,}|(?:•\s*){3,}|(?:~\s*){3,}|(?:⁂\s*)+|#|§)$`)
	markedLine  = regexp.MustCompile(`^#{1,6}[ \t]+(\S.*?)[ \t]*#*$`)
	boldLine    = regexp.MustCompile(`^(?:\*\*([^*\s][^*]*)\*\*|__([^_\s][^_]*)__)$`)
	underline   = regexp.MustCompile(`^(?:={3,}|-{3,})$`)
	itemLine    = regexp.MustCompile(`^(?:[-–*+•‣◦]|\(?(?:[0-9]{1,3}|[A-Za-z]|[ivxIVX]{2,5})[.)])\s+\S`)
)

// blocks divides a text at blank lines, headings, scene breaks and items of lists. Markup may hold line ends, which
// divide nothing.
func blocks(s string) []block {
	b := blocker{s: s}
	all := lines(s)
	for i, l := range all {
		b.next = 0
		if i+1 < len(all) {
			b.next = marker(b.trimmed(all[i+1]))
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

// blocker collects lines into blocks.
type blocker struct {
	s      string
	blocks []block

	open    span  // the present block, none when end is 0
	count   int   // its lines
	before  Break // what separates it from the block before
	heading bool  // the last block is a heading
	ended   bool  // its last line ends a sentence, or announces with a colon what comes
	item    bool  // it is an item of a list
	next    rune  // the marker of the next line
}

// trimmed returns the text of a line.
func (b *blocker) trimmed(l span) string { return strings.TrimSpace(b.s[l.start:l.end]) }

func (b *blocker) line(l span) {
	line := b.trimmed(l)
	marked := markedLine.FindStringSubmatch(line)
	switch {
	case line == "":
		b.endBefore()
	case b.underlines(line):
		b.endHeading()
	case sceneLine.MatchString(line):
		b.end()
		b.before = SceneBreak
	case marked != nil && utf8.RuneCountInString(line) <= longestTitle:
		b.end()
		b.add(marked[1], true)
	case b.count == 0 || b.ended:
		if chapterLine.MatchString(line) && utf8.RuneCountInString(line) <= longestTitle {
			b.end()
			b.add(line, true)
			return
		}
		if bold := boldLine.FindStringSubmatch(line); bold != nil && titled(bold[1]+bold[2]) {
			b.end()
			b.add(bold[1]+bold[2], true)
			return
		}
		fallthrough
	default:
		b.ordinary(l, line)
	}
}

// ordinary adds a line to the present block. An item of a list begins a block of its own. A line that only looks like
// one, such as the second line of "He was\n12. She was 10.", stands in no list and goes on with its sentence.
func (b *blocker) ordinary(l span, line string) {
	item := marker(line)
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

// marker returns the kind of marker with which an item of a list begins: the sign, 1 or a. It is 0 for other lines.
func marker(line string) rune {
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

// underlines reports whether a line of = or - makes a heading of the single line above it. One of - below a sentence is
// a scene break.
func (b *blocker) underlines(line string) bool {
	return b.count == 1 && underline.MatchString(line) && (titled(b.trimmed(b.open)) ||
		line[0] == '=' && utf8.RuneCountInString(b.trimmed(b.open)) <= longestTitle)
}

// endBefore ends the present block at a blank line, where a single line may be a title.
func (b *blocker) endBefore() {
	if b.count == 1 && !b.item && titled(b.trimmed(b.open)) {
		b.endHeading()
		return
	}
	b.end()
}

// endHeading ends the present block, which is a heading.
func (b *blocker) endHeading() {
	b.count = 0
	b.add(b.s[b.open.start:b.open.end], true)
}

// end ends the present block.
func (b *blocker) end() {
	if b.count > 0 {
		text := b.s[b.open.start:b.open.end]
		b.count = 0
		b.add(text, false)
	}
	b.ended, b.item = false, false
}

// add appends a block.
func (b *blocker) add(text string, heading bool) {
	before := b.before
	if before != SentenceBreak { // an item of a list stands in the paragraph of the one before
		before = max(before, ParagraphBreak)
	}
	if heading || b.heading {
		before = max(before, HeadingBreak)
	}
	b.blocks = append(b.blocks, block{strings.TrimSpace(text), before})
	b.before, b.heading, b.ended, b.item = NoBreak, heading, false, false
}

// titled reports whether a line between blank lines is a heading: short, without an end mark, and no item of a list,
// speech or the rest of a sentence.
func titled(line string) bool {
	plain := Plain(line)
	if plain == "" || utf8.RuneCountInString(plain) > longestTitle || len(strings.Fields(plain)) > mostWords || !Speakable(plain) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(plain)
	if !unicode.IsLetter(first) && !unicode.IsNumber(first) || unicode.IsLower(first) {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(plain, prose.IsClosing))
	return !unicode.In(last, unicode.Po, unicode.Pd)
}

// endsSentence reports whether a line ends with the end mark of a sentence.
func endsSentence(line string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(line, prose.IsClosing))
	return strings.ContainsRune(".!?…。！？।۔؟", last)
}
