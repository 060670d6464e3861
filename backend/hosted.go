package backend

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// HostedEngine is the engine of generations that the hosted service made, and the MODEL of MODEL:VOICE for its voices.
const HostedEngine = "hosted"

// HostedV3 is the model whose limits and rate hosted-api.md states.
const HostedV3 = "providerA-v3"

// HostedVoice is a voice of the hosted service (hosted-api.md, Voice).
type HostedVoice struct {
	ID         string   `json:"id" doc:"UUID of the service"`
	Name       string   `json:"name"`
	Gender     Gender   `json:"gender"`
	Provider   string   `json:"provider"`
	Accent     string   `json:"accent"`
	Language   string   `json:"language" doc:"BCP 47"`
	Category   string   `json:"category"`
	PreviewURL string   `json:"preview_url"`
	Models     []string `json:"models" doc:"models for which the voice was made; empty where the service does not say"`
	Engine     string   `json:"engine,omitempty" doc:"that speaks it on the service, such as espeak-ng; absent where the service does not say"`
	Favorite   bool     `json:"favorite" doc:"in the service's list of favourites"`
}

// HostedModel is a speech model of the hosted service (hosted-api.md, Speech model).
type HostedModel struct {
	ID           string  `json:"id"`
	Name         string  `json:"name"`
	Provider     string  `json:"provider"`
	Description  string  `json:"description"`
	Category     string  `json:"category"`
	PlanRequired *string `json:"plan_required" doc:"null: every plan"`
}

// HostedOptions are the options of a hosted model; nil fields mean the model's own (hosted-api.md, v3).
type HostedOptions struct {
	Stability        *float64 `json:"stability,omitempty" minimum:"0" maximum:"1"`
	SimilarityBoost  *float64 `json:"similarity_boost,omitempty" minimum:"0" maximum:"1"`
	SpeakerBoost     *bool    `json:"speaker_boost,omitempty"`
	LanguageOverride *bool    `json:"language_override,omitempty"`
	ResponseFormat   string   `json:"response_format,omitempty" enum:"mp3_44100_128,pcm_8000,pcm_16000,pcm_22050,pcm_24000"`
}

// hostedFormats are the formats that the hosted API sends.
var hostedFormats = []string{"mp3_44100_128", "pcm_8000", "pcm_16000", "pcm_22050", "pcm_24000"}

// Check returns a ValidationError for a value that the hosted API does not take; a service that takes it all the same would be
// paid for audio in an unknown format.
func (o *HostedOptions) Check() error {
	if o == nil {
		return nil
	}
	for _, n := range []struct {
		name  string
		value *float64
	}{{"stability", o.Stability}, {"similarity_boost", o.SimilarityBoost}} {
		switch {
		case n.value == nil:
		case *n.value < 0:
			return Invalid("greater_than_equal", "Input should be greater than or equal to 0", "body", "hosted", n.name)
		case *n.value > 1:
			return Invalid("less_than_equal", "Input should be less than or equal to 1", "body", "hosted", n.name)
		}
	}
	if o.ResponseFormat != "" && !slices.Contains(hostedFormats, o.ResponseFormat) {
		return Invalid("enum", "Input should be one of "+strings.Join(hostedFormats, ", "), "body", "hosted", "response_format")
	}
	return nil
}

// HostedText is a text that is sent as it is, or a part of one.
type HostedText struct {
	Text  string
	Pause time.Duration // silence before it, which we insert
}

// HostedTurn is a line of a dialogue (synthesize-dialogue).
type HostedTurn struct {
	Voice string // id
	Text  string
}

// HostedSpeech is what the hosted service is to speak for a generation: texts of one voice, or a dialogue.
type HostedSpeech struct {
	GenerationID string
	Voice        HostedVoice // of the first turn in a dialogue
	Model        string
	Texts        []HostedText // not over the model's limit
	Turns        []HostedTurn // of a dialogue; then Texts is empty
	Options      HostedOptions
	Speed        float64 // not for v3
	Title        string
	// Donors are the generations whose paid audio is copied for the same texts, the preferred ones first.
	Donors []string
	// AcceptCredits is the price that the user accepted; nil = none was asked.
	AcceptCredits *int64
	// FetchOnly fetches audio that is already paid, and makes no further call but those that were begun when the program ended.
	FetchOnly bool
	// Stored is called when the audio of a part is stored, in the order of the parts, so that it can be heard before the rest
	// is made; may be nil.
	Stored func(part int, audio HostedAudio)
}

// HostedAudio is the stored audio of one text, or of a dialogue, as it was received.
type HostedAudio struct {
	Path    string
	Format  string // mp3_44100_128, pcm_24000, ...
	SHA256  string
	Credits *int64 // what it cost; nil where unknown
	From    string // the generation that it was copied from; empty for what was paid
}

// HostedQuote is a price before a call.
type HostedQuote struct {
	Credits    *int64 `json:"credits" doc:"null: price unknown"`
	Characters int    `json:"characters" doc:"that are sent, in Unicode code points"`
	Calls      int    `json:"calls" doc:"in how many parts the text is sent"`
	Per1000    *int64 `json:"credits_per_1000" doc:"after the discount of an API key; null: price unknown"`
	Left       *int64 `json:"credits_left" doc:"before the call, as last read; null where unknown"`
	Warn       bool   `json:"warn" doc:"the price reaches the setting hosted.warn_credits"`
	Ask        bool   `json:"ask" doc:"the price reaches the setting hosted.ask_credits, or is unknown while that is set: send accept_credits"`
}

// HostedBill is what a hosted generation cost.
type HostedBill struct {
	Credits *int64 `json:"credits" doc:"null where unknown"`
	Left    *int64 `json:"credits_left" doc:"after the last call; null where unknown"`
	Calls   int    `json:"calls"`
	// Refunded reports that a call failed and cost nothing, as the service refunds failures.
	Refunded bool `json:"refunded" doc:"a call failed before and cost nothing, as the service refunds failures"`
}

// HostedReceipt is who spoke a hosted generation, and what it cost.
type HostedReceipt struct {
	Provider  string `json:"provider"`
	VoiceName string `json:"voice_name"`
	HostedBill
	// RevisionCredits is what the last change of the text cost; the bill has it too.
	RevisionCredits *int64 `json:"revision_credits,omitempty" doc:"of them for the last change of the text; absent where it was never changed, or where that is unknown"`
}

// DialogueLine is a line of a dialogue that the hosted service speaks in one call.
type DialogueLine struct {
	ProfileID   string `json:"profile_id"`
	ProfileName string `json:"profile_name" doc:"the name of the profile when the generation was made"`
	Voice       string `json:"voice" doc:"id of the hosted voice"`
	Text        string `json:"text"`
}

// WaitQueue is the reason of a Wait for other generations.
const WaitQueue = "queue"

// Wait is why a running hosted generation waits.
type Wait struct {
	Reason  string  `json:"reason" enum:"queue,rate,busy" doc:"queue: others are first; rate: 30 requests a minute; busy: the service asked to try again"`
	Place   int     `json:"place,omitempty" doc:"in the queue, 1 is the next one"`
	Seconds float64 `json:"seconds,omitempty" doc:"until it goes on, where known"`
	Code    Code    `json:"code,omitempty" doc:"of the service's answer"`
}

// HostedCode returns the code of an error of the hosted service: hosted_<code in lower case>, without a code hosted_<status>.
func HostedCode(code string, status int) Code {
	if code == "" {
		code = strconv.Itoa(status)
	}
	return Code("hosted_" + strings.ToLower(code))
}
