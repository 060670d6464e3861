package httpapi

import (
	"context"
	"strconv"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/scripts"
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
	GenerationID   ID                `json:"generation_id,omitempty" doc:"of a turn, as in PUT /scripts/{script_id}"`
}

type quoteRequestInput struct {
	Body struct {
		QuotedText
		Turns         []QuotedText `json:"turns,omitempty" maxItems:"200" doc:"of a script"`
		ScriptID      string       `json:"script_id,omitempty" maxLength:"64" doc:"the price of what PUT /scripts/{script_id} generates"`
		AcceptCredits *int64       `json:"accept_credits,omitempty" minimum:"0"`
	} `nameHint:"HostedQuoteRequest"`
}

// request returns what speech plans.
func (q QuotedText) request() generations.Request {
	return generations.Request{ProfileID: canonicalID(q.ProfileID), Text: q.Text, GenerateOptions: backend.GenerateOptions{
		Voice: q.Voice, ModelName: q.ModelName, Language: q.Language, Pronunciations: q.Pronunciations,
	}}
}

func (h *hostedHandlers) quote(ctx context.Context, in *quoteInput) (*quoteOutput, error) {
	q := QuotedText{ProfileID: in.ProfileID, Text: in.Text, ModelName: in.Model}
	switch {
	case in.Voice != "":
		q.Voice = hostedVoicePrefix + strings.TrimPrefix(in.Voice, hostedVoicePrefix)
	case in.ProfileID == "":
		return nil, backend.Invalid("missing", "Field required", "query", "voice")
	}
	quote, err := h.speech.Generations.Previews.QuoteRequest(ctx, q.request())
	return &quoteOutput{HostedQuote(quote)}, err
}

func (h *hostedHandlers) quoteRequest(ctx context.Context, in *quoteRequestInput) (*quoteOutput, error) {
	err := checkWords(in.Body.Pronunciations)
	for i := 0; err == nil && i < len(in.Body.Turns); i++ {
		err = checkWords(in.Body.Turns[i].Pronunciations, "turns", strconv.Itoa(i))
	}
	if err != nil {
		return nil, err
	}
	if len(in.Body.Turns) == 0 {
		r := in.Body.request()
		r.AcceptCredits = in.Body.AcceptCredits
		quote, err := h.speech.Generations.Previews.QuoteRequest(ctx, r)
		return &quoteOutput{HostedQuote(quote)}, err
	}
	r := scripts.Request{AcceptCredits: in.Body.AcceptCredits}
	for _, t := range in.Body.Turns {
		r.Turns, r.Keep = append(r.Turns, t.request()), append(r.Keep, string(t.GenerationID))
	}
	if in.Body.ScriptID != "" {
		quote, err := h.speech.Scripts.QuoteRevision(ctx, canonicalID(in.Body.ScriptID), r)
		return &quoteOutput{HostedQuote(quote)}, err
	}
	quote, err := h.speech.Scripts.QuoteScript(ctx, r)
	return &quoteOutput{HostedQuote(quote)}, err
}
