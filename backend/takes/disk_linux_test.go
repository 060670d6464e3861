package takes_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// TestTakeOnAFullDisk makes a take with room for 0, 1, 2, ... pages: one that is refused leaves nothing.
func TestTakeOnAFullDisk(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}), func(l *studiotest.Lab) {
		require.NoError(t, unix.Mkdir(l.Dir, 0o700))
		if err := unix.Mount("tmpfs", l.Dir, "tmpfs", 0, "size=8m"); err != nil {
			t.Skipf("this user may not mount a file system: %v", err)
		}
		t.Cleanup(func() { require.NoError(t, unix.Unmount(l.Dir, unix.MNT_DETACH)) })
	})
	g := l.Speak(l.InChunks())
	before := l.Files()
	var disk unix.Statfs_t
	require.NoError(t, unix.Statfs(l.Dir, &disk))
	used := int64(disk.Blocks-disk.Bfree) * disk.Bsize
	for free := int64(0); ; free += disk.Bsize + free/4/disk.Bsize*disk.Bsize {
		require.NoError(t, unix.Mount("", l.Dir, "", unix.MS_REMOUNT, fmt.Sprint("size=", used+free)))
		_, err := l.Takes.RegenerateChunk(t.Context(), g.ID, 1, nil, true)
		if err == nil {
			require.Positive(t, free)
			break
		}
		backendtest.RequireCode(t, backend.CodeInsufficientDisk, err)
		require.Equal(t, before, l.Files())
		require.Equal(t, []int{0, 1}, []int{l.Stored(g.ID).Chunks[1].Take, l.Stored(g.ID).Chunks[1].Takes})
	}
	require.Equal(t, 2, l.Stored(g.ID).Chunks[1].Takes)
}
