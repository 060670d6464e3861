package models_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/voicewright/voicewright/backend"
)

// TestUnreadableFileOfAnImportedModel: a file that could not be read for a while is not taken for a wrong one, nor a wrong one for
// a good one.
func TestUnreadableFileOfAnImportedModel(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	l.imported("own", "x")
	folder := filepath.Join(l.dir, "imported", "own")
	path := filepath.Join(folder, "own.graph")
	unreadable := func() {
		require.NoError(t, os.Chmod(path, 0))
		var v backend.ModelVerified
		require.NoError(t, asUser(func() (err error) {
			if _, err := os.ReadFile(path); !errors.Is(err, os.ErrPermission) {
				return errors.New("the file can be read")
			}
			v, err = l.manager.Verify(t.Context(), "own")
			return err
		}))
		require.False(t, v.OK)
		require.Contains(t, v.Error.Detail, "cannot be read")
		require.NoError(t, os.Chmod(path, 0o600))
		l.start()
	}
	unreadable()
	require.True(t, l.get("own").Downloaded)

	flip(t, folder, "own.graph")
	v, err := l.manager.Verify(t.Context(), "own")
	require.NoError(t, err)
	require.False(t, v.OK)
	unreadable()
	require.False(t, l.get("own").Downloaded)
}

// asUser calls f without root's permissions on files, as their owner.
func asUser(f func() error) error {
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlock it: the thread ends with the goroutine
		header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
		var data [2]unix.CapUserData
		err := unix.Capget(&header, &data[0])
		data[0].Effective &^= 1<<unix.CAP_DAC_OVERRIDE | 1<<unix.CAP_DAC_READ_SEARCH
		if err == nil {
			err = unix.Capset(&header, &data[0])
		}
		if err == nil {
			err = f()
		}
		done <- err
	}()
	return <-done
}
