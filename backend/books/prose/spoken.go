package prose

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/text"
)

// maxPart is the longest part of a chapter, in characters.
const maxPart = 100_000

// sceneBreak is the line of a break between scenes, and headingMark begins the line of a heading (see text.Plan).
const (
	sceneBreak  = "***"
	headingMark = "# "
)

// Spoken is the text of a chapter as it is spoken.
type Spoken struct {
	paragraphs []paragraph
}

// paragraph is the spoken text of a block.
type paragraph struct {
	text  string
	block int // its index, -1 for a title without a block
}

// Speak returns how a chapter is spoken. Its title is a heading, unless its text begins with one. A chapter of which only the title
// would be spoken has no paragraphs.
func Speak(title string, blocks []backend.Block, o backend.BookOptions) Spoken {
	var s Spoken
	for i, b := range blocks {
		if p := speakBlock(b, o); p != "" {
			s.paragraphs = append(s.paragraphs, paragraph{p, i})
		}
	}
	s.trimScenes()
	if len(s.paragraphs) == 0 {
		return Spoken{}
	}
	if title = backend.OneLine(title); title != "" && blocks[s.paragraphs[0].block].Kind != backend.BlockHeading && !s.beginsWith(title) {
		heading := paragraph{headingMark + text.Literal(title), -1}
		s.paragraphs = append([]paragraph{heading}, s.paragraphs...)
	}
	return s
}

// maxTitleParagraphs is in how many paragraphs the title of a chapter can be.
const maxTitleParagraphs = 3

// beginsWith reports whether the first paragraphs are a title, in whatever letters.
func (s *Spoken) beginsWith(title string) bool {
	want := strings.ToLower(strings.Join(backend.Words(title), " "))
	var have []string
	for _, p := range s.paragraphs[:min(len(s.paragraphs), maxTitleParagraphs)] {
		have = append(have, backend.Words(text.Plain(p.text))...)
		if strings.ToLower(strings.Join(have, " ")) == want {
			return true
		}
	}
	return false
}

// trimScenes removes breaks between scenes at the ends, and those that follow each other.
func (s *Spoken) trimScenes() {
	var out []paragraph
	for i, p := range s.paragraphs {
		if p.text == sceneBreak && (len(out) == 0 || out[len(out)-1].text == sceneBreak || !s.speaksAfter(i)) {
			continue
		}
		out = append(out, p)
	}
	s.paragraphs = out
}

// speaksAfter reports whether words follow a paragraph.
func (s *Spoken) speaksAfter(i int) bool {
	for _, p := range s.paragraphs[i+1:] {
		if p.text != sceneBreak {
			return true
		}
	}
	return false
}

// speakBlock returns the spoken text of a block, empty where all of it is left out.
func speakBlock(b backend.Block, o backend.BookOptions) string {
	if b.Kind == backend.BlockScene {
		return sceneBreak
	}
	var w blockWriter
	for _, span := range b.Spans {
		switch {
		case !o.Reads(span.Class):
			w.leaveOut(span.Text)
		case span.Text == "": // a picture, which may be the first letter of a word
			w.write(span.Say)
		case span.Say != "":
			w.respell(span)
		case span.Markup:
			w.flush()
			w.out.WriteString(span.Text)
		default:
			w.write(span.Text)
		}
	}
	words := Lines(w.text())
	if !backend.Speakable(words) {
		return ""
	}
	if b.Kind == backend.BlockHeading {
		return headingMark + strings.ReplaceAll(words, "\n", " ")
	}
	return words
}

// blockWriter joins the spans of a block.
type blockWriter struct {
	out   strings.Builder
	plain strings.Builder // since the last markup; brackets may be in several spans
	gap   bool            // text was left out before what follows
	blank bool            // it had white space at an end
}

// write adds text that is spoken as it is written.
func (w *blockWriter) write(s string) {
	if s == "" {
		return
	}
	if w.gap {
		s = w.closeGap(s)
	}
	w.plain.WriteString(s)
}

// closeGap returns the text behind a gap, so that it has one blank where there was one, and none before punctuation.
func (w *blockWriter) closeGap(s string) string {
	before := w.plain.String()
	ended := before == "" || strings.TrimRight(before, " ") != before
	begins := strings.TrimLeft(s, " ")
	switch {
	case before != "" && closes(begins):
		w.plain.Reset()
		w.plain.WriteString(strings.TrimRight(before, " "))
		s = begins
	case ended && before != "":
		s = begins
	case w.blank && begins == s:
		s = " " + s
	}
	w.gap, w.blank = false, false
	return s
}

// closes reports whether a text begins with punctuation that follows a word without a blank. A quote before a letter opens.
func closes(s string) bool {
	mark, size := utf8.DecodeRuneInString(s)
	following, _ := utf8.DecodeRuneInString(s[size:])
	return strings.ContainsRune(",.;!?)", mark) || strings.ContainsRune("’”", mark) && !unicode.IsLetter(following)
}

// leaveOut leaves text out.
func (w *blockWriter) leaveOut(s string) {
	w.gap, w.blank = true, w.blank || strings.TrimSpace(s) != s
}

// respell adds text that is spoken otherwise than it is written.
func (w *blockWriter) respell(s backend.Span) {
	plain := strings.NewReplacer("[", "", "]", "", "|", "").Replace
	written, say := strings.TrimSpace(plain(s.Text)), strings.TrimSpace(plain(s.Say))
	if written == "" || say == "" {
		w.write(s.Text)
		return
	}
	w.flush()
	w.out.WriteString("[[" + written + "|" + say + "]]")
}

func (w *blockWriter) flush() {
	w.out.WriteString(text.Literal(w.plain.String()))
	w.plain.Reset()
}

func (w *blockWriter) text() string {
	w.flush()
	return w.out.String()
}

// Lines returns a text with one blank between words and no empty lines.
func Lines(s string) string {
	var all []string
	for line := range strings.SplitSeq(s, "\n") {
		if line = backend.OneLine(line); line != "" {
			all = append(all, line)
		}
	}
	return strings.Join(all, "\n")
}

// Parts returns the text as it is passed to generations: parts of at most maxPart characters, cut between paragraphs. A paragraph that
// is longer is cut at sentences.
func (s Spoken) Parts() []string {
	var out []string
	var part strings.Builder
	length := 0
	flush := func() {
		if backend.Speakable(part.String()) {
			out = append(out, strings.TrimSpace(part.String()))
		}
		part.Reset()
		length = 0
	}
	add := func(piece, separator string) {
		n := utf8.RuneCountInString(piece) + len(separator)
		if length > 0 && length+n > maxPart {
			flush()
		}
		if length > 0 {
			part.WriteString(separator)
		}
		part.WriteString(piece)
		length += n
	}
	for _, p := range s.paragraphs {
		pieces := []string{p.text}
		if utf8.RuneCountInString(p.text) > maxPart {
			pieces = cutLong(p.text)
		}
		for i, piece := range pieces {
			separator := "\n\n"
			if i > 0 {
				separator = " "
			}
			add(piece, separator)
		}
	}
	flush()
	return out
}

// Replace returns the parts of the text with another paragraph in the place of one; ok is false where it has no such paragraph.
func (s Spoken) Replace(old, now string) (parts []string, ok bool) {
	i := slices.IndexFunc(s.paragraphs, func(p paragraph) bool { return p.text == old })
	if i < 0 {
		return nil, false
	}
	s.paragraphs = slices.Clone(s.paragraphs)
	s.paragraphs[i].text = now
	return s.Parts(), true
}

// cutLong cuts a long paragraph at sentences, and one without any between characters.
func cutLong(s string) []string {
	var out []string
	for _, sentence := range text.Sentences(s) {
		for piece := range slices.Chunk([]rune(strings.TrimSpace(sentence)), maxPart) {
			out = append(out, string(piece))
		}
	}
	return out
}
