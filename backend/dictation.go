package backend

import "time"

// Dictation is what dictation is doing now (decisions.md section 7, Dictation).
type Dictation struct {
	Status   DictationStatus `json:"status" enum:"off,idle,recording,transcribing"`
	Shortcut string          `json:"shortcut" doc:"the key, as the desktop describes it; empty while it is not listened to"`
	Error    *Failure        `json:"error" doc:"why the shortcut or the last dictation did not work, else null"`
}

// DictationStatus is the state of dictation.
type DictationStatus string

// The states of dictation.
const (
	DictationOff          DictationStatus = "off"
	DictationIdle         DictationStatus = "idle"
	DictationRecording    DictationStatus = "recording" // the microphone is open
	DictationTranscribing DictationStatus = "transcribing"
)

// DictatedText is the text of the last dictation, which is in memory only.
type DictatedText struct {
	Text string    `json:"text"`
	At   time.Time `json:"at"`
}
