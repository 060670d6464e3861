package models_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/voicewright/voicewright/backend"
)

// mounted puts a small file system in the place of the models directory.
func mounted(l *lab, flags uintptr, size string) {
	l.t.Helper()
	require.NoError(l.t, os.Mkdir(l.options.Dir, 0o700))
	if err := unix.Mount("tmpfs", l.options.Dir, "tmpfs", flags, "size="+size); err != nil {
		l.t.Skipf("this user may not mount a file system: %v", err)
	}
	l.t.Cleanup(func() { require.NoError(l.t, unix.Unmount(l.options.Dir, unix.MNT_DETACH)) })
}

func TestImportOntoAFullDisk(t *testing.T) {
	l := newLab(t, func(l *lab) { mounted(l, 0, "64k") })
	_, err := l.manager.Import(t.Context(), l.folder("big", strings.Repeat("voice ", 20_000)), "", "")
	requireCode(t, backend.CodeInsufficientDisk, err)
	require.Empty(t, l.leftovers())
	l.imported("small", "x")
}

func TestImportOntoAReadOnlyDisk(t *testing.T) {
	l := newLab(t, func(l *lab) { mounted(l, unix.MS_RDONLY, "64k") })
	_, err := l.manager.Import(t.Context(), l.folder("a", "x"), "", "")
	requireCode(t, backend.CodeNotPermitted, err)
	require.Empty(t, l.leftovers())
}
