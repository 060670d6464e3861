package cli

import (
	"bytes"
	"io"
	"os"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-isatty"
)

// terminalWriter is a terminal on which text is shown as it is: characters that would control the terminal or change the order of others
// appear as signs. Everything that the program prints goes through one, as names and texts may come from other people.
type terminalWriter struct {
	tty *os.File

	mu   sync.Mutex
	held []byte // the start of a character whose other bytes come with the next write
}

// onTerminal returns a stream that shows what is printed, if it is a terminal. Pipes and files get every byte as it is.
func onTerminal(stream io.Writer) io.Writer {
	if f, ok := stream.(*os.File); ok && isatty.IsTerminal(f.Fd()) {
		return &terminalWriter{tty: f}
	}
	return stream
}

// Write prints p, which may end within a character.
func (t *terminalWriter) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := append(t.held, p...)
	end := completeLength(text)
	t.held = bytes.Clone(text[end:])
	if _, err := t.tty.WriteString(visible(string(text[:end]))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// completeLength returns the length of text without a character at its end that is not complete.
func completeLength(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if start := len(text) - n; utf8.RuneStart(text[start]) {
			if utf8.FullRune(text[start:]) {
				break
			}
			return start
		}
	}
	return len(text)
}

// visible returns a text with a sign in the place of each character that a terminal would obey: the control characters but line
// ends and tabs, bytes that are no UTF-8, line and paragraph separators, and those that turn the direction of writing.
func visible(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		return sign(r)
	}, s)
}

// visibleCell returns a text as visible does, without line ends and tabs, which would break a table or a bar.
func visibleCell(s string) string { return strings.Map(sign, s) }

// sign returns the sign of a character that is not to be printed, else the character.
func sign(r rune) rune {
	const pictures, picturesDelete = '\u2400', '\u2421'
	switch {
	case r < ' ':
		return pictures + r
	case r == 0x7f:
		return picturesDelete
	case unicode.Is(unicode.Cc, r), unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r), unicode.Is(unicode.Bidi_Control, r):
		return unicode.ReplacementChar
	}
	return r
}
