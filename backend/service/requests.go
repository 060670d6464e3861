package service

import "time"

// SynthesizeRequest is the body of synthesize. A nil pointer is a field that the request does not have. The tags beside json
// are for the API's document; the rules are in this package.
type SynthesizeRequest struct {
	Text     string `json:"text" minLength:"1" pattern:"\\S" doc:"at most 5,000 characters; for v3 with audio tags such as [laughs]"`
	Voice    string `json:"voice" format:"uuid" doc:"id of a voice"`
	TTSModel string `json:"ttsModel" enum:"providerA-v3,providerA-multilingual-v2,providerA-flash-v2-5,providerB-2-5-flash,providerB-2-5-pro,providerC-neural2,providerC-wavenet" doc:"id of a model; ignored where the voice is of another provider"`
	Options
	Speed *float64 `json:"speed,omitempty" minimum:"0.25" maximum:"4" default:"1" wrong:"-1" doc:"ignored by v3, whatever its type"`
}

// Options are the fields that synthesize and synthesize-dialogue share. Those of v3 are ignored when another model serves.
type Options struct {
	Stability        *float64 `json:"stability,omitempty" minimum:"0" maximum:"1" default:"0.5" doc:"v3 only"`
	SimilarityBoost  *float64 `json:"similarity_boost,omitempty" minimum:"0" maximum:"1" default:"0.75" doc:"v3 only"`
	SpeakerBoost     *bool    `json:"speaker_boost,omitempty" default:"true" doc:"v3 only"`
	LanguageOverride *bool    `json:"language_override,omitempty" default:"false" doc:"v3 only: force the voice's own language"`
	ResponseFormat   *Format  `json:"response_format,omitempty" enum:"mp3_44100_128,pcm_8000,pcm_16000,pcm_22050,pcm_24000" default:"mp3_44100_128"`
	Title            *string  `json:"title,omitempty" maxLength:"1000" doc:"of the saved project"`

	IdempotencyKey string `json:"-"` // of the request's header; empty without one
}

// DialogueRequest is the body of synthesize-dialogue.
type DialogueRequest struct {
	Turns    []DialogueTurn `json:"turns" minItems:"1" maxItems:"100" nullable:"false" doc:"at most 5,000 characters in all"`
	TTSModel string         `json:"ttsModel" enum:"providerA-v3,providerA-multilingual-v2,providerA-flash-v2-5,providerB-2-5-flash,providerB-2-5-pro,providerC-neural2,providerC-wavenet"`
	Options
}

// DialogueTurn is one turn of a dialogue.
type DialogueTurn struct {
	Voice string `json:"voice" format:"uuid" doc:"id of a voice of ProviderA"`
	Text  string `json:"text" minLength:"1" pattern:"\\S"`
}

// EnhanceRequest is the body of enhance.
type EnhanceRequest struct {
	Text    string `json:"text" minLength:"1" pattern:"\\S" maxLength:"2000"`
	VoiceID string `json:"voiceId,omitempty" format:"uuid" doc:"to choose tags that fit the voice"`
}

// EnhanceTurn is one turn of enhance-dialogue, in the request and in the answer (there without a voice).
type EnhanceTurn struct {
	ID      string `json:"id" minLength:"1"`
	Text    string `json:"text" minLength:"1" pattern:"\\S"`
	VoiceID string `json:"voiceId,omitempty" format:"uuid"`
}

// Result is what a synthesis returns.
type Result struct {
	File             NewFile
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
	Subject         string
	Email           string
	EmailUnverified bool     // the issuer says that nobody checked whose address it is
	Groups          []string // of the user
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
	Providers  []string `json:"providers" nullable:"false"`
	Genders    []string `json:"genders" nullable:"false"`
	Languages  []string `json:"languages" nullable:"false"`
	Accents    []string `json:"accents" nullable:"false"`
	Categories []string `json:"categories" nullable:"false"`
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
	StoreRetryAfter   = 2 * time.Second // while the store is locked or full
	DefaultQueueLimit = 8
)
