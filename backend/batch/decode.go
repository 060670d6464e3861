package batch

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"golang.org/x/text/transform"

	"github.com/voicewright/voicewright/backend/charset"
)

// decode returns a list in UTF-8 without its byte order mark, and its encoding: the named one, else the one that its bytes look
// like. Errors: a validation error for an unknown name, unsupported_media for a file that is no text, also of its Read at a NUL
// byte, which no text has.
func decode(r io.ReadSeeker, name string) (io.Reader, charset.Found, error) {
	found := charset.Found{}
	var err error
	if name != "" {
		if found.Name, err = charset.Check(name); err != nil {
			return nil, found, err
		}
	} else {
		sample, err := charset.Sample(r)
		if err != nil {
			return nil, found, fmt.Errorf("read the list: %w", err)
		}
		if _, err := r.Seek(0, io.SeekStart); err != nil {
			return nil, found, fmt.Errorf("read the list again: %w", err)
		}
		if found = charset.Detect(sample, ""); found.Name == "" {
			return nil, found, errNoText()
		}
	}
	in := bufio.NewReader(transform.NewReader(r, charset.NewDecoder(found.Name)))
	if mark, _ := in.Peek(len("\ufeff")); string(mark) == "\ufeff" { // an error comes again with the first read
		_, _ = in.Discard(len(mark)) // it was peeked
	}
	return &textReader{r: in}, found, nil
}

func errNoText() error {
	return errUnsupported(ReasonKind, "This file is no text.", "Choose a .csv, .jsonl or .txt file.")
}

// textReader reads a file as long as it is a text. Its lines end with a line feed, also those of a file of old Macs, in which they
// end with a carriage return.
type textReader struct {
	r        io.Reader
	returned bool  // the last byte was a carriage return
	err      error // is returned again, as a look ahead may swallow it
}

func (t *textReader) Read(p []byte) (int, error) {
	if t.err != nil {
		return 0, t.err
	}
	n, err := t.r.Read(p)
	if at := bytes.IndexByte(p[:n], 0); at >= 0 {
		n, t.err = at, errNoText()
		err = t.err
	}
	return t.endLines(p[:n]), err
}

// endLines writes a line feed for each end of a line in p, and returns the new length.
func (t *textReader) endLines(p []byte) int {
	n := 0
	for _, b := range p {
		second := b == '\n' && t.returned
		if t.returned = b == '\r'; t.returned {
			b = '\n'
		}
		if !second {
			p[n] = b
			n++
		}
	}
	return n
}
