package client

import (
	"time"

	"github.com/voicewright/voicewright/backend"
)

// SynthesizeRequest is the body of synthesize. The fields after Voice and Model are optional.
type SynthesizeRequest struct {
	Text             string   `json:"text"`
	Voice            string   `json:"voice"`
	Model            string   `json:"ttsModel"`
	Stability        *float64 `json:"stability,omitempty"`
	SimilarityBoost  *float64 `json:"similarity_boost,omitempty"`
	SpeakerBoost     *bool    `json:"speaker_boost,omitempty"`
	LanguageOverride *bool    `json:"language_override,omitempty"`
	Speed            *float64 `json:"speed,omitempty"` // not for v3
	ResponseFormat   string   `json:"response_format,omitempty"`
	Title            string   `json:"title,omitempty"`

	Sending `json:"-"`
}

// Sending is how a call of speech is sent.
type Sending struct {
	// IdempotencyKey goes with each attempt of the call; empty: none.
	IdempotencyKey string
	// Kept says that the service keeps the key with its answer, so that the call may be sent again after a lost answer.
	Kept bool
	// Lost says that the call was sent with this key before and its answer was lost. It takes effect with Kept.
	Lost bool
	// SameAccount reports whether the credentials are still those of the account that the call was begun for; otherwise it is not
	// sent. It is called after each reading of them. May be nil.
	SameAccount func() bool
	// Waiting is called before each wait after an answer that asks to try again; may be nil.
	Waiting func(backend.Wait)
	// Resuming is called before the first attempt and after each wait; false ends the call. May be nil.
	Resuming func() bool
}

// DialogueRequest is the body of synthesize-dialogue.
type DialogueRequest struct {
	Turns            []DialogueTurn `json:"turns"`
	Model            string         `json:"ttsModel"`
	Stability        *float64       `json:"stability,omitempty"`
	SimilarityBoost  *float64       `json:"similarity_boost,omitempty"`
	SpeakerBoost     *bool          `json:"speaker_boost,omitempty"`
	LanguageOverride *bool          `json:"language_override,omitempty"`
	ResponseFormat   string         `json:"response_format,omitempty"`
	Title            string         `json:"title,omitempty"`

	Sending `json:"-"`
}

// DialogueTurn is a line of a dialogue.
type DialogueTurn struct {
	Voice string `json:"voice"`
	Text  string `json:"text"`
}

// SynthesizeResult is the answer of synthesize and synthesize-dialogue.
type SynthesizeResult struct {
	URL              string `json:"url"`              // of the audio, for 24 hours; pass it to Fetch
	RemainingCredits *int64 `json:"remainingCredits"` // nil where the service did not say
	ProjectCreated   bool   `json:"projectCreated"`
	Key              bool   `json:"-"` // paid with an API key, so with its discount
}

// EnhanceRequest is the body of enhance.
type EnhanceRequest struct {
	Text  string `json:"text"`
	Voice string `json:"voiceId,omitempty"`

	// Waiting is as in SynthesizeRequest.
	Waiting func(backend.Wait) `json:"-"`
}

// EnhanceResult is the answer of enhance.
type EnhanceResult struct {
	Text     string `json:"text"`
	Original string `json:"original"`
	Fallback bool   `json:"fallback"` // Text is the original, as the enhancement failed
}

// EnhanceDialogueRequest is the body of enhance-dialogue.
type EnhanceDialogueRequest struct {
	Turns []EnhanceTurn `json:"turns"`

	// Waiting is as in SynthesizeRequest.
	Waiting func(backend.Wait) `json:"-"`
}

// EnhanceTurn is a turn of enhance-dialogue, in the request and in the answer, which has no voice.
type EnhanceTurn struct {
	ID    string `json:"id"`
	Text  string `json:"text"`
	Voice string `json:"voiceId,omitempty"`
}

// EnhanceDialogueResult is the answer of enhance-dialogue.
type EnhanceDialogueResult struct {
	Turns    []EnhanceTurn `json:"turns"`
	Fallback bool          `json:"fallback"`
}

// Filters are the values that voices have.
type Filters struct {
	Providers  []string `json:"providers"`
	Genders    []string `json:"genders"`
	Languages  []string `json:"languages"`
	Accents    []string `json:"accents"`
	Categories []string `json:"categories"`
}

// Credits are the balance and the plan.
type Credits struct {
	Credits   int64      `json:"credits"`
	Payg      int64      `json:"payg_credits"`
	Plan      string     `json:"plan"` // free, pro or max
	ExpiresAt *time.Time `json:"expiresAt"`
}

// Renewal is the answer of check-renewal.
type Renewal struct {
	Action    string     `json:"action"` // ActionNone or ActionReset
	Credits   int64      `json:"credits"`
	Plan      string     `json:"plan"`
	ExpiresAt *time.Time `json:"expiresAt"`
}

// The actions of check-renewal.
const (
	ActionNone  = "none"
	ActionReset = "subscription_expired_reset_to_free"
)

// APIKey is an API key without its secret part.
type APIKey struct {
	ID         string     `json:"id"`
	Prefix     string     `json:"keyPrefix"`
	Name       string     `json:"name"`
	CreatedAt  time.Time  `json:"createdAt"`
	LastUsedAt *time.Time `json:"lastUsedAt"`
	RevokedAt  *time.Time `json:"revokedAt"`
}

// NewKey is a created API key: the only time that the service shows its plaintext.
type NewKey struct {
	Key    string `json:"key"`
	APIKey APIKey `json:"apiKey"`
}
