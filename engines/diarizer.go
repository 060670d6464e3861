package engines

import (
	"context"

	"github.com/voicewright/voicewright/backend"
)

// SoundSource is mono sound at TranscriberRate that is read in pieces, so that hours of it need not be in memory. It is read by
// several callers at once.
type SoundSource interface {
	// Samples returns how many there are.
	Samples() int
	// Read fills into with the samples in [-1, 1] from the one at start on; all of them exist.
	Read(ctx context.Context, into []float32, start int) error
}

// Diarizer finds who speaks when, with one loaded model. Implementations are safe for concurrent use. Diarize MUST return an
// error that is backend.ErrCancelled within 200 ms after ctx ends.
type Diarizer interface {
	Engine
	// Diarize returns the speakers of a sound of any length; silence has none. Errors: of the source; out_of_memory,
	// engine_failed, cancelled.
	Diarize(ctx context.Context, sound SoundSource, o DiarizeOptions) (Speakers, error)
	// Print returns a vector of length 1 of the one voice in samples in [-1, 1] at TranscriberRate. The cosine of two prints says
	// how alike two voices are. ok is false for silence and for what is too short. Errors: out_of_memory, engine_failed, cancelled.
	Print(ctx context.Context, samples []float32) (print []float32, ok bool, err error)
}

// DiarizeOptions are the options of one run of a Diarizer.
type DiarizeOptions struct {
	Count int // exactly so many speakers; 0: they are found
	Max   int // of those that are found; 0: any number
	Pace  Pace
	// Progress is called with 0..1 while the run goes on, from one goroutine at a time; may be nil.
	Progress func(float64)
}

// Pace is how often a Diarizer listens to the same sound.
type Pace int

// The paces of a Diarizer.
const (
	Thorough Pace = iota // ten times
	Balanced             // four times
	Fast                 // twice
)

// Speakers are those of a sound.
type Speakers struct {
	// Turns are in the order of their starts; those of two speakers overlap where both speak. The speakers are numbered from 0 in
	// the order of their first turns.
	Turns []Turn
	// Prints has one for each speaker, see Diarizer.Print; nil where the sound is no longer than one window of the model.
	Prints [][]float32
	// Uncounted says that the sound is too short for DiarizeOptions.Count, or for Max where more were found, Fewer that it has fewer
	// voices than Count.
	Uncounted, Fewer bool
}

// Turn is a stretch in which one speaker speaks, in seconds from the start of the sound and never beyond its end.
type Turn struct {
	Start, End float64
	Speaker    int
}

// LoadedDiarizer is a model that finds speakers in memory, counted as in use until Release is called.
type LoadedDiarizer struct {
	Diarizer
	Model    string
	Revision string
	Files    []backend.FileHash // prints of models whose files differ cannot be compared
	Release  func()
}
