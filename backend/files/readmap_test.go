package files_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/files"
)

func TestReadMap(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.json")
	for content, want := range map[string]map[string]int{"": {}, `{"a":1}`: {"a": 1}, "null": {}, "{": {}, `{"a":"b"}`: {}} {
		if content != "" {
			require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		}
		got, err := files.ReadMap[int](path)
		require.Equal(t, content == "{" || content == `{"a":"b"}`, err != nil, content)
		require.Equal(t, want, got, content)
		require.NoError(t, os.RemoveAll(path))
	}
	got, err := files.ReadMap[int]("")
	require.NoError(t, err)
	require.NotNil(t, got)
}
