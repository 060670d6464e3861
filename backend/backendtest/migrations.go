package backendtest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// RequireAppendOnly guards the files of the folder migrations that databases were made with: numbered without gaps, each listed with
// its checksum in testdata/migrations.sha256. A new migration adds a line; no line ever
// changes. down says why none goes back.
func RequireAppendOnly(t *testing.T, down string) {
	t.Helper()
	released, err := os.ReadFile("testdata/migrations.sha256")
	require.NoError(t, err)
	files, err := filepath.Glob("migrations/*")
	require.NoError(t, err)
	var have strings.Builder
	for i, file := range files {
		require.Regexp(t, fmt.Sprintf(`^%05d_[a-z_]+\.sql$`, i+1), filepath.Base(file), "numbered in order without gaps")
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NotContains(t, string(content), "+goose Down", down)
		sum := sha256.Sum256(content)
		fmt.Fprintf(&have, "%s  %s\n", hex.EncodeToString(sum[:]), filepath.Base(file))
	}
	require.Equal(t, string(released), have.String())
}
