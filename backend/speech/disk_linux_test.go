package speech_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines/enginetest"
)

func TestDiskFull(t *testing.T) {
	for name, size := range map[string]string{
		"in the spool":        "300k", // 24,000 Hz in 4 bytes a sample: full after 3 of 5 seconds
		"beside the spool":    "640k", // the spool fits, the file of half its size does not
		"before it has begun": "4k",
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t, fixture(enginetest.FixtureOptions{}), func(l *lab) {
				require.NoError(t, unix.Mkdir(l.dir, 0o700))
				if err := unix.Mount("tmpfs", l.dir, "tmpfs", 0, "size="+size); err != nil {
					t.Skipf("this user may not mount a file system: %v", err)
				}
				t.Cleanup(func() { require.NoError(t, unix.Unmount(l.dir, unix.MNT_DETACH)) })
			})
			g, err := l.service.Generations.Generate(t.Context(), l.request(longSentence(100)))
			e := failure(t, backend.CodeInsufficientDisk, err)
			require.Equal(t, g.ID, e.Params["generation_id"])
			row := l.stored(g.ID)
			require.Equal(t, backend.StatusFailed, row.Status)
			require.Equal(t, backend.CodeInsufficientDisk, row.Error.Code)
			require.Empty(t, l.leftovers(), "nothing is left over")

			require.NoError(t, unix.Mount("", l.dir, "", unix.MS_REMOUNT, "size=8m"))
			_, err = l.service.Generations.Retry(t.Context(), g.ID, nil)
			require.NoError(t, err)
			l.becomes(g.ID, backend.StatusComplete)
		})
	}
}

// TestDiskFullKeepsWhatIsFinished fills the disk in the middle of a text.
func TestDiskFullKeepsWhatIsFinished(t *testing.T) {
	engine := newCounting()
	l := newLab(t, engine, func(l *lab) {
		require.NoError(t, unix.Mkdir(l.dir, 0o700))
		if err := unix.Mount("tmpfs", l.dir, "tmpfs", 0, "size=3m"); err != nil {
			t.Skipf("this user may not mount a file system: %v", err)
		}
		t.Cleanup(func() { require.NoError(t, unix.Unmount(l.dir, unix.MNT_DETACH)) })
	})
	g, err := l.service.Generations.Generate(t.Context(), passages(l))
	requireCode(t, backend.CodeInsufficientDisk, err)
	require.NotNil(t, g.Partial)
	require.Positive(t, g.Partial.Chunks)
	require.NoError(t, unix.Mount("", l.dir, "", unix.MS_REMOUNT, "size=32m"))
	before := engine.total()
	_, err = l.service.Generations.Retry(t.Context(), g.ID, nil)
	require.NoError(t, err)
	done := l.becomes(g.ID, backend.StatusComplete)
	require.LessOrEqual(t, engine.total()-before, 16-g.Partial.Chunks)
	require.Equal(t, l.speak(passages(l)).Receipt.AudioSHA256, done.Receipt.AudioSHA256)
}
