package service

import (
	"strings"

	"github.com/google/uuid"
)

// ProviderID names who speaks.
type ProviderID string

// The providers of the contract.
const (
	ProviderA ProviderID = "ProviderA"
	ProviderB ProviderID = "ProviderB"
	ProviderC ProviderID = "ProviderC"
)

// ProviderIDs returns all providers in order.
func ProviderIDs() []ProviderID { return []ProviderID{ProviderA, ProviderB, ProviderC} }

// Paid reports whether the provider's voices need paid access.
func (p ProviderID) Paid() bool { return p != ProviderC }

// Voice is one voice of a provider.
type Voice struct {
	ID       string // UUID, see VoiceID
	Native   string // the provider's own name of it
	Name     string
	Gender   string // male or female
	Provider ProviderID
	Accent   string // the region of its language in English, such as United Kingdom; may be empty
	Language string // short code, such as en
	Category string // conversational or narrator
	Engine   string // that speaks it, such as espeak-ng; empty where another server decides
}

// voiceNamespace is the namespace of the ids of voices (decisions.md section 6).
var voiceNamespace = uuid.MustParse("6f1d1c1e-7e2a-5c0b-9b6e-2f7a4d1c9a10")

// VoiceID returns the id of a voice from its provider's own name of it: a UUID version 5 of provider/voice.
func VoiceID(provider ProviderID, native string) string {
	return uuid.NewSHA1(voiceNamespace, []byte(string(provider)+"/"+native)).String()
}

// canonicalID returns a UUID in lower case; ok is false for other texts, such as a UUID in braces.
func canonicalID(id string) (canonical string, ok bool) {
	const length = 36
	return strings.ToLower(id), len(id) == length && uuid.Validate(id) == nil
}

// Model is one entry of the list of speech models.
type Model struct {
	ID           string
	Name         string
	Provider     ProviderID
	Description  string
	Category     string
	PlanRequired *Plan // nil: usable on every plan
	Rate         int64 // credits per 1,000 characters, less 10 % with an API key
}

// ModelV3 is the model with audio tags, the only one that speaks dialogues.
const ModelV3 = "providerA-v3"

// Format is a response_format of synthesis.
type Format string

// The formats of the contract. PCM is 16-bit little-endian, mono, without a header.
const (
	MP3      Format = "mp3_44100_128"
	PCM8000  Format = "pcm_8000"
	PCM16000 Format = "pcm_16000"
	PCM22050 Format = "pcm_22050"
	PCM24000 Format = "pcm_24000"
)
