package generations

import (
	"context"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/speech"
	"github.com/voicewright/voicewright/backend/text"
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

// Previews tell of a request, before it is made, how it will be spoken, what it costs, and in what it differs from what was made.
type Previews struct {
	base
	gens *Service
}

// Preview returns a short sentence in a profile's voice as a WAV file, at the usual level. It waits in the queue like a
// generation, is not recorded in the history and downloads nothing.
// Errors: profile_not_found, model_not_downloaded, queue_full and those of speaking.
func (p *Previews) Preview(ctx context.Context, profileID string) ([]byte, error) {
	profile, err := p.o.Store.Profile(ctx, profileID)
	if err != nil {
		return nil, err
	}
	m, err := p.gens.Makers.of(Request{}, profile)
	if err != nil {
		return nil, err
	}
	return m.Preview(ctx, profile)
}

// Hear returns a short text in a profile's voice as a WAV file, as Preview does its sentence. A hosted voice, which costs credits,
// answers with the service's own preview. Errors: those of Preview and of Submit.
func (p *Previews) Hear(ctx context.Context, r Request) ([]byte, error) {
	profile, err := p.o.Store.Profile(ctx, r.ProfileID)
	if err != nil {
		return nil, err
	}
	m, err := p.gens.Makers.of(r, profile)
	if err != nil {
		return nil, err
	}
	if local, ok := m.(*localMaker); ok {
		return local.Hear(ctx, r, profile)
	}
	return m.Preview(ctx, profile)
}

// TextPreview returns how a text will be spoken. A request without a profile means the default voice.
// Errors: ValidationError, profile_not_found, nothing_to_speak and those of the voice.
func (p *Previews) TextPreview(ctx context.Context, r Request) (Spoken, error) {
	profile, err := p.gens.ProfileOrDefault(ctx, r)
	if err != nil {
		return Spoken{}, err
	}
	j, err := p.gens.Makers.Prepare(ctx, r, profile)
	if err != nil {
		return Spoken{}, err
	}
	return j.Maker.Spoken(ctx, j)
}

// phonemesOf is the number of characters of a preview for which phonemes are returned.
const phonemesOf = 5000

// silences returns the pauses between lines.
func silences(p *speech.Plan, lines []backend.ReceiptChunk) []Pause {
	all := []Pause{}
	for i, l := range lines {
		if l.PauseMS > 0 {
			all = append(all, Pause{Chunk: i, Seconds: float64(l.PauseMS) / 1000, Break: l.Break})
		}
	}
	if end := p.LastPause(); end > 0 {
		all = append(all, Pause{Chunk: len(lines), Seconds: end.Seconds(), Break: speech.MarkupBreak})
	}
	return all
}

// Estimate returns the estimated length of a text in seconds, by the pace that the voice of a job had so far.
func (p *Previews) Estimate(ctx context.Context, j *Job, spoken string, pauses []Pause) float64 {
	return p.gens.pace.Estimate(ctx, j.Row.ProfileID, j.Row.Speed, spoken) + pauseSeconds(pauses)
}

// pauseSeconds returns the silence that is not part of the pace of reading, as pauses between sentences are.
func pauseSeconds(pauses []Pause) float64 {
	sum := 0.0
	for _, p := range pauses {
		if p.Break != text.SentenceBreak.String() {
			sum += p.Seconds
		}
	}
	return sum
}

// QuoteRequest returns the price of a request, planned as Submit does. Local voices cost nothing. A request without a profile
// means the default voice. Errors: those of Submit.
func (p *Previews) QuoteRequest(ctx context.Context, r Request) (backend.HostedQuote, error) {
	profile, err := p.gens.ProfileOrDefault(ctx, r)
	if err != nil {
		return backend.HostedQuote{}, err
	}
	j, err := p.gens.Makers.Prepare(ctx, r, profile)
	if err != nil {
		return backend.HostedQuote{}, err
	}
	return p.gens.Makers.Quote(ctx, SpeechesOf([]*Job{j}), r.AcceptCredits)
}

// Unpaid returns what the hosted service would be paid for by Submit. A local voice needs nothing. Errors: those of Submit.
func (p *Previews) Unpaid(ctx context.Context, r Request) (backend.HostedSpeech, error) {
	profile, err := p.gens.Profile(ctx, r)
	if err != nil {
		return backend.HostedSpeech{}, err
	}
	j, err := p.gens.Makers.Prepare(ctx, r, profile)
	return p.unpaid(ctx, j, err)
}

// UnpaidRest returns what the hosted service would be paid for by Retry. Errors: those of Retry.
func (p *Previews) UnpaidRest(ctx context.Context, id string) (backend.HostedSpeech, error) {
	old, err := p.gens.Generation(ctx, id)
	if err != nil {
		return backend.HostedSpeech{}, err
	}
	j, err := p.gens.Makers.retry(ctx, old, nil)
	return p.unpaid(ctx, j, err)
}

func (p *Previews) unpaid(ctx context.Context, j *Job, err error) (backend.HostedSpeech, error) {
	if err != nil || j.Hosted == nil {
		return backend.HostedSpeech{}, err
	}
	return p.gens.Makers.hosted.Unpaid(ctx, j.Hosted.Speech)
}
