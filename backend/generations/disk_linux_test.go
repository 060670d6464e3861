package generations_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines/enginetest"
)

func TestDiskFull(t *testing.T) {
	for name, size := range map[string]string{
		"in the spool":        "300k", // 24,000 Hz in 4 bytes a sample: full after 3 of 5 seconds
		"beside the spool":    "640k", // the spool fits, the file of half its size does not
		"before it has begun": "4k",
	} {
		t.Run(name, func(t *testing.T) {
			l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}), func(l *studiotest.Lab) {
				require.NoError(t, unix.Mkdir(l.Dir, 0o700))
				if err := unix.Mount("tmpfs", l.Dir, "tmpfs", 0, "size="+size); err != nil {
					t.Skipf("this user may not mount a file system: %v", err)
				}
				t.Cleanup(func() { require.NoError(t, unix.Unmount(l.Dir, unix.MNT_DETACH)) })
			})
			g, err := l.Generations.Generate(t.Context(), l.Request(studiotest.LongSentence(100)))
			e := backendtest.Failure(t, backend.CodeInsufficientDisk, err)
			require.Equal(t, g.ID, e.Params["generation_id"])
			row := l.Stored(g.ID)
			require.Equal(t, backend.StatusFailed, row.Status)
			require.Equal(t, backend.CodeInsufficientDisk, row.Error.Code)
			require.Empty(t, l.Leftovers(), "nothing is left over")

			require.NoError(t, unix.Mount("", l.Dir, "", unix.MS_REMOUNT, "size=8m"))
			_, err = l.Generations.Retry(t.Context(), g.ID, nil)
			require.NoError(t, err)
			l.Becomes(g.ID, backend.StatusComplete)
		})
	}
}

// TestDiskFullKeepsWhatIsFinished fills the disk in the middle of a text.
func TestDiskFullKeepsWhatIsFinished(t *testing.T) {
	engine := studiotest.NewCounting()
	l := studiotest.New(t, engine, func(l *studiotest.Lab) {
		require.NoError(t, unix.Mkdir(l.Dir, 0o700))
		if err := unix.Mount("tmpfs", l.Dir, "tmpfs", 0, "size=3m"); err != nil {
			t.Skipf("this user may not mount a file system: %v", err)
		}
		t.Cleanup(func() { require.NoError(t, unix.Unmount(l.Dir, unix.MNT_DETACH)) })
	})
	g, err := l.Generations.Generate(t.Context(), passages(l))
	backendtest.RequireCode(t, backend.CodeInsufficientDisk, err)
	require.NotNil(t, g.Partial)
	require.Positive(t, g.Partial.Chunks)
	require.NoError(t, unix.Mount("", l.Dir, "", unix.MS_REMOUNT, "size=32m"))
	before := engine.Total()
	_, err = l.Generations.Retry(t.Context(), g.ID, nil)
	require.NoError(t, err)
	done := l.Becomes(g.ID, backend.StatusComplete)
	require.LessOrEqual(t, engine.Total()-before, 16-g.Partial.Chunks)
	require.Equal(t, l.Speak(passages(l)).Receipt.AudioSHA256, done.Receipt.AudioSHA256)
}
