//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/cli/batchfolder"
	"github.com/voicewright/voicewright/backend/exit"
)

// TestBatchPipesInTheFolder: a pipe or a folder in the place of the journal, the report or an audio file holds up no run.
func TestBatchPipesInTheFolder(t *testing.T) {
	t.Parallel()
	for _, name := range []string{batchfolder.Journal, batchfolder.Report} {
		for _, link := range []bool{false, true} {
			b := newBatchTest(t, "a.txt", "Hello.\n")
			require.NoError(t, os.MkdirAll(b.out, 0o700))
			pipe := filepath.Join(b.out, name)
			if link {
				pipe = filepath.Join(t.TempDir(), "pipe")
				require.NoError(t, os.Symlink(pipe, filepath.Join(b.out, name)))
			}
			require.NoError(t, syscall.Mkfifo(pipe, 0o600))
			code, _, errs := b.say(t.Context())
			require.Equal(t, exit.Usage, code, errs)
			require.Contains(t, errs, name+" is not a file")
			require.Empty(t, b.s.spoken)
		}
	}
	b := newBatchTest(t, "a.txt", "Hello.\n")
	require.NoError(t, os.MkdirAll(filepath.Join(b.out, batchfolder.Journal), 0o700))
	code, _, errs := b.say(t.Context())
	require.Equal(t, exit.Usage, code, errs)

	b = newBatchTest(t, "a.txt", "Hello.\n")
	b.mustSay()
	name := b.names()[0]
	require.NoError(t, os.Remove(filepath.Join(b.out, name)))
	require.NoError(t, syscall.Mkfifo(filepath.Join(b.out, name), 0o600))
	b.write("Hello again.\n")
	b.mustSay()
	info, err := os.Lstat(filepath.Join(b.out, name))
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&os.ModeNamedPipe, "it stays")
}
