package english

import (
	"context"
	"errors"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/english/internal/dictionary"
)

const (
	maxCached = 4096 // pronunciations of the fallback
	maxWord   = 100  // letters of a word that the fallback gets; longer ones are read by rules
)

// fallback pronounces words that the dictionaries do not have, and caches their phonemes.
type fallback struct {
	engine engines.Pronouncer // may be nil

	mu    sync.Mutex
	cache map[string]string // by accent and word
}

func newFallback(engine engines.Pronouncer) *fallback {
	return &fallback{engine: engine, cache: make(map[string]string)}
}

// pronouncer returns the pronouncer of a dictionary with this fallback.
func (f *fallback) pronouncer(d *dictionary.Dictionary) pronouncer {
	return pronouncer{
		dictionary: d,
		guess:      func(ctx context.Context, word string) (string, error) { return f.guess(ctx, d, word) },
		whole:      f.engine != nil,
	}
}

// guess returns the phonemes of a word that the dictionary does not have.
func (f *fallback) guess(ctx context.Context, d *dictionary.Dictionary, word string) (string, error) {
	if phonemes, ok := d.WithoutAccents(word); ok {
		return phonemes, nil
	}
	if f.engine == nil || utf8.RuneCountInString(word) > maxWord || dictionary.Unreadable(word) {
		return d.Guess(word), nil
	}
	voice := "en-us"
	if d.British {
		voice = "en-gb"
	}
	key := voice + " " + word
	f.mu.Lock()
	phonemes, ok := f.cache[key]
	f.mu.Unlock()
	if ok {
		return phonemes, nil
	}
	tied, err := f.engine.Pronounce(ctx, word, voice, true)
	if errors.Is(err, backend.E(backend.CodeRuntimeMissing, "", "")) {
		return d.Guess(word), nil
	}
	if err != nil {
		return "", err
	}
	phonemes = strings.TrimSpace(FromEspeak(languageFlag.ReplaceAllString(tied, ""), d.British))
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.cache) >= maxCached {
		clear(f.cache)
	}
	f.cache[key] = phonemes
	return phonemes, nil
}
