package system

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCgroup(t *testing.T) {
	for name, c := range map[string]struct {
		files       map[string]string
		limit, used int64
		ok          bool
	}{
		"limited":          {map[string]string{"memory.max": "2147483648\n", "memory.current": "1048576\n"}, 2147483648, 1048576, true},
		"no limit":         {map[string]string{"memory.max": "max\n", "memory.current": "1048576\n"}, 0, 0, false},
		"no container":     {nil, 0, 0, false},
		"use is not known": {map[string]string{"memory.max": "1000\n"}, 1000, 0, false},
		"nonsense":         {map[string]string{"memory.max": "12kB\n", "memory.current": "1"}, 0, 0, false},
		"empty":            {map[string]string{"memory.max": "", "memory.current": ""}, 0, 0, false},
		"beyond 64 bits":   {map[string]string{"memory.max": "99999999999999999999", "memory.current": "1"}, 0, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			for file, content := range c.files {
				require.NoError(t, os.WriteFile(filepath.Join(root, file), []byte(content), 0o600))
			}
			limit, used, ok := cgroup(root)
			require.Equal(t, c.ok, ok)
			require.Equal(t, c.limit, limit)
			require.Equal(t, c.used, used)
		})
	}
}

func TestBound(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "memory.max"), []byte("1000"), 0o600))
	for name, c := range map[string]struct {
		machine Space
		used    string
		want    Space
	}{
		"the container has less":         {Space{Total: 5000, Free: 4000}, "300", Space{Total: 1000, Free: 700}},
		"the machine has less free":      {Space{Total: 5000, Free: 100}, "300", Space{Total: 1000, Free: 100}},
		"the container is full":          {Space{Total: 5000, Free: 4000}, "1200", Space{Total: 1000, Free: 0}},
		"the limit is above the machine": {Space{Total: 900, Free: 400}, "300", Space{Total: 900, Free: 400}},
		"the container's use is unknown": {Space{Total: 5000, Free: 4000}, "?", Space{Total: 5000, Free: 4000}},
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, os.WriteFile(filepath.Join(root, "memory.current"), []byte(c.used), 0o600))
			require.Equal(t, c.want, bound(c.machine, root))
		})
	}
}
