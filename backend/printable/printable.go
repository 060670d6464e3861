// Package printable makes texts fit to be shown: in one line, short, without control characters.
package printable

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// WithoutControls returns text without control characters, such as the escape of a terminal: line breaks and tabs become blanks, the
// others are left out, as is what is no valid UTF-8. Blanks at the ends stay.
func WithoutControls(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\u2028' || r == '\u2029' || unicode.IsControl(r) && unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
}

// Shortened returns a text of at most n characters: of a longer one the start, with … at its end.
func Shortened(s string, n int) string {
	if runes := []rune(s); len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return s
}

// OneLine returns text as one line that is safe to type into any program: WithoutControls, without the characters that change the
// direction of writing, and with one blank between words.
func OneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Bidi_Control, r) {
			return -1
		}
		return r
	}, WithoutControls(s))
	return strings.Join(strings.Fields(s), " ")
}

// FirstBytes returns the start of a string, at most n bytes, in whole characters.
func FirstBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// Sentence returns a message as a sentence: with a capital letter at its start and a full stop at its end.
func Sentence(message string) string {
	if message == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(message)
	message = string(unicode.ToUpper(first)) + message[size:]
	if !strings.HasSuffix(message, ".") {
		message += "."
	}
	return message
}

// SentenceAbout is Sentence for a message that may begin with an option or the name of a file, which stays as it is written.
func SentenceAbout(message string) string {
	word, _, _ := strings.Cut(message, " ")
	if !strings.ContainsAny(word, "-./_:") {
		return Sentence(message)
	}
	if strings.HasSuffix(message, ".") {
		return message
	}
	return message + "."
}

// Clock returns a length in seconds as people write it, such as 4:05 or 1:02:03.
func Clock(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	if d < time.Hour {
		return fmt.Sprintf("%d:%02d", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60)
}

// Bytes returns a size as people write it, such as 1.2 MB.
func Bytes(bytes int64) string {
	switch {
	case bytes >= 1_000_000_000:
		return fmt.Sprintf("%.2f GB", float64(bytes)/1e9)
	case bytes >= 1_000_000:
		return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
	default:
		return fmt.Sprintf("%.1f kB", float64(bytes)/1e3)
	}
}
