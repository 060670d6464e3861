package extract

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/charset"
	"github.com/voicewright/voicewright/backend/extract/internal/prose"
)

// text returns the text of the file, see decode.
func (s *source) text() (string, error) { return s.decode(s.raw, "") }

// decode returns the text of the file or of a part of it, in the encoding that the user gave, that the part declares or that it
// looks like, which the document says. Lines end with \n; control characters are left out. Errors: unsupported_media for a file
// without text, a validation error for an unknown encoding.
func (s *source) decode(raw []byte, declared string) (string, error) {
	t, err := charset.Decode(raw, s.encoding, declared)
	if errors.Is(err, charset.ErrNoText) {
		return "", errNoText().WithCause(err)
	}
	if err != nil {
		return "", err
	}
	if !slices.Contains(s.encodings, t.Name) {
		s.encodings = append(s.encodings, t.Name)
	}
	s.guessed = s.guessed || t.Guessed
	s.bad += t.Bad
	return prose.Clean(t.Text), nil
}

// noteEncoding adds to the document in which encoding it was read.
func (s *source) noteEncoding() {
	name := strings.Join(s.encodings, ", ")
	s.doc.Encoding = name
	if s.guessed {
		s.note("encoding_guessed", fmt.Sprintf("The file does not name its character encoding; it was read as %s.", name),
			map[string]any{"encoding": name})
	}
	if s.bad > 0 {
		s.note("bad_characters", counted(s.bad, "%d character was", "%d characters were")+" not valid in "+name+" and became \ufffd.",
			map[string]any{"count": s.bad, "encoding": name})
	}
}

// counted returns a number in a part of a sentence.
func counted(n int, one, other string) string {
	if n == 1 {
		return fmt.Sprintf(one, n)
	}
	return fmt.Sprintf(other, n)
}

func errNoText() *backend.Error {
	return errUnsupported("no_text", "This file contains no text, or it is damaged.")
}
