package system_test

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/system"
)

func TestResidentGrowsWithWhatIsUsed(t *testing.T) {
	debug.FreeOSMemory() // else what is used may be memory that this process has already
	before := system.Resident(t.Context())
	require.Positive(t, before)
	used := make([]byte, 64<<20)
	for i := 0; i < len(used); i += 4096 {
		used[i] = 1
	}
	require.Greater(t, system.Resident(t.Context()), before+32<<20)
	require.Equal(t, byte(1), used[4096])
}

func TestMemoryOfTheMachine(t *testing.T) {
	total, free, ok := system.Memory(t.Context())
	require.True(t, ok)
	require.Positive(t, total)
	require.LessOrEqual(t, free, total)
	require.GreaterOrEqual(t, free, int64(0))
}
