package text

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Break is what separates a text of a plan from the one before it. A later one is a wider one.
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

// block is a paragraph, a heading or an item of a list.
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
	sceneLine   = regexp.MustCompile(`^(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,}|(?:⁂\s*)+|#|§)$`)
	itemLine    = regexp.MustCompile(`^(?:[0-9]{1,3}[.)]|[-*•–])\s+\S`)
	markedLine  = regexp.MustCompile(`^#{1,6}[ \t]+(\S.*?)[ \t]*#*$`)
)

// blocks divides a text at blank lines, headings, scene breaks and the items of a list. Markup may hold line ends, which divide nothing.
func blocks(s string) []block {
	b := blocker{s: s}
	for _, l := range lines(s) {
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
		if m, ok := readMarkup(s[at:]); ok {
			at += m.size
			continue
		}
		r, size := utf8.DecodeRuneInString(s[at:])
		if lineEnd(r) || r == '\u2029' {
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
	ended   bool  // its last line ends a sentence
	item    bool  // its first line is an item of a list
}

func (b *blocker) line(l span) {
	line := strings.TrimSpace(b.s[l.start:l.end])
	marked := markedLine.FindStringSubmatch(line)
	switch {
	case line == "":
		b.endBefore()
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
		fallthrough
	default:
		b.listItem(line)
		if b.count == 0 {
			b.open.start = l.start
		}
		b.open.end = l.end
		b.count++
		b.ended = endsSentence(line)
	}
}

// listItem begins a new block where a line is an item of a list: at the beginning of a block, behind another item, a
// sentence or a colon. Elsewhere a line that begins with a number or a dash is the middle of a wrapped paragraph.
func (b *blocker) listItem(line string) {
	if !itemLine.MatchString(line) || b.count > 0 && !b.item && !b.ended && !b.introduces() {
		return
	}
	follows := b.count > 0
	b.end()
	b.item = true
	if follows {
		b.before = max(b.before, SentenceBreak)
	}
}

// introduces reports whether the present block ends with a colon.
func (b *blocker) introduces() bool {
	return strings.HasSuffix(strings.TrimSpace(b.s[b.open.start:b.open.end]), ":")
}

// endBefore ends the present block at a blank line, where a single line may be a title.
func (b *blocker) endBefore() {
	if b.count == 1 && b.before != SentenceBreak && titled(strings.TrimSpace(b.s[b.open.start:b.open.end])) {
		text := b.s[b.open.start:b.open.end]
		b.count = 0
		b.add(text, true)
		return
	}
	b.end()
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
	if before == NoBreak {
		before = ParagraphBreak
	}
	if heading || b.heading {
		before = max(before, HeadingBreak)
	}
	b.blocks = append(b.blocks, block{strings.TrimSpace(text), before})
	b.before, b.heading, b.ended = NoBreak, heading, false
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
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(plain, closing))
	return !unicode.In(last, unicode.Po, unicode.Pd)
}

// endsSentence reports whether a line ends with the end mark of a sentence.
func endsSentence(line string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(line, closing))
	return strings.ContainsRune(".!?…。！？।۔؟", last)
}
