package app

import (
	"context"
	"strings"
	"unicode"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/text"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/english"
	"github.com/voicewright/voicewright/engines/espeak"
	"github.com/voicewright/voicewright/engines/kokoro"
	"github.com/voicewright/voicewright/engines/phonemes"
	"github.com/voicewright/voicewright/engines/supertonic"
)

// phonetics converts texts to phonemes, as the engines do.
type phonetics struct {
	english    *english.G2P
	phonemizer *espeak.Phonemizer
}

// of returns the phonemes of a text: Kokoro's own for its English, else espeak-ng's IPA.
// Errors: language_not_supported, runtime_missing, those of the phonemizer.
func (p phonetics) of(ctx context.Context, engine, language, text string) (string, error) {
	accent := strings.ToLower(language)
	if engine == kokoro.Name && strings.HasPrefix(accent, "en") {
		return p.english.Phonemes(ctx, text, accent == "en-gb")
	}
	voice, ok := espeak.VoiceFor(language)
	if !ok {
		return "", languageError(language)
	}
	return aroundPhonemes(text, func(words string) (string, error) { return p.clauses(ctx, words, voice) })
}

// clauses returns the phonemes of words.
func (p phonetics) clauses(ctx context.Context, words, voice string) (string, error) {
	if strings.HasPrefix(voice, "en") {
		words = phonemes.English(words)
	}
	sentences, err := p.phonemizer.Phonemize(ctx, words, voice)
	var all []string
	for _, sentence := range sentences {
		all = append(all, strings.Join(sentence, ""))
	}
	return strings.Join(all, " "), err
}

// unread reports whether a model skips these characters, which are symbols or of another script. Supertonic and the models
// that clone read the letters of their languages, the others what espeak-ng reads.
func (p phonetics) unread(ctx context.Context, model engines.Model, language, characters string) (bool, error) {
	if model.Engine == supertonic.Name || model.Clones != nil {
		scripts := text.Scripts(model.Languages...)
		return !strings.ContainsFunc(characters, func(r rune) bool {
			return unicode.In(r, scripts...) || unicode.IsNumber(r) || unicode.Is(unicode.Sc, r)
		}), nil
	}
	voice, ok := espeak.VoiceFor(language)
	var sounds string
	var err error
	switch {
	case model.Engine == kokoro.Name && strings.HasPrefix(voice, "en-"):
		sounds, err = p.of(ctx, model.Engine, language, characters)
	case !ok:
		err = languageError(language)
	case model.Engine == espeak.Name: // it reads more than what the others get as clauses
		sounds, err = p.phonemizer.Pronounce(ctx, characters, voice, false)
	default:
		sounds, err = p.clauses(ctx, characters, voice)
	}
	return err == nil && !strings.ContainsFunc(sounds, unicode.IsLetter), err
}

func languageError(language string) error {
	return backend.E(backend.CodeLanguageNotSupported, "espeak-ng has no voice for "+language+".",
		"Choose a voice in another language.")
}

// aroundPhonemes returns a text in phonemes: the phonemes in double brackets as they are, the words around them as convert
// returns them.
func aroundPhonemes(text string, convert func(words string) (string, error)) (string, error) {
	var out strings.Builder
	for text != "" {
		words, after, opened := strings.Cut(text, "[[")
		given, after, closed := strings.Cut(after, "]]")
		if !opened || !closed {
			words, given, after = text, "", ""
		}
		converted := strings.TrimSpace(words)
		if strings.ContainsFunc(converted, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
			var err error
			if converted, err = convert(converted); err != nil {
				return "", err
			}
		}
		if out.Len() > 0 && strings.TrimLeftFunc(words, unicode.IsSpace) != words {
			out.WriteByte(' ')
		}
		out.WriteString(converted)
		if converted != "" && strings.TrimRightFunc(words, unicode.IsSpace) != words {
			out.WriteByte(' ')
		}
		out.WriteString(strings.TrimSpace(given))
		text = after
	}
	return strings.TrimSpace(out.String()), nil
}
