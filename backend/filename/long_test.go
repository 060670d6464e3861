package filename_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/filename"
)

// TestLong adds the prefix of long paths on Windows only.
func TestLong(t *testing.T) {
	long := strings.Repeat("folder ü/", 30) + "model.onnx"
	for path, want := range map[string]string{
		`C:\voices\model.onnx`:   `C:\voices\model.onnx`,
		`C:\` + long:             `\\?\C:\` + strings.ReplaceAll(long, "/", `\`),
		`\\server\share\` + long: `\\?\UNC\server\share\` + strings.ReplaceAll(long, "/", `\`),
		`\\?\C:\` + long:         `\\?\C:\` + long,
	} {
		require.Equal(t, want, filename.Long("windows", path))
	}
	require.Equal(t, "/"+long, filename.Long("linux", "/"+long))
}
