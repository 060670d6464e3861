package diarize

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A voice of one window is never heard as a part of the same samples in another one: frames of the published networks begin at other
// samples there, so there are no equal stretches whose vector could be shared.
func TestWindowsShareNoStretches(t *testing.T) {
	const frames = 589
	for pace, share := range shares {
		s := &scan{shape: shape{window: 160000}, shift: int(share * 160000)}
		windowOf := map[int]int{}
		for window := range 100 {
			for frame := range frames {
				at := s.sampleAt(frame, frames, window*s.shift)
				other, there := windowOf[at]
				require.True(t, !there || (window-other)*s.shift >= s.window, "pace %d, sample %d of windows %d and %d", pace, at, other, window)
				windowOf[at] = window
			}
		}
	}
}
