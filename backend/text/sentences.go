package text

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/sentences"

	"github.com/voicewright/voicewright/backend/text/internal/markup"
	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// numbering matches the letter or Roman numeral before a title or an item of a list, as in "I. The Beginning".
var numbering = regexp.MustCompile(`^\s*(?:[A-Za-z]|[IVXLC]{2,8})\.\s+$`)

// Utterances cuts what an engine is given (see Spoken) into sentences that are spoken one at a time, without white space around
// them. Text that cannot be spoken alone is appended to the sentence before. It is at least one, perhaps with nothing to speak.
func Utterances(spoken string) []string {
	var all []string
	for _, sentence := range Sentences(spoken) {
		if len(all) > 0 && (!Speakable(sentence) || !Speakable(all[len(all)-1])) {
			all[len(all)-1] += sentence
			continue
		}
		all = append(all, sentence)
	}
	if len(all) == 0 {
		return []string{spoken}
	}
	for i := range all {
		all[i] = strings.TrimSpace(all[i])
	}
	return all
}

// Sentences cuts s into sentences by Unicode UAX #29, with additional rules for abbreviations, initials, ordinals and quoted
// speech of several languages. A line end within a paragraph does not end a sentence, a blank line does. White space belongs
// to the sentence before it. Punctuation within markup is ignored: double brackets are a word, expressions belong to the
// sentence after them, and tags of blocks end a sentence. Joined together the sentences are s, byte for byte.
// After an abbreviation the sentence continues in case of doubt, since a pause that is too short disturbs less.
func Sentences(s string) []string {
	var all []string
	start, at := 0, 0
	blank := true // only white space since start
	masked := mask(s)
	for segments := sentences.FromString(masked); segments.Next(); {
		next := at + len(segments.Value())
		empty := strings.TrimSpace(segments.Value()) == ""
		if !blank && !empty && !joined(masked[start:at], masked[at:next], s[at:]) && (start > 0 || !numbering.MatchString(masked[:at])) {
			all = append(all, s[start:at])
			start, blank = at, true
		}
		at, blank = next, blank && empty
	}
	if start < len(s) {
		all = append(all, s[start:])
	}
	return all
}

// joined reports whether the segment next continues the sentence before. Neither is only white space. source is what is written from
// next on.
func joined(before, next, source string) bool {
	trimmed := strings.TrimRightFunc(before, unicode.IsSpace)
	if strings.ContainsAny(before[len(trimmed):], "\n\r\u0085\u2028\u2029") {
		return false // mask leaves line ends only between paragraphs
	}
	continued := strings.TrimLeftFunc(next, unicode.IsSpace)
	if len(trimmed)+len(continued) == len(before)+len(next) && needsSpace(trimmed, continued) {
		_, marked := markup.Read(source)
		return !marked
	}
	return prose.Continues(trimmed, continued)
}

// needsSpace reports whether the mark at the end of before ends a sentence before white space only: those of .NET and Yahoo!Japan
// do not.
func needsSpace(before, next string) bool {
	bare := strings.TrimRightFunc(before, prose.IsClosing)
	mark, size := utf8.DecodeLastRuneInString(bare)
	if !strings.ContainsRune(".!?…\ufe52", mark) {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(bare[:len(bare)-size])
	return !prose.IsSpaceless(last) && !prose.IsSpaceless(prose.FirstRune(next))
}
