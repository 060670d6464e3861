package hosted

import (
	"context"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/text"
)

// dialogueTurns is how many turns a dialogue has at most.
const dialogueTurns = 100

// QuoteText is a text that a hosted voice would speak.
type QuoteText struct {
	Voice          string
	Model          string // empty = the default one of the voice's provider
	Text           string
	Language       string            // empty = that of the voice
	Pronunciations map[string]string // of the request, over the user's
}

// plannedText is a QuoteText as it would be sent.
type plannedText struct {
	voice backend.HostedVoice
	model string
	texts []string // one for each call
}

// QuoteTexts returns the price of texts, each of which is a generation of its own. As the turns of a script they are dialogues
// where all voices are of v3. accepted is the price that the user has accepted. Errors: those of Voice.
func (s *Service) QuoteTexts(ctx context.Context, all []QuoteText, script bool, accepted *int64) (backend.HostedQuote, error) {
	words, err := s.o.Words(ctx)
	if err != nil {
		return backend.HostedQuote{}, err
	}
	planned := make([]plannedText, len(all))
	dialogue := script
	for i, q := range all {
		if planned[i], err = s.plan(ctx, q, words); err != nil {
			return backend.HostedQuote{}, err
		}
		dialogue = dialogue && planned[i].model == backend.HostedV3 && len(planned[i].whole()) > 0 &&
			utf8.RuneCountInString(planned[i].whole()) <= v3Limit
	}
	if dialogue {
		return s.quote([]calls{{backend.HostedV3, providerA, dialogues(planned)}}, accepted), nil
	}
	sent := make([]calls, len(planned))
	for i, p := range planned {
		sent[i] = calls{p.model, p.voice.Provider, p.texts}
	}
	return s.quote(sent, accepted), nil
}

// plan returns what would be sent of a text.
func (s *Service) plan(ctx context.Context, q QuoteText, words []backend.Pronunciation) (plannedText, error) {
	v, m, err := s.Voice(ctx, strings.TrimPrefix(q.Voice, backend.HostedEngine+":"), q.Model)
	if err != nil {
		return plannedText{}, err
	}
	language := q.Language
	if language == "" {
		language = v.Language
	}
	var own []backend.Pronunciation
	for _, word := range slices.Sorted(maps.Keys(q.Pronunciations)) {
		own = append(own, backend.Pronunciation{Word: word, Respelling: q.Pronunciations[word]})
	}
	plan := text.Verbatim(strings.TrimSpace(q.Text), text.VerbatimOptions{
		SpeakOptions: text.SpeakOptions{
			Language: language, Pronunciations: text.NewPronunciations(words, language), OwnPronunciations: own,
		},
		AnyTag: m.ID == backend.HostedV3, Limit: s.Limit(m.ID),
	})
	p := plannedText{voice: v, model: m.ID}
	for _, part := range plan.Parts {
		p.texts = append(p.texts, part.Text)
	}
	return p, nil
}

// whole returns the text as the turn of a dialogue.
func (p plannedText) whole() string { return strings.Join(p.texts, " ") }

// dialogues joins turns into the texts of calls, which are cut between turns.
func dialogues(turns []plannedText) []string {
	var all []string
	count, total := 0, 0
	for _, t := range turns {
		whole := t.whole()
		n := utf8.RuneCountInString(whole)
		if len(all) == 0 || total+n > v3Limit || count == dialogueTurns {
			all, count, total = append(all, ""), 0, 0
		}
		all[len(all)-1] += whole
		count++
		total += n
	}
	return all
}
