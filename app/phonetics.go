package app

import (
	"context"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines/espeak"
	"github.com/voicewright/voicewright/engines/kokoro"
	"github.com/voicewright/voicewright/engines/phonemes"
)

// phonetics shows what engines make of a text.
type phonetics struct {
	english    *phonemes.English
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
		return "", backend.E(backend.CodeLanguageNotSupported, "espeak-ng has no voice for "+language+".",
			"Choose a voice of another language.")
	}
	sentences, err := p.phonemizer.Phonemize(ctx, text, voice)
	if err != nil {
		return "", err
	}
	var all []string
	for _, sentence := range sentences {
		all = append(all, strings.Join(sentence, ""))
	}
	return strings.Join(all, " "), nil
}
