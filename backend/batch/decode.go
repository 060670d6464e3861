package batch

import (
	"bufio"
	"bytes"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// decode returns a list without its byte order mark, in UTF-8 if it was in UTF-16. Error of its Read: unsupported_media at a NUL
// byte, which no text has.
func decode(r io.Reader) io.Reader { return &textReader{r: decodeMarked(r)} }

func decodeMarked(r io.Reader) io.Reader {
	in := bufio.NewReader(r)
	start, _ := in.Peek(3) // a shorter file has no mark, and an error comes again with the first read
	if len(start) >= 2 && (start[0] == 0xff && start[1] == 0xfe || start[0] == 0xfe && start[1] == 0xff) {
		return transform.NewReader(in, unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder())
	}
	if string(start) == "\ufeff" {
		_, _ = in.Discard(len(start)) // it was peeked
	}
	return in
}

// textReader reads a file as long as it is a text.
type textReader struct {
	r   io.Reader
	err error // is returned again, as a look ahead may swallow it
}

func (t *textReader) Read(p []byte) (int, error) {
	if t.err != nil {
		return 0, t.err
	}
	n, err := t.r.Read(p)
	if at := bytes.IndexByte(p[:n], 0); at >= 0 {
		n, t.err = at, unsupported(ReasonKind, "This file is no text.", "Choose a .csv, .jsonl or .txt file, in UTF-8, UTF-16 or Windows-1252.")
		err = t.err
	}
	return n, err
}

// toUTF8 returns a text that is not UTF-8 from Windows-1252, in which older spreadsheets save.
func toUTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	out, err := charmap.Windows1252.NewDecoder().String(s)
	if err != nil { // every byte has a character
		return s
	}
	return out
}
