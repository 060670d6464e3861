package system_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/system"
)

func TestHost(t *testing.T) {
	for _, dir := range []string{t.TempDir(), filepath.Join(t.TempDir(), "not", "made", "yet")} {
		info := system.Host(t.Context(), dir)
		require.Equal(t, runtime.GOOS, info.OS)
		require.Equal(t, runtime.GOARCH, info.Arch)
		require.NotEmpty(t, info.Devices)
		require.Equal(t, "cpu", info.Devices[0].ID)
		require.NotEmpty(t, info.Devices[0].Name)
		require.Positive(t, info.Devices[0].Cores)
		for _, space := range []*system.Space{info.Memory, info.Disk} {
			require.NotNil(t, space)
			require.Positive(t, space.Total)
			require.GreaterOrEqual(t, space.Free, int64(0))
			require.LessOrEqual(t, space.Free, space.Total)
		}
		require.NoDirExists(t, filepath.Join(dir, "not"), "Disk creates nothing")
	}
}

func TestUnknownIsAbsent(t *testing.T) {
	raw, err := json.Marshal(system.Info{})
	require.NoError(t, err)
	require.Contains(t, string(raw), `"memory":null`)
	require.Contains(t, string(raw), `"disk":null`)
}

func TestExamine(t *testing.T) {
	look := func(detail string, err error) func(context.Context) (string, error) {
		return func(context.Context) (string, error) { return detail, err }
	}
	got := system.Examine(t.Context(), []system.Check{
		{Name: "good", Bad: system.Broken, Run: look("all is well", nil)},
		{Name: "missing", Bad: system.Warning, Run: look("", backend.E(backend.CodeRuntimeMissing, "No ffmpeg.", "Install it."))},
		{Name: "strange", Bad: system.Broken, Run: look("half", errors.New("read x: input/output error"))},
	})
	require.Equal(t, []system.Finding{
		{Name: "good", Level: system.OK, Detail: "all is well"},
		{Name: "missing", Level: system.Warning, Detail: "No ffmpeg.", Remedy: "Install it."},
		{Name: "strange", Level: system.Broken, Detail: "read x: input/output error", Remedy: got[2].Remedy},
	}, got, "in order, with the internal error")
	require.NotEmpty(t, got[2].Remedy)
}

func TestWritable(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "data")
	found := system.Examine(t.Context(), []system.Check{system.Writable(dir)})
	require.Equal(t, system.OK, found[0].Level)
	require.Equal(t, "folder data", found[0].Name)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)

	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	found = system.Examine(t.Context(), []system.Check{system.Writable(filepath.Join(file, "data"))})
	require.Equal(t, system.Broken, found[0].Level)
	require.Contains(t, found[0].Detail, file)
}

func TestDiskSpace(t *testing.T) {
	found := system.Examine(t.Context(), []system.Check{system.DiskSpace(t.TempDir())})
	require.Equal(t, "disk space", found[0].Name)
	require.Contains(t, found[0].Detail, "GB free")
	if found[0].Level != system.OK { // the machine that runs this is nearly full
		require.Equal(t, system.Warning, found[0].Level)
		require.NotEmpty(t, found[0].Remedy)
	}
}
