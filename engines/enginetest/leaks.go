package enginetest

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines"
)

// maxGrowth is how much resident memory may grow over the opens and closes after the first ones, in bytes.
const maxGrowth = 24 << 20

// noLeaks opens, speaks and closes again and again. The first fifth fills caches and pools; from then on nothing may grow.
func noLeaks(t *testing.T, open func(t *testing.T) engines.Speaker, s Suite) {
	var memory int64
	var goroutines int
	for i := range s.Opens {
		speaker := open(t)
		say(t, speaker, engines.Utterance{Text: s.Text, Speed: 1})
		require.NoError(t, speaker.Close())
		if i == s.Opens/5 {
			memory, goroutines = Resident(t), runtime.NumGoroutine()
		}
	}
	grown := Resident(t) - memory
	t.Logf("resident memory grew by %d KiB over %d opens", grown>>10, s.Opens-s.Opens/5)
	require.Less(t, grown, int64(maxGrowth), "bytes of memory that opening and closing left behind")
	require.Eventually(t, func() bool { return runtime.NumGoroutine() <= goroutines+2 },
		30*time.Second, 10*time.Millisecond, "goroutines are left behind")
}

// Resident returns the resident memory of this process in bytes after a collection, 0 where the system has no /proc.
func Resident(t testing.TB) int64 {
	t.Helper()
	runtime.GC()
	raw, err := os.ReadFile("/proc/self/statm")
	if os.IsNotExist(err) {
		return 0
	}
	require.NoError(t, err)
	pages, err := strconv.ParseInt(strings.Fields(string(raw))[1], 10, 64)
	require.NoError(t, err)
	return pages * int64(os.Getpagesize())
}
