//go:build soak && whisper && linux

package app_test

import (
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// mixedSeed returns VOICEWRIGHT_SEED, or else the time.
func mixedSeed(t *testing.T) uint64 {
	given := os.Getenv("VOICEWRIGHT_SEED")
	if given == "" {
		return uint64(time.Now().UnixNano())
	}
	seed, err := strconv.ParseUint(given, 10, 64)
	require.NoError(t, err)
	return seed
}

// TestSoakKillMixed kills the program 100 times at random moments of mixed work, and prints what ran. VOICEWRIGHT_SEED repeats a run.
func TestSoakKillMixed(t *testing.T) { killMixed(t, 100, mixedSeed(t)) }
