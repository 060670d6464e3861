package audio

import (
	"fmt"

	"github.com/voicewright/voicewright/backend"
)

// Class is the reason why an audio file cannot be read.
type Class string

// The classes of a FormatError.
const (
	ClassNotWAV      Class = "not_wav"     // no RIFF, RF64 or BW64 WAVE magic
	ClassNotMP3      Class = "not_mp3"     // no frames of MPEG audio, Layer III
	ClassNoFormat    Class = "no_format"   // the fmt chunk is missing, incomplete or invalid
	ClassNoData      Class = "no_data"     // there is no data chunk
	ClassUnsupported Class = "unsupported" // a codec or bit depth that is not read
	ClassLimits      Class = "limits"      // rate, channels or length outside the limits
	ClassDamaged     Class = "damaged"     // the file contradicts itself
)

// The limits of audio that is read.
const (
	MinRate     = 1_000   // Hz
	MaxRate     = 384_000 // Hz
	MaxChannels = 64
)

// FormatError is why a file cannot be read as audio. errors.As finds it, and backend.AsError returns its unsupported_media
// error with a sentence and a remedy.
type FormatError struct {
	Class  Class
	Detail string // the cause without the operation, for logs and the sentence
}

// Error returns class and detail.
func (e *FormatError) Error() string { return fmt.Sprintf("%s: %s", e.Class, e.Detail) }

// Unwrap returns the error for people, with the parameters class and detail.
func (e *FormatError) Unwrap() error {
	return backend.E(backend.CodeUnsupportedMedia, e.sentence(), e.remedy()).
		With("class", string(e.Class)).With("detail", e.Detail)
}

func (e *FormatError) sentence() string {
	switch e.Class {
	case ClassNotWAV:
		return "The file is not a WAV file: " + e.Detail + "."
	case ClassNotMP3:
		return "The file is not an MP3 file: " + e.Detail + "."
	case ClassUnsupported:
		return "This kind of audio cannot be read: " + e.Detail + "."
	case ClassLimits:
		return "The audio is outside the limits: " + e.Detail + "."
	case ClassNoFormat, ClassNoData, ClassDamaged:
		return "The audio file is damaged: " + e.Detail + "."
	}
	return "The audio cannot be read: " + e.Detail + "."
}

func (e *FormatError) remedy() string {
	switch e.Class {
	case ClassLimits:
		return "Use a file with at most 64 channels at 1 to 384 kHz, or a shorter piece of it."
	case ClassNoFormat, ClassNoData, ClassDamaged:
		return "Save or download the file again."
	case ClassNotWAV, ClassNotMP3, ClassUnsupported:
		return "Save it as WAV (16 or 24 bit PCM) or FLAC and try again."
	}
	return ""
}

// TooLong returns the error about audio of more than a number of hours: unsupported_media with params reason and hours.
func TooLong(hours float64) *backend.Error {
	return backend.E(backend.CodeUnsupportedMedia, fmt.Sprintf("The audio is longer than %g hours.", hours), "Use a shorter piece of it.").
		With("reason", "too_long").With("hours", hours)
}

func formatErrorf(class Class, format string, args ...any) error {
	return &FormatError{Class: class, Detail: fmt.Sprintf(format, args...)}
}
