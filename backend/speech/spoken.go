package speech

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/text"
	"github.com/voicewright/voicewright/engines"
)

// Spoken describes how a text will be spoken.
type Spoken struct {
	Spoken    string   `json:"spoken" doc:"as the engine will get it: numbers spelled out, your words replaced"`
	Sentences []string `json:"sentences"`
	Chunks    []string `json:"chunks" doc:"what will be spoken at a time"`
	Phonemes  string   `json:"phonemes" doc:"of the first 5,000 characters in whole sentences; empty where they are not known"`
	Seconds   float64  `json:"seconds" doc:"estimated, pauses included"`
	Dropped   []string `json:"dropped_tags" doc:"marks that will not be played, and characters that the voice has no sound for"`
	Pauses    []Pause  `json:"pauses" doc:"the silences between the chunks, and at the ends"`
	Shortened []string `json:"shortened_pauses" doc:"pauses longer than 60 s, which is the maximum"`
	Note      string   `json:"language_note,omitempty" doc:"what the model does badly in the language of the voice"`
}

// Pause is a silence before a chunk.
type Pause struct {
	Chunk   int     `json:"chunk" doc:"the chunk after it, from 0; the number of chunks for one at the end"`
	Seconds float64 `json:"seconds"`
	Break   string  `json:"break" enum:"pause,sentence,paragraph,heading,scene" doc:"pause for markup"`
}

// TextPreview returns how a text will be spoken. A request without a profile means the default voice.
// Errors: ValidationError, profile_not_found, nothing_to_speak and those of the voice.
func (s *Service) TextPreview(ctx context.Context, r Request) (Spoken, error) {
	profile, err := s.profileOrDefault(ctx, r)
	if err != nil {
		return Spoken{}, err
	}
	j, err := s.prepare(ctx, r, profile)
	if err != nil {
		return Spoken{}, err
	}
	if j.hosted != nil {
		out := s.maker.spoken(j)
		out.Seconds = s.estimate(ctx, j, out.Spoken, out.Pauses)
		return out, nil
	}
	model, err := s.o.Models.Model(j.plan.voice.model)
	if err != nil {
		return Spoken{}, err
	}
	lines, err := s.synth.lines(ctx, j.plan, engines.Info{TextFeatures: model.TextFeatures})
	if err != nil {
		return Spoken{}, err
	}
	if !slices.ContainsFunc(lines, func(l backend.ReceiptChunk) bool { return text.Speakable(l.Spoken) }) {
		return Spoken{}, errNothing
	}
	out := Spoken{Sentences: []string{}, Chunks: []string{}, Dropped: []string{}, Shortened: j.plan.shortened(), Pauses: j.plan.silences(lines)}
	receipt := backend.Receipt{Chunks: lines}
	receipt.Sum()
	for _, l := range lines {
		for _, sentence := range text.Sentences(l.Text) {
			out.Sentences = append(out.Sentences, strings.TrimSpace(sentence))
		}
		out.Chunks = append(out.Chunks, l.Text)
	}
	out.Spoken, out.Dropped, out.Note = receipt.SpokenText, receipt.DroppedTags, model.Note(j.plan.voice.language)
	out.Seconds = s.estimate(ctx, j, out.Spoken, out.Pauses)
	if out.Phonemes, err = s.phonemes(ctx, j.plan.voice, out.Spoken); ctx.Err() != nil {
		return Spoken{}, backend.ErrCancelled.WithCause(ctx.Err())
	} else if err != nil {
		s.o.Log.Debug("find the phonemes of a preview", "error", err)
	}
	return out, nil
}

// phonemesOf is the number of characters of a preview for which phonemes are returned.
const phonemesOf = 5000

// phonemes converts sentence by sentence, so that running jobs do not wait for a long text.
func (s *Service) phonemes(ctx context.Context, v voice, spoken string) (string, error) {
	var all []string
	length := 0
	for _, sentence := range text.Sentences(spoken) {
		sentence = strings.TrimSpace(sentence)
		if length += utf8.RuneCountInString(sentence); length > phonemesOf {
			break
		}
		if !text.Speakable(sentence) {
			continue
		}
		said, err := s.o.Phonemes(ctx, v.engine, v.language, sentence)
		if err != nil {
			return "", err
		}
		all = append(all, said)
	}
	return strings.Join(all, " "), nil
}

// silences returns the pauses between lines.
func (p *Plan) silences(lines []backend.ReceiptChunk) []Pause {
	all := []Pause{}
	for i, l := range lines {
		if l.PauseMS > 0 {
			all = append(all, Pause{Chunk: i, Seconds: float64(l.PauseMS) / 1000, Break: l.Break})
		}
	}
	if end := p.lastPause(); end > 0 {
		all = append(all, Pause{Chunk: len(lines), Seconds: end.Seconds(), Break: markupBreak})
	}
	return all
}

// shortened returns the pauses of the text that exceed the maximum, as written.
func (p *Plan) shortened() []string {
	all := []string{}
	for _, p := range p.pieces {
		if p.Asked != "" && !slices.Contains(all, p.Asked) {
			all = append(all, p.Asked)
		}
	}
	return all
}
