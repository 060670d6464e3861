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
	"github.com/voicewright/voicewright/engines/supertonic"
)

// phonetics shows what engines make of a text.
type phonetics struct {
	english    *english.G2P
	phonemizer *espeak.Phonemizer
}

// of gives the phonemes of a text: Kokoro's own for its English, espeak-ng's IPA for all else.
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

// clauses returns what the phonemizer makes of words.
func (p phonetics) clauses(ctx context.Context, words, voice string) (string, error) {
	sentences, err := p.phonemizer.Phonemize(ctx, words, voice)
	var all []string
	for _, sentence := range sentences {
		all = append(all, strings.Join(sentence, ""))
	}
	return strings.Join(all, " "), err
}

// unread reports whether a model has no sound for a few characters of another script, or symbols. Supertonic reads the
// letters of its languages, the others what espeak-ng reads.
func (p phonetics) unread(ctx context.Context, model engines.Model, language, characters string) (bool, error) {
	if model.Engine == supertonic.Name {
		scripts := text.Scripts(model.Languages...)
		return !strings.ContainsFunc(characters, func(r rune) bool {
			return unicode.In(r, scripts...) || unicode.IsNumber(r) || unicode.Is(unicode.Sc, r)
		}), nil
	}
	voice, ok := espeak.VoiceFor(language)
	var said string
	var err error
	switch {
	case model.Engine == kokoro.Name && strings.HasPrefix(voice, "en-"):
		said, err = p.of(ctx, model.Engine, language, characters)
	case !ok:
		err = languageError(language)
	case model.Engine == espeak.Name: // it reads more than the clauses that the others are given
		said, err = p.phonemizer.Pronounce(ctx, characters, voice, false)
	default:
		said, err = p.clauses(ctx, characters, voice)
	}
	return err == nil && !strings.ContainsFunc(said, unicode.IsLetter), err
}

func languageError(language string) error {
	return backend.E(backend.CodeLanguageNotSupported, "espeak-ng has no voice for "+language+".",
		"Choose a voice of another language.")
}

// aroundPhonemes gives a text in phonemes: what stands in double brackets is taken as it is, speak is asked for the words
// between.
func aroundPhonemes(text string, speak func(words string) (string, error)) (string, error) {
	var out strings.Builder
	for text != "" {
		words, rest, found := strings.Cut(text, "[[")
		sounds, rest, closed := strings.Cut(rest, "]]")
		if !found || !closed {
			words, sounds, rest = text, "", ""
		}
		said := strings.TrimSpace(words)
		if strings.ContainsFunc(said, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
			var err error
			if said, err = speak(said); err != nil {
				return "", err
			}
		}
		if out.Len() > 0 && strings.TrimLeftFunc(words, unicode.IsSpace) != words {
			out.WriteByte(' ')
		}
		out.WriteString(said)
		if said != "" && strings.TrimRightFunc(words, unicode.IsSpace) != words {
			out.WriteByte(' ')
		}
		out.WriteString(strings.TrimSpace(sounds))
		text = rest
	}
	return strings.TrimSpace(out.String()), nil
}
