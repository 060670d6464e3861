package extract

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	utf16 "golang.org/x/text/encoding/unicode"

	"github.com/voicewright/voicewright/backend/hyphen"
)

// text returns the text of the file, and notes its encoding in the document. See decode.
func (s *source) text() (text string, err error) {
	text, s.doc.Encoding, err = decode(s.raw)
	return text, err
}

// decode returns the text of a file in UTF-8 or UTF-16 with a byte order mark, in UTF-8 without one, else in Windows-1252, and
// the name of its encoding. Lines end with \n; control characters are left out. Error: unsupported_media for a file without text.
func decode(raw []byte) (text, name string, err error) {
	switch {
	case bytes.HasPrefix(raw, []byte("\xef\xbb\xbf")):
		text, name = string(raw[3:]), "UTF-8"
		if !utf8.ValidString(text) {
			return "", "", noText()
		}
	case bytes.HasPrefix(raw, []byte("\xff\xfe")):
		text, err = decodeBy(utf16.UTF16(utf16.LittleEndian, utf16.ExpectBOM), raw)
		name = "UTF-16LE"
	case bytes.HasPrefix(raw, []byte("\xfe\xff")):
		text, err = decodeBy(utf16.UTF16(utf16.LittleEndian, utf16.ExpectBOM), raw)
		name = "UTF-16BE"
	case utf8.Valid(raw):
		text, name = string(raw), "UTF-8"
	default:
		text, err = decodeBy(charmap.Windows1252, raw)
		name = "windows-1252"
	}
	if err != nil || strings.ContainsRune(text, 0) {
		return "", "", noText()
	}
	return clean(text), name, nil
}

// decodeBy returns the text of a file in an encoding.
func decodeBy(e encoding.Encoding, raw []byte) (string, error) {
	text, err := e.NewDecoder().Bytes(raw)
	if err != nil || bytes.ContainsRune(text, utf8.RuneError) { // an incomplete character
		return "", noText()
	}
	return string(text), nil
}

func noText() error { return unsupported("no_text", "This file contains no text, or it is damaged.") }

// lineEnds makes \n of all line ends.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n\n", "\f", "\n\n")

// wordGoesOn stands where a word goes on in the next paragraph, as in the next subtitle: a word joiner.
const wordGoesOn = "\u2060"

// A soft hyphen at the end of a paragraph, and of another line.
var (
	cutParagraph = regexp.MustCompile(`\x{ad}(?:\r\n\r\n|\n\n|\r\r)`)
	cutLine      = regexp.MustCompile(`\x{ad}(?:\r\n|\n|\r)`)
)

// clean returns s with lines that end with \n, without control characters and invisible ones. Words that a soft hyphen divides are
// joined; at the end of a paragraph it becomes wordGoesOn.
func clean(s string) string {
	s = cutLine.ReplaceAllLiteralString(cutParagraph.ReplaceAllLiteralString(s, wordGoesOn+"\n\n"), "")
	s = hyphen.WithoutUnseen(s)
	s = lineEnds.Replace(s)
	return strings.Map(func(r rune) rune {
		if r == '\ufeff' || r == '\u200b' || unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, s)
}
