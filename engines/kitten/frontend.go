package kitten

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/text"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/phonemes"
)

// accent is the espeak-ng voice whose phonemes the models were trained on.
const accent = "en-us"

// maxSymbols is the most ids of a run, besides the three that frame them: the text encoder of the architecture
// (StyleTTS 2, PL-BERT) knows 512 positions.
const maxSymbols = 509

// frontend turns chunks into phonemes and ids.
type frontend struct {
	pronouncer engines.Pronouncer
	ids        map[rune]int64
}

func newFrontend(p engines.Pronouncer) *frontend {
	return &frontend{pronouncer: p, ids: symbolIDs()}
}

// phonemeText is the phonemes of a chunk and the words that they belong to.
type phonemeText struct {
	tokens []token
	spans  [][]string // the words of each part of the text whose sounds belong together, mostly one word
}

// token is a part of the phonemes between spaces: a word, a punctuation mark, or a sign.
type token struct {
	text string
	span int // the index of its words, noSpan for a mark
}

const noSpan = -1

// add appends phonemes that belong to the words; without words they are marks.
func (r *phonemeText) add(phonemes string, words ...string) {
	span := noSpan
	if len(words) > 0 {
		span = len(r.spans)
		r.spans = append(r.spans, words)
	}
	for _, t := range tokens(phonemes) {
		r.tokens = append(r.tokens, token{t, span})
	}
}

// String returns the phonemes as the models know them: words, marks and signs with one space between.
func (r *phonemeText) String() string {
	texts := make([]string, len(r.tokens))
	for i, t := range r.tokens {
		texts[i] = t.text
	}
	return strings.Join(texts, " ")
}

// read returns the phonemes of a chunk, with a comma at its end where it has no mark there.
func (f *frontend) read(ctx context.Context, chunk string) (*phonemeText, error) {
	r := &phonemeText{}
	for _, p := range phonemes.Cut(closed(chunk)) {
		if p.Block {
			r.add(p.Text, strings.Fields(p.Text)...)
		} else if err := f.readText(ctx, r, p.Text); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// readText adds the phonemes of text without blocks.
func (f *frontend) readText(ctx context.Context, r *phonemeText, s string) error {
	for _, p := range pieces(s) {
		if p.mark {
			r.add(p.text)
			continue
		}
		spoken, err := f.pronounce(ctx, p.text)
		if err != nil {
			return err
		}
		words, groups := slices.DeleteFunc(strings.Fields(p.text), silent), strings.Fields(spoken)
		if len(words) != len(groups) {
			r.add(spoken, words...) // numbers have more sounds than words, and words such as "in the" run together
			continue
		}
		for i, group := range groups {
			r.add(group, words[i])
		}
	}
	return nil
}

func silent(word string) bool { return !text.Speakable(word) }

// pronounce returns the phonemes of text without punctuation.
func (f *frontend) pronounce(ctx context.Context, s string) (string, error) {
	spoken, err := f.pronouncer.Pronounce(ctx, phonemes.English(s), accent, false)
	if err != nil {
		if ctx.Err() != nil && !errors.Is(err, backend.ErrCancelled) {
			return "", backend.ErrCancelled.WithCause(ctx.Err())
		}
		return "", fmt.Errorf("pronounce: %w", err)
	}
	// espeak-ng 1.52, which the reference brings along, writes the vowel of "four" as below.
	return strings.ReplaceAll(withoutFlags(spoken), "oːɹ", "ɔːɹ"), nil
}

// piece is text without punctuation, or one punctuation mark.
type piece struct {
	text string
	mark bool
}

// marks always separate the text around them; . and , do so unless they are between two digits.
const marks = `;:!?¡¿—…"«»“”(){}[]`

// pieces splits text at its punctuation, which espeak-ng would drop (phonemizer 3.4.0, preserve_punctuation).
func pieces(s string) []piece {
	var out []piece
	start := 0
	before := ' '
	for i, r := range s {
		_, width := utf8.DecodeRuneInString(s[i:])
		inNumber := digit(before) && startsWithDigit(s[i+width:])
		if strings.ContainsRune(marks, r) || (r == '.' || r == ',') && !inNumber {
			out = append(appendText(out, s[start:i]), piece{s[i : i+width], true})
			start = i + width
		}
		before = r
	}
	return appendText(out, s[start:])
}

func appendText(all []piece, s string) []piece {
	if s = strings.TrimSpace(s); s != "" {
		all = append(all, piece{text: s})
	}
	return all
}

func digit(r rune) bool { return r >= '0' && r <= '9' }

func startsWithDigit(s string) bool { return s != "" && digit(rune(s[0])) }

// withoutFlags drops the language flags that espeak-ng puts around foreign words, such as (en), since their letters
// would be spoken. Brackets of the text never get to espeak-ng.
func withoutFlags(spoken string) string {
	for {
		before, remaining, opened := strings.Cut(spoken, "(")
		_, after, closed := strings.Cut(remaining, ")")
		if !opened || !closed {
			return spoken
		}
		spoken = before + after
	}
}

// tokens returns the runs of letters, digits and underscores, and every other character that is no white space by itself.
func tokens(s string) []string {
	var out []string
	inWord := false
	for _, r := range s {
		word := r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r)
		switch {
		case unicode.IsSpace(r):
		case word && inWord:
			out[len(out)-1] += string(r)
		default:
			out = append(out, string(r))
		}
		inWord = word
	}
	return out
}

// symbol is one id of a model's input.
type symbol struct {
	id   int64
	span int // the index of the words that it sounds for, noSpan for spaces, marks and the frame
}

// symbols returns the ids of phonemes; what the models do not know is left out. speakable is false if no sound is left.
func (f *frontend) symbols(r *phonemeText) (all []symbol, speakable bool) {
	for i, t := range r.tokens {
		if i > 0 {
			all = append(all, symbol{spaceID, noSpan})
		}
		for _, c := range t.text {
			if id, ok := f.ids[c]; ok {
				all = append(all, symbol{id, t.span})
				speakable = speakable || sounds(c)
			}
		}
	}
	return all, speakable
}

// runs returns the framed symbols of each run of the graph: one run if they fit, else several, cut at spaces.
func runs(all []symbol) [][]symbol {
	var out [][]symbol
	for len(all) > maxSymbols {
		cut := maxSymbols
		for cut > maxSymbols/2 && all[cut].id != spaceID {
			cut--
		}
		if all[cut].id != spaceID {
			cut = maxSymbols
		}
		out = append(out, frame(all[:cut]))
		last := all[cut-1].span
		all = all[cut:]
		for i := range all {
			if all[i].span == last {
				all[i].span = noSpan // its words belong to the run in which they begin
			}
		}
	}
	return append(out, frame(all))
}

func frame(all []symbol) []symbol {
	edge := symbol{edgeID, noSpan}
	out := append(make([]symbol, 0, len(all)+3), edge)
	return append(append(out, all...), symbol{endID, noSpan}, edge)
}
