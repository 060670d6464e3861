package english

import (
	"context"
	"errors"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

// English turns English text into the phonemes of Kokoro's models by the dictionaries and rules of misaki
// (hexgrad/misaki, misaki/en.py). It is safe for concurrent use. A dictionary takes about 5 MB from its first use on.
type English struct {
	fallback engines.Pronouncer
	us, gb   func() (*lexicon, error)

	mu      sync.Mutex
	guessed map[string]string // by accent and word
}

// remembered is how many answers of the fallback are kept.
const remembered = 4096

// longestWord is how many letters a word may have to be asked for; longer ones are read by rules.
const longestWord = 100

// NewEnglish makes an English. fallback, which may be nil, is asked for words that the dictionaries do not have.
func NewEnglish(fallback engines.Pronouncer) *English {
	return &English{
		fallback: fallback,
		us:       sync.OnceValues(func() (*lexicon, error) { return openLexicon(false) }),
		gb:       sync.OnceValues(func() (*lexicon, error) { return openLexicon(true) }),
		guessed:  make(map[string]string),
	}
}

// Phonemes gives the sound of text as Kokoro's models read it, with its punctuation, in British or American English.
// [[ipa]] is taken as it stands, through FromIPA. A word that the dictionaries do not have is pronounced by the fallback;
// without one, or when its program is missing, by letter-to-sound rules. Signs without a name and words in scripts that
// nobody reads in English are left out. Text without a sound gives an empty string.
// Errors: cancelled, and those of the fallback but runtime_missing.
func (e *English) Phonemes(ctx context.Context, text string, british bool) (string, error) {
	open := e.us
	if british {
		open = e.gb
	}
	l, err := open()
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for text != "" {
		if err := ctx.Err(); err != nil {
			return "", backend.AsError(err)
		}
		var part string
		part, text = portion(text)
		tokens := tokenize(norm.NFC.String(part), british)
		tag(l, tokens)
		s := speaker{lexicon: l, whole: e.fallback != nil}
		s.guess = func(ctx context.Context, word string) (string, error) { return e.guess(ctx, l, word) }
		sounds, err := s.speak(ctx, group(tokens))
		if err != nil {
			return "", backend.AsError(err)
		}
		for _, t := range sounds {
			out.WriteString(t.sound)
			if t.space {
				out.WriteByte(' ')
			}
		}
	}
	sound := kokoro(strings.NewReplacer("ɾ", "T", "ʔ", "t").Replace(out.String()))
	if !worth(sound) {
		return "", nil
	}
	return strings.Join(strings.Fields(sound), " "), nil
}

// portionSize is the number of bytes after which a text is cut at the next end of a line or sentence, so that a book is not
// held as tokens at once; portionLimit is where it is cut in any case.
const (
	portionSize  = 4 << 10
	portionLimit = 16 << 10
)

// portion cuts the first part off a text.
func portion(text string) (part, rest string) {
	if len(text) <= portionSize {
		return text, ""
	}
	for i := portionSize; i < min(len(text), portionLimit); i++ {
		if text[i] == '\n' || text[i] == ' ' && strings.IndexByte(".!?", text[i-1]) >= 0 && !inBlock(text[:i]) {
			return text[:i+1], text[i+1:]
		}
	}
	if len(text) <= portionLimit {
		return text, ""
	}
	i := strings.LastIndexByte(text[:portionLimit], ' ') + 1
	if i == 0 {
		i = portionLimit
	}
	return text[:i], text[i:]
}

// inBlock reports whether a text ends inside [[ ]].
func inBlock(text string) bool {
	const longest = 1000
	text = text[max(len(text)-longest, 0):]
	return strings.LastIndex(text, "[[") > strings.LastIndex(text, "]]")
}

// guess gives the phonemes of a word that the dictionary does not have.
func (e *English) guess(ctx context.Context, l *lexicon, word string) (string, error) {
	if sound, ok := l.plain(word); ok {
		return sound, nil
	}
	if e.fallback == nil || len([]rune(word)) > longestWord || silent(word) {
		return l.letters(word), nil
	}
	voice := "en-us"
	if l.british {
		voice = "en-gb"
	}
	key := voice + " " + word
	e.mu.Lock()
	sound, ok := e.guessed[key]
	e.mu.Unlock()
	if ok {
		return sound, nil
	}
	tied, err := e.fallback.Pronounce(ctx, word, voice, true)
	if errors.Is(err, backend.E(backend.CodeRuntimeMissing, "", "")) {
		return l.letters(word), nil
	}
	if err != nil {
		return "", err
	}
	sound = strings.TrimSpace(FromEspeak(flag.ReplaceAllString(tied, ""), l.british))
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.guessed) >= remembered {
		clear(e.guessed)
	}
	e.guessed[key] = sound
	return sound, nil
}
