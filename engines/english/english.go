// Package english turns English letters into the phonemes of Kokoro's models by the dictionaries and rules of misaki
// (hexgrad/misaki, misaki/en.py), in five stages: tokens, their parts of speech, the phonemes of each word, the stress within
// compounds, and all of it joined.
package english

import (
	"context"
	"regexp"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"

	"github.com/voicewright/voicewright/backend"
	textenglish "github.com/voicewright/voicewright/backend/text/english"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/english/internal/dictionary"
	"github.com/voicewright/voicewright/engines/english/internal/tag"
	"github.com/voicewright/voicewright/engines/english/internal/token"
)

// G2P (grapheme to phoneme) turns English text into phonemes. It is safe for concurrent use. A dictionary takes about 6 MB
// from its first use on.
type G2P struct {
	us, gb   func() (*dictionary.Dictionary, error)
	fallback *fallback
}

// New returns a G2P. pronouncer, which may be nil, is used for words that the dictionaries do not have.
func New(pronouncer engines.Pronouncer) *G2P {
	return &G2P{
		us:       sync.OnceValues(func() (*dictionary.Dictionary, error) { return dictionary.Open(false) }),
		gb:       sync.OnceValues(func() (*dictionary.Dictionary, error) { return dictionary.Open(true) }),
		fallback: newFallback(pronouncer),
	}
}

// initialA is the A of a name, which has a space behind it that does not break.
var initialA = regexp.MustCompile(`\bA` + textenglish.NoBreak)

// Phonemes returns the phonemes of text as Kokoro's models read them, with its punctuation, in British or American English.
// [[ipa]] is taken as it is, through FromIPA. A word that the dictionaries do not have is pronounced by the fallback; without
// one, or when its program is missing, by letter-to-sound rules. Signs without a name and words in scripts that English
// readers cannot read are left out. For text without a sound it returns an empty string.
// Errors: cancelled, and those of the fallback but runtime_missing.
func (g *G2P) Phonemes(ctx context.Context, text string, british bool) (string, error) {
	open := g.us
	if british {
		open = g.gb
	}
	d, err := open()
	if err != nil {
		return "", err
	}
	text = initialA.ReplaceAllString(text, "[[ˈeɪ]] ")
	var out strings.Builder
	for text != "" {
		var first string
		first, text = portion(text)
		tokens := token.Tokenize(norm.NFC.String(first))
		tags := tag.Tags(d, tokens)
		groups := group(tokens, tags, british)
		if err := g.fallback.pronouncer(d).pronounce(ctx, groups); err != nil {
			return "", backend.AsError(err)
		}
		stress(groups)
		join(&out, groups)
	}
	return finish(out.String()), nil
}
