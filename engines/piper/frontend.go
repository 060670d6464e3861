package piper

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/phonemes"
)

// frontend turns text into the ids of each sentence.
type frontend struct {
	config     config
	phonemizer engines.Phonemizer
	lower      bool // the id map of a text voice has no capitals
	longest    int  // phonemes in the longest vowel cluster
	clusters   map[string]bool
}

func newFrontend(c config, ph engines.Phonemizer) *frontend {
	f := &frontend{config: c, phonemizer: ph, clusters: map[string]bool{}, lower: c.PhonemeType == phonemesText}
	for phoneme := range c.PhonemeIDMap {
		if strings.IndexFunc(phoneme, unicode.IsUpper) >= 0 {
			f.lower = false
		}
	}
	for _, cluster := range c.VowelClusters {
		f.clusters[strings.Join(cluster, "\x00")] = true
		f.longest = max(f.longest, len(cluster))
	}
	return f
}

// spoken is a sentence as input of the graph.
type spoken struct {
	phonemes engines.Sentence
	ids      []int64
}

// sentences returns the sentences of text that can be spoken.
func (f *frontend) sentences(ctx context.Context, text string) ([]spoken, error) {
	phonemes, err := f.phonemes(ctx, text)
	if err != nil {
		return nil, err
	}
	var out []spoken
	for _, sentence := range phonemes {
		if ids, speakable := f.ids(sentence); speakable {
			out = append(out, spoken{sentence, ids})
		}
	}
	return out, nil
}

// phonemes returns the phonemes of each sentence, clusters merged.
func (f *frontend) phonemes(ctx context.Context, text string) ([]engines.Sentence, error) {
	var sentences []engines.Sentence
	if f.config.PhonemeType == phonemesText {
		sentences = []engines.Sentence{f.letters(text)}
	} else {
		var err error
		if sentences, err = f.pronounced(ctx, text); err != nil {
			return nil, err
		}
	}
	for i, s := range sentences {
		sentences[i] = f.merge(s)
	}
	return sentences, nil
}

// letters returns the whole text as one sentence of code points. Text is lower-cased for voices without capitals, which
// would skip them; piper-tts 1.8.0 does skip them.
func (f *frontend) letters(text string) engines.Sentence {
	if f.lower {
		text = strings.ToLower(text)
	}
	return points(norm.NFD.String(text))
}

func points(s string) engines.Sentence {
	out := make(engines.Sentence, 0, len(s))
	for _, r := range s {
		out = append(out, string(r))
	}
	return out
}

// pronounced sends the text to the phonemizer, piece by piece around the blocks of raw phonemes. A block continues the
// sentence before it, and the text after it continues the block's sentence.
func (f *frontend) pronounced(ctx context.Context, text string) ([]engines.Sentence, error) {
	var out []engines.Sentence
	joined := false
	for _, p := range pieces(text) {
		if p.raw != nil {
			if len(out) == 0 {
				out = append(out, nil)
			}
			out[len(out)-1] = append(out[len(out)-1], p.raw...)
			joined = true
			continue
		}
		plain := p.text
		if strings.HasPrefix(f.config.Espeak.Voice, "en") {
			plain = phonemes.English(plain)
		}
		sentences, err := f.phonemizer.Phonemize(ctx, plain, f.config.Espeak.Voice)
		if err != nil {
			return nil, phonemizeError(ctx, err)
		}
		if joined && len(sentences) > 0 {
			out[len(out)-1] = append(out[len(out)-1], sentences[0]...)
			sentences = sentences[1:]
		}
		out, joined = append(out, sentences...), false
	}
	return out, nil
}

func phonemizeError(ctx context.Context, err error) error {
	if ctx.Err() != nil && !errors.Is(err, backend.ErrCancelled) {
		return backend.ErrCancelled.WithCause(ctx.Err())
	}
	return fmt.Errorf("phonemize: %w", err)
}

// piece is text for the phonemizer, or raw phonemes.
type piece struct {
	text string
	raw  engines.Sentence
}

// pieces cuts text at its raw blocks. A space of the text beside a block stays in the block.
func pieces(text string) []piece {
	var out []piece
	parts := phonemes.Cut(text)
	for i, p := range parts {
		if !p.Block {
			out = append(out, piece{text: p.Text})
			continue
		}
		raw := engines.Sentence{}
		if i > 0 && strings.HasSuffix(parts[i-1].Text, " ") && !parts[i-1].Block {
			raw = append(raw, " ")
		}
		raw = append(raw, points(strings.TrimSpace(p.Text))...)
		if i+1 < len(parts) && strings.HasPrefix(parts[i+1].Text, " ") && !parts[i+1].Block {
			raw = append(raw, " ")
		}
		out = append(out, piece{raw: raw})
	}
	return out
}

// merge joins neighbouring phonemes to the longest vowel cluster that begins at each place.
func (f *frontend) merge(s engines.Sentence) engines.Sentence {
	if f.longest < 2 {
		return s
	}
	out := make(engines.Sentence, 0, len(s))
	for i := 0; i < len(s); {
		n := min(f.longest, len(s)-i)
		for n > 1 && !f.clusters[strings.Join(s[i:i+n], "\x00")] {
			n--
		}
		out = append(out, strings.Join(s[i:i+n], ""))
		i += n
	}
	return out
}

// ids returns the input of the graph: ^ _ then every phoneme's ids and _ then $. Phonemes that the voice does not know
// are left out. speakable is false when what is left has no letter or digit.
func (f *frontend) ids(s engines.Sentence) (ids []int64, speakable bool) {
	table := f.config.PhonemeIDMap
	ids = append(append(ids, table[bos]...), table[pad]...)
	for _, phoneme := range s {
		known, ok := table[phoneme]
		if !ok {
			continue
		}
		ids = append(append(ids, known...), table[pad]...)
		speakable = speakable || strings.IndexFunc(phoneme, sounds) >= 0
	}
	return append(ids, table[eos]...), speakable
}

func sounds(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }
