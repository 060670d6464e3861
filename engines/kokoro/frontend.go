package kokoro

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/english"
	"github.com/voicewright/voicewright/engines/phonemes"
)

// English turns English text into the phonemes that Kokoro was trained on, punctuation kept. It understands IPA in double
// brackets. For text without a sound the result has none.
type English interface {
	Phonemes(ctx context.Context, text string, british bool) (string, error)
}

var _ English = (*english.G2P)(nil)

// accent is a pronunciation that the model was trained on.
type accent struct {
	letter   byte   // of the voices' ids
	language string // BCP 47
	espeak   string // the voice of espeak-ng
	reason   string // why this build cannot speak it, else empty
}

func (a accent) english() bool { return a.letter == 'a' || a.letter == 'b' }

// accents returns the accents that the model was trained on.
func accents() []accent {
	return []accent{
		{letter: 'a', language: "en-US", espeak: "en-us"},
		{letter: 'b', language: "en-GB", espeak: "en-gb"},
		{letter: 'e', language: "es", espeak: "es"},
		{letter: 'f', language: "fr-FR", espeak: "fr-fr"},
		{letter: 'h', language: "hi", espeak: "hi"},
		{letter: 'i', language: "it", espeak: "it"},
		{letter: 'p', language: "pt-BR", espeak: "pt-br"},
		{letter: 'j', language: "ja", reason: "Voicewright has no Japanese phonemizer for Kokoro."},
		{letter: 'z', language: "zh", reason: "Voicewright has no Chinese phonemizer for Kokoro."},
	}
}

// accentOf returns the accent of a voice; ids of another form than the published ones are taken as American.
func accentOf(id string) accent {
	all := accents()
	if voiceForm.MatchString(id) {
		for _, a := range all {
			if a.letter == id[0] {
				return a
			}
		}
	}
	return all[0]
}

// accentFor returns the accent for a wanted language (BCP 47, empty for the voice's own): that very one, else the voice's
// own where only the country differs, else one of the same language.
func accentFor(own accent, language string) (accent, bool) {
	if language == "" {
		return own, true
	}
	all := append([]accent{own}, accents()...)
	for _, a := range all {
		if strings.EqualFold(a.language, language) {
			return a, true
		}
	}
	for _, a := range all {
		if engines.SameLanguage(a.language, language) {
			return a, true
		}
	}
	return accent{}, false
}

// frontend turns text into phonemes.
type frontend struct {
	english English
	foreign engines.Pronouncer
}

// phonemes returns the phonemes of text, with symbols that the model does not know and vocabulary.known removes.
func (f *frontend) phonemes(ctx context.Context, text string, a accent) (string, error) {
	if a.english() {
		spoken, err := f.english.Phonemes(ctx, text, a.letter == 'b')
		if err != nil {
			return "", phonemesError(ctx, err)
		}
		return spoken, nil
	}
	var out strings.Builder
	for _, p := range pieces(text) {
		switch p.kind {
		case marks:
			out.WriteString(curly.Replace(p.text))
		case ipa:
			out.WriteString(english.FromEspeakForeign(p.text))
		case words:
			spoken, err := f.foreign.Pronounce(ctx, strings.TrimSpace(p.text), a.espeak, true)
			if err != nil {
				return "", phonemesError(ctx, err)
			}
			out.WriteString(around(p.text, strings.TrimSpace(english.FromEspeakForeign(spoken))))
		}
	}
	return out.String(), nil
}

func phonemesError(ctx context.Context, err error) error {
	if ctx.Err() != nil && !errors.Is(err, backend.ErrCancelled) {
		return backend.ErrCancelled.WithCause(ctx.Err())
	}
	return fmt.Errorf("make phonemes: %w", err)
}

// around returns the phonemes with the white space that text has at its ends.
func around(text, spoken string) string {
	if first := strings.TrimLeftFunc(text, unicode.IsSpace); len(first) < len(text) {
		spoken = " " + spoken
	}
	if last := strings.TrimRightFunc(text, unicode.IsSpace); len(last) < len(text) {
		spoken += " "
	}
	return spoken
}

// curly replaces quotes by those that the model knows (misaki 0.9.4, EspeakG2P).
var curly = strings.NewReplacer("«", "“", "»", "”")

// kind says what to do with a piece of text.
type kind int

const (
	words kind = iota // for the phonemizer
	marks             // punctuation with the white space around it, kept
	ipa               // phonemes already
)

type piece struct {
	kind kind
	text string
}

// pieces cuts text into phonemes in double brackets, punctuation, and the words between.
func pieces(text string) []piece {
	var out []piece
	for _, p := range phonemes.Cut(text) {
		if p.Block {
			out = append(out, piece{ipa, strings.TrimSpace(p.Text)})
		} else {
			out = append(out, clauses([]rune(p.Text))...)
		}
	}
	return out
}

// clauses cuts text at its punctuation as phonemizer 3.4.0 does, and at its line ends.
func clauses(text []rune) []piece {
	var out []piece
	add := func(k kind, from, to int) {
		if strings.TrimSpace(string(text[from:to])) == "" {
			k = marks
		}
		out = append(out, piece{k, string(text[from:to])})
	}
	start := 0
	for i := 0; i < len(text); {
		if !mark(text, i) {
			i++
			continue
		}
		from, to := i, i+1
		for from > start && unicode.IsSpace(text[from-1]) {
			from--
		}
		for to < len(text) && (mark(text, to) || unicode.IsSpace(text[to])) {
			to++
		}
		add(words, start, from)
		add(marks, from, to)
		start, i = to, to
	}
	add(words, start, len(text))
	return out
}

// mark reports whether the character at i is punctuation. Dots and commas between digits are a part of the number.
func mark(text []rune, i int) bool {
	switch r := text[i]; r {
	case '.', ',':
		return i == 0 || i+1 == len(text) || !digit(text[i-1]) || !digit(text[i+1])
	default:
		return strings.ContainsRune(";:!?¡¿—…\"«»“”(){}[]\n\r", r)
	}
}

// digit reports whether r is a digit to the reference, [0-9].
func digit(r rune) bool { return r >= '0' && r <= '9' }
