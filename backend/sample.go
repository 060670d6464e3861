package backend

import (
	"strings"
	"time"
)

// Sample is a recording of the voice of a cloned profile (decisions.md section 7, Samples).
type Sample struct {
	ID         string          `json:"id"` // UUID version 7
	ProfileID  string          `json:"profile_id"`
	Name       string          `json:"name"`        // of the file that was uploaded, or empty
	Seconds    float64         `json:"seconds"`     // after the silence at both ends was cut off
	SampleRate int             `json:"sample_rate"` // Hz, of the stored audio
	LevelLUFS  float64         `json:"level_lufs"`
	NoiseDB    float64         `json:"noise_db"` // level of the background in dB below full scale
	Clipped    bool            `json:"clipped"`  // the recording reached full scale and was cut off there
	Speakers   int             `json:"speakers"` // 2 where it may be two people, else 1
	Warnings   []SampleWarning `json:"warnings"`
	Transcript string          `json:"transcript"`
	CreatedAt  time.Time       `json:"created_at"`

	Path   string `json:"-"` // of the audio: WAV, mono
	SHA256 string `json:"-"` // of its samples
}

// SampleWarning is what makes a sample less good than it could be, and how to record a better one.
type SampleWarning struct {
	Code   SampleIssue    `json:"code"`
	Detail string         `json:"detail"`
	Remedy string         `json:"remedy"`
	Params map[string]any `json:"params,omitempty"`
}

// SampleIssue names what is wrong with a sample.
type SampleIssue string

// The issues of samples. Those marked refused end an upload with CodeSampleRejected and params.reason; the others are
// warnings.
const (
	SampleSilent      SampleIssue = "silent"       // refused: nothing can be heard
	SampleNoSpeech    SampleIssue = "no_speech"    // refused: sound without speech, such as music
	SampleTooShort    SampleIssue = "too_short"    // refused: less than 3 s of it remain
	SampleTooLong     SampleIssue = "too_long"     // refused: more than 60 s of it remain
	SampleClipped     SampleIssue = "clipped"      // refused where most of it is, else a warning
	SampleNoisy       SampleIssue = "noisy"        // little distance between speech and background
	SampleQuiet       SampleIssue = "quiet"        // recorded at a low level
	SampleTwoSpeakers SampleIssue = "two_speakers" // two voices; where no model tells voices apart, the pitch falls into two groups
	SampleOtherPerson SampleIssue = "other_person" // another voice than in the samples before it
	SampleDeadChannel SampleIssue = "dead_channel" // one channel of several was silent and is left out
	SampleNarrowBand  SampleIssue = "narrow_band"  // recorded at a low sampling rate, or over a telephone
	SampleMismatch    SampleIssue = "transcript"   // the transcript does not fit what is heard
	SampleEngine      SampleIssue = "engine"       // shorter or longer than the model of the profile can use
)

// ConsentKind is why a voice may be cloned.
type ConsentKind string

// The kinds of consent.
const (
	ConsentOwnVoice   ConsentKind = "own_voice"  // the user's own voice
	ConsentPermission ConsentKind = "permission" // another person allowed it
)

// Consent is the user's statement that the voice of a profile may be cloned.
type Consent struct {
	Kind ConsentKind `json:"kind" enum:"own_voice,permission"`
	By   string      `json:"by" doc:"who stated it: the name of the user's account on the machine, or as the request named it"`
	At   time.Time   `json:"at"`
}

// ClonePrefix begins the voice of a generation that speaks with the samples of a profile, before the profile's id.
const ClonePrefix = "clone:"

// Cloned reports whether the generation speaks with the samples of a profile.
func (g Generation) Cloned() bool { return strings.HasPrefix(g.Voice, ClonePrefix) }
