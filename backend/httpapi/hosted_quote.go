package httpapi

import (
	"context"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted"
)

// hostedVoicePrefix is before the id of a hosted voice in MODEL:VOICE.
const hostedVoicePrefix = backend.HostedEngine + ":"

type quoteInput struct {
	Text      string `query:"text" maxLength:"200000" required:"true"`
	Voice     string `query:"voice" maxLength:"200" doc:"id of a hosted voice, or hosted:ID"`
	ProfileID string `query:"profile_id" maxLength:"64" doc:"of a profile with a hosted voice, in the place of voice"`
	Model     string `query:"model" maxLength:"64" doc:"absent: that of the profile, or the default one of the voice's provider"`
}

type quoteOutput struct {
	Body HostedQuote
}

// HostedQuote is a price before a call; it is exported for huma.
type HostedQuote backend.HostedQuote

// QuotedText is what a price depends on in the body of /generate, and in a turn of /script; it is exported for huma.
type QuotedText struct {
	ProfileID      string            `json:"profile_id,omitempty" maxLength:"64"`
	Text           string            `json:"text,omitempty" maxLength:"200000"`
	Voice          string            `json:"voice,omitempty" maxLength:"200" doc:"hosted:ID"`
	ModelName      string            `json:"model_name,omitempty" maxLength:"64"`
	Language       string            `json:"language,omitempty" maxLength:"35"`
	Pronunciations map[string]string `json:"pronunciations,omitempty"`
}

type quoteRequestInput struct {
	Body struct {
		QuotedText
		Turns         []QuotedText `json:"turns,omitempty" maxItems:"200" doc:"of a script"`
		AcceptCredits *int64       `json:"accept_credits,omitempty" minimum:"0"`
	} `nameHint:"HostedQuoteRequest"`
}

func (a *API) quote(ctx context.Context, in *quoteInput) (*quoteOutput, error) {
	if in.Voice == "" && in.ProfileID == "" {
		return nil, backend.Invalid("missing", "Field required", "query", "voice")
	}
	q := QuotedText{ProfileID: in.ProfileID, Text: in.Text, ModelName: in.Model}
	if in.Voice != "" {
		q.Voice = hostedVoicePrefix + strings.TrimPrefix(in.Voice, hostedVoicePrefix)
	}
	return a.quoteAll(ctx, []QuotedText{q}, false, nil)
}

func (a *API) quoteRequest(ctx context.Context, in *quoteRequestInput) (*quoteOutput, error) {
	if len(in.Body.Turns) > 0 {
		return a.quoteAll(ctx, in.Body.Turns, true, in.Body.AcceptCredits)
	}
	return a.quoteAll(ctx, []QuotedText{in.Body.QuotedText}, false, in.Body.AcceptCredits)
}

// quoteAll returns the price of the texts that have a hosted voice.
func (a *API) quoteAll(ctx context.Context, all []QuotedText, script bool, accepted *int64) (*quoteOutput, error) {
	var texts []hosted.QuoteText
	for _, q := range all {
		voice, model, err := a.hostedVoiceOf(ctx, q)
		if err != nil {
			return nil, err
		}
		if voice != "" {
			texts = append(texts, hosted.QuoteText{
				Voice: voice, Model: model, Text: q.Text, Language: q.Language, Pronunciations: q.Pronunciations,
			})
		}
	}
	quote, err := a.opts.Hosted.QuoteTexts(ctx, texts, script && len(texts) == len(all), accepted)
	return &quoteOutput{HostedQuote(quote)}, err
}

// hostedVoiceOf returns the hosted voice of a text and its model, which may be empty; an empty voice is a local one.
func (a *API) hostedVoiceOf(ctx context.Context, q QuotedText) (voice, model string, err error) {
	if q.Voice != "" {
		id, ok := strings.CutPrefix(q.Voice, hostedVoicePrefix)
		if !ok {
			return "", "", nil
		}
		return id, q.ModelName, nil
	}
	if q.ProfileID == "" {
		return "", "", backend.Invalid("missing", "Field required", "body", "profile_id")
	}
	p, err := a.opts.Store.Profile(ctx, canonicalID(q.ProfileID))
	if err != nil || p.VoiceType != backend.VoiceHosted {
		return "", "", err
	}
	if q.ModelName != "" {
		return p.HostedVoiceID, q.ModelName, nil
	}
	return p.HostedVoiceID, p.HostedModelID, nil
}
