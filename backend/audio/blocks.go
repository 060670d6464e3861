package audio

import (
	"slices"

	"github.com/voicewright/voicewright/backend/audio/internal/filters"
)

// blocksPerSecond is the resolution of levels: blocks of 1 ms.
const blocksPerSecond = 1000

// blocks cuts interleaved samples into blocks of 1 ms with the true peak of each over all channels.
type blocks struct {
	channels int
	frames   int                                 // of a block
	floor    float32                             // lower peaks count as this one
	emit     func(block []float32, peak float32) // must neither keep nor change the block
	held     []float32                           // filters.PeakHalf frames before the next block, and the frames after them
	window   []float32                           // one channel of a block with filters.PeakHalf frames on each side
	left     int64                               // frames that are not in a block yet
}

func newBlocks(rate, channels int, emit func(block []float32, peak float32)) *blocks {
	frames := max(1, (rate+blocksPerSecond/2)/blocksPerSecond)
	return &blocks{
		channels: channels, frames: frames, emit: emit,
		held:   make([]float32, filters.PeakHalf*channels),
		window: make([]float32, frames+2*filters.PeakHalf),
	}
}

// write emits the complete blocks, filters.PeakHalf frames late. Samples that are not finite count as 0.
func (b *blocks) write(samples []float32) {
	at := len(b.held)
	b.held = slices.Grow(b.held, len(samples))[:at+len(samples)]
	for i, x := range samples {
		b.held[at+i] = finite(x)
	}
	b.left += int64(len(samples) / b.channels)
	b.flush()
}

// close emits the remaining frames; the last block may be shorter.
func (b *blocks) close() {
	b.held = append(b.held, make([]float32, (b.frames+filters.PeakHalf)*b.channels)...)
	b.flush()
}

func (b *blocks) flush() {
	size, margin := b.frames*b.channels, filters.PeakHalf*b.channels
	from := 0
	for ; b.left > 0 && len(b.held) >= from+size+2*margin; from += size {
		frames := min(b.left, int64(b.frames))
		b.left -= frames
		at := from + margin
		b.emit(b.held[at:at+int(frames)*b.channels], b.peak(b.held[from:from+size+2*margin]))
	}
	b.held = b.held[:copy(b.held, b.held[from:])]
}

// peak returns the true peak of the block in the middle of around.
func (b *blocks) peak(around []float32) float32 {
	if filters.Highest(around)*filters.Peaks.Reach <= b.floor {
		return b.floor // the usual case
	}
	margin := filters.PeakHalf * b.channels
	peak := max(b.floor, filters.Highest(around[margin:len(around)-margin]))
	for c := range b.channels {
		window := around
		if b.channels > 1 {
			for i := range b.window {
				b.window[i] = around[i*b.channels+c]
			}
			window = b.window
		}
		peak = filters.Peaks.Between(window, peak)
	}
	return peak
}
