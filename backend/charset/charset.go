// Package charset finds the character encoding of text files and decodes them.
package charset

import (
	"errors"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"github.com/voicewright/voicewright/backend"
)

// The names of the encodings of Unicode, as IANA has them.
const (
	UTF8    = "UTF-8"
	utf16LE = "UTF-16LE"
	utf16BE = "UTF-16BE"
	utf32LE = "UTF-32LE"
	utf32BE = "UTF-32BE"
)

// ErrNoText is the error of a file that is no text, whatever its encoding.
var ErrNoText = errors.New("the file is no text")

// Text is a decoded file.
type Text struct {
	Text    string
	Name    string // of the encoding, as IANA has it
	Guessed bool   // the encoding was found by what the text looks like
	Bad     int    // characters that were not valid and became U+FFFD
}

// Decode returns the text of a file without its byte order mark. The encoding is the one of name, as the user gives it; without one
// that of the byte order mark, else the one that the file declares, else the most likely one.
// Errors: a validation error for an unknown name, ErrNoText.
func Decode(raw []byte, name, declared string) (Text, error) {
	var found Found
	if name != "" {
		known, err := Check(name)
		if err != nil {
			return Text{}, err
		}
		found.Name = known
	} else {
		found = Detect(sampleOf(raw), declared)
	}
	if found.Name == "" {
		return Text{}, ErrNoText
	}
	decoded, err := NewDecoder(found.Name).Bytes(raw)
	if err != nil {
		return Text{}, ErrNoText
	}
	text := strings.TrimRight(strings.TrimPrefix(string(decoded), "\ufeff"), "\x00") // some programs fill up with zeros
	t := Text{Text: text, Name: found.Name, Guessed: found.Guessed, Bad: strings.Count(text, string(utf8.RuneError))}
	if strings.ContainsRune(text, 0) || t.Bad*maxBad > utf8.RuneCountInString(text) {
		return Text{}, ErrNoText
	}
	return t, nil
}

// maxBad is the share of characters that may be invalid in a text: one in so many.
const maxBad = 5

// Check returns the name of an encoding as IANA has it, for any of its names. Error: a validation error that names some.
func Check(name string) (string, error) {
	if _, known, ok := find(name); ok {
		return known, nil
	}
	return "", backend.Invalid("value_error", "Value error, unknown encoding "+strings.ToValidUTF8(name, "\ufffd")+
		"; use one such as UTF-8, UTF-16LE, windows-1252, windows-1251, ISO-8859-2, Shift_JIS or GB18030", "body", "encoding")
}

// NewDecoder returns a decoder of the encoding with a name that Check or Detect returned. Invalid bytes become U+FFFD.
func NewDecoder(name string) *encoding.Decoder {
	e, _, ok := find(name)
	if !ok { // names are checked before
		panic("charset: unknown encoding " + name)
	}
	return e.NewDecoder()
}

// unicodeEncodings are those whose byte order mark is none of the text.
func unicodeEncodings() map[string]encoding.Encoding {
	return map[string]encoding.Encoding{
		UTF8:    unicode.UTF8BOM,
		utf16LE: unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM),
		utf16BE: unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM),
		utf32LE: utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM),
		utf32BE: utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM),
	}
}

// find returns an encoding by any of its names: those of the web first, which has the names that programs really write.
func find(name string) (e encoding.Encoding, known string, ok bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	if same, ok := otherNames[name]; ok {
		name = same
	}
	for known, e := range unicodeEncodings() {
		if strings.EqualFold(known, name) {
			return e, known, true
		}
	}
	e, err := htmlindex.Get(name)
	if err != nil {
		if e, err = ianaindex.IANA.Encoding(name); err != nil || e == nil {
			return nil, "", false
		}
	}
	if known, err = ianaindex.MIME.Name(e); err != nil {
		if known, err = htmlindex.Name(e); err != nil || known == "replacement" || known == "x-user-defined" {
			return nil, "", false
		}
	}
	for _, e := range []string{UTF8, utf16LE, utf16BE} { // with their byte order mark
		if strings.EqualFold(known, e) {
			return unicodeEncodings()[e], e, true
		}
	}
	return e, known, true
}

// otherNames are names that the lists of IANA and of the web do not have.
var otherNames = map[string]string{
	"utf8": "utf-8", "utf-8-sig": "utf-8", "utf16": "utf-16le", "utf-16": "utf-16le", "utf32": "utf-32le", "utf-32": "utf-32le",
	"ansi": "windows-1252", "macroman": "macintosh", "mac-roman": "macintosh", "maccyrillic": "x-mac-cyrillic",
	"cp932": "shift_jis", "cp936": "gbk", "cp949": "euc-kr", "cp950": "big5", "sjis": "shift_jis", "eucjp": "euc-jp",
	"euckr": "euc-kr", "cp1250": "windows-1250", "cp437": "ibm437", "cp850": "ibm850", "cp852": "ibm852", "cp855": "ibm855",
	"cp858": "ibm00858", "cp866": "ibm866", "tis-620": "windows-874", "gb2312": "gbk", "koi8r": "koi8-r",
}

// declarations find the encoding that a document of XML or HTML names in its first line or in a meta element.
var declarations = []*regexp.Regexp{
	regexp.MustCompile(`^\x{feff}?\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([A-Za-z0-9._:-]+)["']`),
	regexp.MustCompile(`(?i)<meta\s[^>]*?\bcharset\s*=\s*["']?\s*([A-Za-z0-9._:-]+)`),
}

// Declared returns the name of the encoding that a document of XML or HTML gives for itself, empty for none.
func Declared(raw []byte) string {
	head := raw[:min(len(raw), headBytes)]
	for _, declaration := range declarations {
		if m := declaration.FindSubmatch(head); m != nil {
			return string(m[1])
		}
	}
	return ""
}
