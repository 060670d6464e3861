package audio

import (
	"errors"
	"math"
	"time"

	"github.com/voicewright/voicewright/backend/audio/internal/filters"
)

const (
	joinNear  = 12 * time.Millisecond   // around a border, where the steps of the audio itself are measured
	joinRamp  = 2500 * time.Microsecond // smooths a border that would click
	joinSlack = 1.1                     // how much larger the step at a border may be than those of the audio itself
	joinFloor = 1.0 / 2048              // steps up to -66 dBFS are never heard as a click
	joinBlock = 4096                    // frames of silence emitted at a time
)

// Span is the range of a chunk in the joined audio, in frames: [Start, End).
type Span struct{ Start, End int64 }

// Joiner joins chunks of audio. A chunk is a call of Start and any number of calls of Write, with Pause between chunks for
// silence. The joined audio is passed to emit in pieces of any size, a few milliseconds late. Memory is flat.
//
// With a crossfade, neighbouring chunks overlap by its length with equal power, by half of the shorter chunk at most, and
// never across a pause. Without one every sample is unchanged, unless the step at a border is larger than all steps within
// 12 ms of it: then the louder side is faded to the other one within 2.5 ms. At a pause such a ramp is inside the pause; only
// a pause of less than 5 ms may be too short for it. The very first and the very last sample do not change.
//
// The length is the sum of chunks and pauses less the overlaps, and overlap i is Spans()[i-1].End -
// Spans()[i].Start.
type Joiner struct {
	rate, channels        int
	crossfade, near, ramp int // frames
	emit                  func([]float32) error

	tail    []float32 // the end of the placed audio, which may still change
	head    []float32 // the start of the current chunk, not placed yet
	gap     int64     // frames of pause before the next chunk
	emitted int64     // frames
	free    int       // frames of the last placed chunk that no crossfade has touched
	open    bool      // between Start and the chunk's end
	placed  bool      // the head of the current chunk is placed
	closed  bool
	spans   []Span
}

// NewJoiner returns a joiner for interleaved samples at rate Hz. A crossfade of 0 means none. emit must not keep its
// argument; its first error is returned by the call that caused it, and the joiner must not be used after that.
func NewJoiner(rate, channels int, crossfade time.Duration, emit func([]float32) error) *Joiner {
	j := &Joiner{rate: rate, channels: channels, emit: emit}
	j.crossfade = int(max(0, j.frames(crossfade)))
	j.near = max(2, int(j.frames(joinNear)))
	j.ramp = max(1, int(j.frames(joinRamp)))
	return j
}

// Start ends the current chunk and begins the next one.
func (j *Joiner) Start() error {
	if j.closed {
		return errors.New("join: closed")
	}
	if err := j.endChunk(); err != nil {
		return err
	}
	at := j.position() + j.gap
	j.spans = append(j.spans, Span{Start: at, End: at})
	j.open, j.placed = true, false
	return nil
}

// Write adds whole frames to the chunk that Start began.
func (j *Joiner) Write(samples []float32) error {
	if !j.open {
		return errors.New("join: write without a chunk")
	}
	if len(samples)%j.channels != 0 {
		return errors.New("join: samples are not whole frames")
	}
	if j.placed {
		return j.push(samples)
	}
	enough := max(2*j.crossfade, j.near) * j.channels
	n := min(len(samples), enough-len(j.head))
	j.head = append(j.head, samples[:n]...)
	if len(j.head) < enough {
		return nil
	}
	if err := j.place(); err != nil {
		return err
	}
	return j.push(samples[n:])
}

// Pause ends the current chunk and adds silence of this length, rounded to frames. Consecutive pauses add up.
func (j *Joiner) Pause(d time.Duration) error {
	if j.closed {
		return errors.New("join: closed")
	}
	if err := j.endChunk(); err != nil {
		return err
	}
	j.gap += max(0, j.frames(d))
	return nil
}

// Close ends the last chunk and emits the remaining frames. A second Close does nothing.
func (j *Joiner) Close() error {
	if j.closed {
		return nil
	}
	if err := j.endChunk(); err != nil {
		return err
	}
	j.closed = true
	if j.gap > 0 {
		return j.silence(nil)
	}
	return j.flush()
}

// Spans returns the range of every chunk that was started; all but the current one are final.
func (j *Joiner) Spans() []Span { return append([]Span(nil), j.spans...) }

// Frames returns the length of the joined audio so far, with frames not emitted yet and pauses.
func (j *Joiner) Frames() int64 {
	return j.position() + j.gap + int64(len(j.head)/j.channels)
}

func (j *Joiner) frames(d time.Duration) int64 {
	return int64(math.Round(d.Seconds() * float64(j.rate)))
}

// position returns the frame after the placed audio.
func (j *Joiner) position() int64 { return j.emitted + int64(len(j.tail)/j.channels) }

func (j *Joiner) endChunk() error {
	if !j.open {
		return nil
	}
	if !j.placed && len(j.head) > 0 {
		if err := j.place(); err != nil {
			return err
		}
	}
	if j.placed {
		j.spans[len(j.spans)-1].End = j.position()
	}
	j.open = false
	return nil
}

// place appends the head of the current chunk to the audio before it.
func (j *Joiner) place() error {
	overlap := 0
	if j.gap > 0 {
		if err := j.silence(j.head); err != nil {
			return err
		}
	} else if len(j.tail) > 0 {
		overlap = min(j.crossfade, j.free, len(j.tail)/j.channels, len(j.head)/j.channels/2)
		if overlap > 0 {
			j.mix(overlap)
		} else {
			j.smooth()
		}
	}
	j.spans[len(j.spans)-1].Start = j.position() - int64(overlap)
	j.placed, j.free = true, 0
	remaining := j.head[overlap*j.channels:]
	j.head = j.head[:0]
	return j.push(remaining)
}

// push appends samples of the current chunk and emits all but the frames that a border may still change.
func (j *Joiner) push(samples []float32) error {
	hold := max(j.crossfade, j.near) * j.channels
	j.free = min(j.free+len(samples)/j.channels, hold)
	out := max(0, len(j.tail)+len(samples)-hold)
	old := min(out, len(j.tail))
	if err := j.send(j.tail[:old]); err != nil {
		return err
	}
	j.tail = j.tail[:copy(j.tail, j.tail[old:])]
	if err := j.send(samples[:out-old]); err != nil {
		return err
	}
	j.tail = append(j.tail, samples[out-old:]...)
	return nil
}

func (j *Joiner) send(samples []float32) error {
	if len(samples) == 0 {
		return nil
	}
	j.emitted += int64(len(samples) / j.channels)
	return j.emit(samples)
}

func (j *Joiner) flush() error {
	held := j.tail
	j.tail = j.tail[:0]
	return j.send(held)
}

// mix fades n frames of the tail's end and of the head's start into each other with equal power.
func (j *Joiner) mix(n int) {
	end := j.tail[len(j.tail)-n*j.channels:]
	for i := range end {
		out, in := math.Sincos((float64(i/j.channels) + 0.5) / float64(n) * math.Pi / 2)
		end[i] = float32(float64(end[i])*in + float64(j.head[i])*out)
	}
}

// smooth fades the louder side of a border to the other one in every channel in which the border would click. The gain stays
// within [-1, 1], so that nothing gets louder.
func (j *Joiner) smooth() {
	frames, heads := len(j.tail)/j.channels, len(j.head)/j.channels
	for c := range j.channels {
		last, first := j.tail[(frames-1)*j.channels+c], j.head[c]
		natural := max(j.naturalStep(j.lastNear(), c), j.naturalStep(j.firstNear(j.head), c))
		if filters.Abs(first-last) <= natural {
			continue
		}
		if filters.Abs(last) >= filters.Abs(first) {
			n := min(j.ramp, frames)
			for i := range n {
				j.tail[(frames-1-i)*j.channels+c] *= fadeGain(first/last, i, n)
			}
			continue
		}
		n := min(j.ramp, heads)
		for i := range n {
			j.head[i*j.channels+c] *= fadeGain(last/first, i, n)
		}
	}
}

// fadeGain returns the gain i frames away from a border, from gain g at it to 1 after n frames.
func fadeGain(g float32, i, n int) float32 {
	r := 0.5 + 0.5*math.Cos(math.Pi*float64(i)/float64(n))
	return float32(1 + (float64(g)-1)*r)
}

// silence emits the tail and the pause. If the audio before the pause, or next after it, would click against silence, the
// pause has a ramp from or to its border sample.
func (j *Joiner) silence(next []float32) error {
	from, to := make([]float32, j.channels), make([]float32, j.channels)
	for c := range j.channels {
		if n := len(j.tail); n > 0 {
			from[c] = clicking(j.tail[n-j.channels+c], j.naturalStep(j.lastNear(), c))
		}
		if len(next) > 0 {
			to[c] = clicking(next[c], j.naturalStep(j.firstNear(next), c))
		}
	}
	if err := j.flush(); err != nil {
		return err
	}
	length := j.gap
	ramp := min(int64(j.ramp), (length+1)/2)
	block := make([]float32, min(length, joinBlock)*int64(j.channels))
	for j.gap > 0 {
		n := min(j.gap, joinBlock)
		block = block[:n*int64(j.channels)]
		for f := range n {
			at := length - j.gap + f
			frame := block[f*int64(j.channels) : (f+1)*int64(j.channels)]
			fillPause(frame, from, to, pauseRamp(at, ramp), pauseRamp(length-1-at, ramp))
		}
		j.gap -= n
		if err := j.send(block); err != nil {
			return err
		}
	}
	return nil
}

func fillPause(frame, from, to []float32, down, up float32) {
	for c := range frame {
		frame[c] = from[c]*down + to[c]*up
	}
}

// pauseRamp returns a ramp that falls from nearly 1 in a pause's first frame to 0 after n frames.
func pauseRamp(at, n int64) float32 {
	if at >= n {
		return 0
	}
	return float32(0.5 + 0.5*math.Cos(math.Pi*float64(at+1)/float64(n+1)))
}

// clicking returns the border sample x if a step from it to silence would be audible, else 0.
func clicking(x, natural float32) float32 {
	if filters.Abs(x) <= natural {
		return 0
	}
	return x
}

func (j *Joiner) lastNear() []float32 {
	return j.tail[max(0, len(j.tail)-j.near*j.channels):]
}

func (j *Joiner) firstNear(head []float32) []float32 {
	return head[:min(len(head), j.near*j.channels)]
}

// naturalStep returns the largest step that is no click beside this audio in channel c.
func (j *Joiner) naturalStep(near []float32, c int) float32 {
	var step float32
	for i := c + j.channels; i < len(near); i += j.channels {
		step = max(step, filters.Abs(near[i]-near[i-j.channels]))
	}
	return max(step*joinSlack, joinFloor)
}
