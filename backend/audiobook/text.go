package audiobook

import (
	"strings"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"golang.org/x/text/language"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/printable"
)

// The longest texts that are written, in bytes. The list of Nero counts those of a title in one byte.
const (
	maxTitle       = 255
	maxDescription = 32 << 10
)

// oneLine returns a text in one line of at most maxTitle bytes.
func oneLine(s string) string { return shorten(printable.OneLine(s), maxTitle) }

// paragraphs returns a text with its line breaks, without other control characters.
func paragraphs(s string) string {
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n").Replace(s), "\n")
	for i, line := range lines {
		lines[i] = printable.OneLine(line)
	}
	return shorten(strings.TrimSpace(strings.Join(lines, "\n")), maxDescription)
}

// shorten returns the start of a text, at most n bytes, in letters with their accents and whole pictures.
func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	end := 0
	for letters := graphemes.FromString(s); letters.Next() && letters.End() <= n; {
		end = letters.End()
	}
	if end == 0 { // one letter with hundreds of accents
		return printable.FirstBytes(s, n)
	}
	return strings.TrimSpace(s[:end])
}

// languageTag returns a BCP 47 tag as the standard writes it, "" for what is none.
func languageTag(s string) string {
	tag, _ := backend.CanonicalLanguage(s)
	return tag
}

// threeLetters returns the code of ISO 639-2 of a BCP 47 tag, "" where there is none.
func threeLetters(tag string) string {
	base, confidence := language.Make(languageTag(tag)).Base()
	if confidence != language.Exact {
		return ""
	}
	return base.ISO3()
}
