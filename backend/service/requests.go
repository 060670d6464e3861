package service

import "time"

// SynthesizeRequest is the body of synthesize. A nil pointer is a field that the request does not have.
type SynthesizeRequest struct {
	Text     string `json:"text"`
	Voice    string `json:"voice"`
	TTSModel string `json:"ttsModel"`
	Options
	Speed *float64 `json:"speed"`
}

// Options are the fields that synthesize and synthesize-dialogue share. Those of v3 are ignored when another model serves.
type Options struct {
	Stability        *float64 `json:"stability"`
	SimilarityBoost  *float64 `json:"similarity_boost"`
	SpeakerBoost     *bool    `json:"speaker_boost"`
	LanguageOverride *bool    `json:"language_override"`
	ResponseFormat   *Format  `json:"response_format"`
	Title            *string  `json:"title"`
}

// DialogueRequest is the body of synthesize-dialogue.
type DialogueRequest struct {
	Turns    []DialogueTurn `json:"turns"`
	TTSModel string         `json:"ttsModel"`
	Options
}

// DialogueTurn is one turn of a dialogue.
type DialogueTurn struct {
	Voice string `json:"voice"`
	Text  string `json:"text"`
}

// EnhanceRequest is the body of enhance.
type EnhanceRequest struct {
	Text    string `json:"text"`
	VoiceID string `json:"voiceId"`
}

// EnhanceTurn is one turn of enhance-dialogue, in the request and in the answer (there without a voice).
type EnhanceTurn struct {
	ID      string `json:"id"`
	Text    string `json:"text"`
	VoiceID string `json:"voiceId,omitempty"`
}

// Result is what a synthesis returns.
type Result struct {
	File             File
	RemainingCredits int64
	ProjectCreated   bool
}

// Enhanced is what enhance returns.
type Enhanced struct {
	Text     string
	Original string
	Fallback bool // the enhancement failed and Text is the original
}

// Identity is the user that a verified JWT names.
type Identity struct {
	Subject string
	Email   string
}

// Renewal is what check-renewal returns.
type Renewal struct {
	Action  string // RenewalNone or RenewalReset
	Account Account
}

// The actions of check-renewal.
const (
	RenewalNone  = "none"
	RenewalReset = "subscription_expired_reset_to_free"
)

// Filters are the values that the active voices have, each list sorted.
type Filters struct {
	Providers  []string `json:"providers"`
	Genders    []string `json:"genders"`
	Languages  []string `json:"languages"`
	Accents    []string `json:"accents"`
	Categories []string `json:"categories"`
}

// The limits of the contract. Characters are Unicode code points.
const (
	CallsPerMinute    = 30
	MaxEnhance        = 2000 // characters, over all turns
	MaxDialogue       = 5000 // characters, over all turns
	MaxTurns          = 100
	FileRetention     = 24 * time.Hour
	DefaultMaxText    = 5000 // characters, where Prices has no limit of the model
	BusyRetryAfter    = 5 * time.Second
	DefaultQueueLimit = 8
)
