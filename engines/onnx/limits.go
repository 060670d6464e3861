package onnx

import "fmt"

// The limits of the numbers in a model's files, for all engines. They are far above what published models have, and low
// enough that no value makes the program reserve more memory than it has. Engines check them before they use a value.
const (
	MinSampleRate  = 1000    // Hz
	MaxSampleRate  = 192_000 // Hz
	MaxVoices      = 10_000  // voices of one model; the published ones have up to 2,500
	MaxVoiceFiles  = 512     // voices with a file or an array of their own; the published ones have up to 54
	MaxHop         = 1 << 16 // samples per frame
	MaxSymbols     = 1 << 16 // symbols in a table
	MaxSymbolIDs   = 16      // ids of one symbol; the published models have 1
	MaxSymbolID    = 1 << 24 // the highest id of a symbol
	MaxCluster     = 16      // symbols that are joined to one
	MaxText        = 200     // bytes of a name or a word
	MaxLatent      = 1 << 24 // numbers in one latent; one minute of a published model has 124,000
	MaxLatentRows  = 1024    // numbers per frame of a vocoder
	MaxCompression = 64      // frames of a vocoder in one of a latent
)

// Limit is a number from a model's file and the range that it may have.
type Limit struct {
	Field    string // such as audio.sample_rate
	Value    int
	Min, Max int
}

// CheckLimits returns backend.CodeModelCorrupt naming the file at path and the first field whose number is out of its
// range.
func CheckLimits(path string, limits ...Limit) error {
	for _, l := range limits {
		if l.Value < l.Min || l.Value > l.Max {
			return WrongValue(path, l.Field, fmt.Errorf("%d is not from %d to %d", l.Value, l.Min, l.Max))
		}
	}
	return nil
}

// TooManyVoices returns the error about a model with n voices, of which path is the file or the first one.
func TooManyVoices(path string, n int) error {
	return Corrupt(path, fmt.Sprintf("belongs to a model with %d voices, more than %d", n, MaxVoiceFiles))
}

// WrongValue returns the error about a field of the file at path with a value that cannot be used.
func WrongValue(path, field string, cause error) error {
	return Corrupt(path, "has a wrong value in "+field).WithCause(cause)
}
