package secrets

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/voicewright/voicewright/backend"
)

// TestKeyOfAFileThatIsNotWritten has a disk with room for the key alone: the first secret is refused, and no key without a file stays.
func TestKeyOfAFileThatIsNotWritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=4k"); err != nil {
		t.Skipf("this user may not mount a file system: %v", err)
	}
	t.Cleanup(func() { require.NoError(t, unix.Unmount(dir, unix.MNT_DETACH)) })
	err := newFile(dir, phrase(""), nobody).set(t.Context(), "id/name/a/0", "the value")
	require.Equal(t, backend.CodeInsufficientDisk, backend.CodeOf(err))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, entries)
}
