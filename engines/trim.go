package engines

import (
	"slices"

	"github.com/voicewright/voicewright/backend"
)

// Quiet is the largest sample of silence: -54 dB, below the softest ends of words and above the noise of the models.
const Quiet = 0.002

// Trimmer removes the silence at the start and at the end of an engine's output. Output that is silent throughout passes
// unchanged.
type Trimmer struct {
	Start, End     bool // which silence is removed
	Rate, Channels int
	Emit           func(Sound) error // receives the output

	held    []float32      // not emitted yet
	words   []backend.Word // of held, times from the start of all that was written
	begun   bool           // a sample above the threshold was written
	in      int64          // frames written
	emitted int64          // frames emitted or removed
}

// Write adds output. Errors are those of Emit.
func (t *Trimmer) Write(s Sound) error {
	t.words = append(t.words, Shifted(s.Words, seconds(t.in, t.Rate))...)
	t.in += int64(s.Frames())
	t.held = append(t.held, s.Samples...)
	if !t.begun && (t.Start || t.End) {
		first := slices.IndexFunc(t.held, loud)
		if first < 0 {
			return nil
		}
		if t.Start {
			t.drop(first / t.Channels)
		}
	}
	t.begun = true
	frames := len(t.held) / t.Channels
	for t.End && frames > 0 && !slices.ContainsFunc(t.held[(frames-1)*t.Channels:frames*t.Channels], loud) {
		frames--
	}
	return t.send(frames)
}

// Close ends the output. Errors are those of Emit.
func (t *Trimmer) Close() error {
	if t.begun && t.End {
		return nil
	}
	return t.send(len(t.held) / t.Channels)
}

// send emits the first frames that are held.
func (t *Trimmer) send(frames int) error {
	if frames == 0 {
		return nil
	}
	var s Sound
	s.Rate, s.Channels, s.Samples = t.Rate, t.Channels, t.held[:frames*t.Channels]
	s.Words, t.words = Shifted(t.words, -seconds(t.emitted, t.Rate)), nil
	if err := t.Emit(s); err != nil {
		return err
	}
	t.drop(frames)
	return nil
}

// drop removes the first frames that are held.
func (t *Trimmer) drop(frames int) {
	t.held = append(t.held[:0], t.held[frames*t.Channels:]...)
	t.emitted += int64(frames)
}

func loud(sample float32) bool { return sample > Quiet || sample < -Quiet }
