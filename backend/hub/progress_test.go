package hub

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// TestReportsAreLimited changes the progress all the time, with the test's own clock.
func TestReportsAreLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var when []time.Time
		m := newMeter(time.Now, func(Progress) { when = append(when, time.Now()) }, func(error) {})
		m.setTotal(5000)
		for i := range 5000 {
			time.Sleep(time.Millisecond)
			m.setCurrent(int64(i))
		}
		m.close(true)
		require.Greater(t, len(when), 30, "they come as long as there is something to tell")
		for i, at := range when[10:] {
			require.Greater(t, at.Sub(when[i]), 900*time.Millisecond, "at most ten in a second")
		}
	})
}
