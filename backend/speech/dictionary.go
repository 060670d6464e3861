package speech

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/text"
	"github.com/voicewright/voicewright/engines"
)

// mostCompiled is the number of languages whose compiled pronunciations are cached.
const mostCompiled = 4

// dictionaries caches the user's compiled pronunciations until they change.
type dictionaries struct {
	mu         sync.Mutex
	words      []backend.Pronunciation
	byLanguage map[string]*text.Pronunciations
}

// of returns the compiled pronunciations for a language.
func (d *dictionaries) of(words []backend.Pronunciation, language string) *text.Pronunciations {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !slices.Equal(words, d.words) || d.byLanguage == nil || len(d.byLanguage) == mostCompiled && d.byLanguage[language] == nil {
		d.words, d.byLanguage = words, map[string]*text.Pronunciations{}
	}
	if d.byLanguage[language] == nil {
		d.byLanguage[language] = text.NewPronunciations(words, language)
	}
	return d.byLanguage[language]
}

// Voicing returns what converts text to the engine's input, with the user's pronunciations and those of the request, which
// take precedence.
func (s *Synthesizer) Voicing(ctx context.Context, v Voice, own map[string]string, info engines.Info) (*text.Speaker, error) {
	language := s.spokenLanguage(v)
	words, err := s.Pronunciations(ctx, language)
	if err != nil {
		return nil, err
	}
	o := text.SpeakOptions{
		Language: language, Pronunciations: words, Phonemes: info.Phonemes, Digits: info.Digits, Tags: info.Tags,
	}
	o.OwnPronunciations = OwnWords(own)
	return text.NewSpeaker(o), nil
}

// Pronunciations returns the user's pronunciations for a language.
func (s *Synthesizer) Pronunciations(ctx context.Context, language string) (*text.Pronunciations, error) {
	words, err := s.o.Words(ctx)
	if err != nil {
		return nil, err
	}
	return s.words.of(words, language), nil
}

// OwnWords returns the pronunciations of a request in order.
func OwnWords(own map[string]string) []backend.Pronunciation {
	var all []backend.Pronunciation
	for _, word := range slices.Sorted(maps.Keys(own)) {
		all = append(all, backend.Pronunciation{Word: word, Respelling: own[word]})
	}
	return all
}

// spokenLanguage returns the language of a voice with its country, even if the request names the language alone.
func (s *Synthesizer) spokenLanguage(v Voice) string {
	model, err := s.o.Models.Model(v.Model)
	if err != nil {
		return v.Language
	}
	found, err := model.Find(v.ID)
	if err == nil && v.Language != "" && backend.MatchesLanguage(found.Language, v.Language) {
		return found.Language
	}
	return v.Language
}
