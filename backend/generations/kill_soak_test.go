//go:build soak

package generations_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSoakKill kills a process at 20 moments spread over the chunks of a generation, continues each time, and prints what was
// stored and what was spoken again.
func TestSoakKill(t *testing.T) {
	const chunks = 86
	want := uninterrupted(t, chunks)
	moments := []moment{{whenWritten, 0}, {whenComplete, 0}}
	for i := range 9 {
		n := 1 + i*(chunks-1)/8
		moments = append(moments, moment{whileSpeaking, n}, moment{whenFinished, n})
	}
	t.Logf("%-32s %-9s %6s %12s  %s", "killed", "status", "kept", "engine calls", "sha256")
	for _, m := range moments {
		k := killAt(t, chunks, m)
		same := "equal"
		if k.sha256 != want {
			same = "DIFFERS"
		}
		t.Logf("%-32s %-9s %3d/%d %12d  %s", k.moment, k.status, k.kept, chunks, k.again, same)
		require.Equal(t, want, k.sha256)
	}
}
