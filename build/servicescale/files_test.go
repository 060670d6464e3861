//go:build scale && postgres

package servicescale_test

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/folder"
)

// audioStore is where the processes of a world store audio.
type audioStore struct {
	address string                           // of --files
	env     []string                         // with what the store wants to see
	open    func(t *testing.T) service.Files // beside the processes
	names   func(t *testing.T) []string      // of the files, but for previews
}

// inFolder returns a folder for audio.
func inFolder(t *testing.T) audioStore {
	dir := filepath.Join(t.TempDir(), "files")
	return audioStore{address: dir, open: func(t *testing.T) service.Files {
		files, err := folder.Open(dir)
		require.NoError(t, err)
		return files
	}, names: func(t *testing.T) (names []string) {
		require.NoError(t, filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && !strings.HasPrefix(d.Name(), ".") { // what is half written begins with a point
				names = append(names, d.Name())
			}
			return err
		}))
		return names
	}}
}
