package speech

import (
	"slices"

	"github.com/voicewright/voicewright/backend"
)

// quiet is the largest sample of silence: -54 dB, below the softest ends of words and above the noise of the models.
const quiet = 0.002

// trimmer removes the silence at the start and at the end of an engine's output. Output that is silent throughout passes
// unchanged.
type trimmer struct {
	start, end     bool // which silence is removed
	rate, channels int
	emit           func(sound) error

	held    []float32      // not emitted yet
	words   []backend.Word // of held, times from the start of all that was written
	begun   bool           // a sample above the threshold was written
	in      int64          // frames written
	emitted int64          // frames emitted or removed
}

func (t *trimmer) write(s sound) error {
	t.words = append(t.words, shifted(s.words, seconds(t.in, t.rate))...)
	t.in += int64(s.Frames())
	t.held = append(t.held, s.Samples...)
	if !t.begun && (t.start || t.end) {
		first := slices.IndexFunc(t.held, loud)
		if first < 0 {
			return nil
		}
		if t.start {
			t.drop(first / t.channels)
		}
	}
	t.begun = true
	frames := len(t.held) / t.channels
	for t.end && frames > 0 && !slices.ContainsFunc(t.held[(frames-1)*t.channels:frames*t.channels], loud) {
		frames--
	}
	return t.send(frames)
}

// close ends the output.
func (t *trimmer) close() error {
	if t.begun && t.end {
		return nil
	}
	return t.send(len(t.held) / t.channels)
}

// send emits the first frames that are held.
func (t *trimmer) send(frames int) error {
	if frames == 0 {
		return nil
	}
	var s sound
	s.Rate, s.Channels, s.Samples = t.rate, t.channels, t.held[:frames*t.channels]
	s.words, t.words = shifted(t.words, -seconds(t.emitted, t.rate)), nil
	if err := t.emit(s); err != nil {
		return err
	}
	t.drop(frames)
	return nil
}

// drop removes the first frames that are held.
func (t *trimmer) drop(frames int) {
	t.held = append(t.held[:0], t.held[frames*t.channels:]...)
	t.emitted += int64(frames)
}

func loud(sample float32) bool { return sample > quiet || sample < -quiet }
