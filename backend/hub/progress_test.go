package hub

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// TestSpeedOfTheLastSeconds resumes a download that was slow and is fast now; what was on the disk before does not count.
func TestSpeedOfTheLastSeconds(t *testing.T) {
	t.Parallel()
	now := time.Unix(0, 0)
	m := newMeter(func() time.Time { return now }, nil, nil)
	m.setTotal(1000)
	m.setCurrent(500)
	var p Progress
	second := func(bytes int) {
		m.addFetched(bytes)
		m.setCurrent(m.state.Current + int64(bytes))
		now = now.Add(time.Second)
		p, _ = m.next()
	}
	p, _ = m.next()
	require.Zero(t, p.BytesPerSecond)
	for range 60 {
		second(1)
	}
	require.InDelta(t, 1, p.BytesPerSecond, 0.001)
	for range 6 {
		second(20)
	}
	require.InDelta(t, 20, p.BytesPerSecond, 0.001)
	require.Equal(t, 16*time.Second, p.ETA)
	m.setRetry(&Retry{})
	now = now.Add(time.Hour)
	m.setRetry(nil)
	_, _ = m.next()
	second(10)
	require.InDelta(t, 10, p.BytesPerSecond, 0.001, "a wait does not count")
}

// TestReportsAreLimited changes the progress all the time, with the test's own clock.
func TestReportsAreLimited(t *testing.T) {
	t.Parallel()
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
