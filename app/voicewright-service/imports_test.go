package main_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/voicewright/voicewright"

// TestImports compares what the programs consist of: nothing that only one of them needs is in the other.
func TestImports(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		pkg, tags string
		without   []string // import paths, and what is below them
	}{
		"voicewright": {module, "whisper,desktop,production,webkit2_41", []string{
			module + "/backend/service", module + "/app/voicewright-service", "github.com/coreos/go-oidc", "github.com/zitadel",
			"github.com/go-jose", "github.com/sony/gobreaker", "github.com/prometheus", "go.yaml.in/yaml", "go.opentelemetry.io",
		}},
		"voicewright-service": {module + "/app/voicewright-service", "whisper", []string{
			module + "/backend/httpapi", module + "/backend/sqlite", module + "/app/cli", module + "/app/client", module + "/app/desktop",
			module + "/frontend", "github.com/wailsapp", "github.com/r3labs", "github.com/gen2brain/malgo", "github.com/ggerganov/whisper.cpp",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			imports := importsOf(t, c.pkg, c.tags)
			require.Contains(t, imports, "net/http", "go list lists something")
			for _, unwanted := range c.without {
				i := slices.IndexFunc(imports, func(path string) bool { return path == unwanted || strings.HasPrefix(path, unwanted+"/") })
				if i >= 0 {
					require.Fail(t, name+" imports "+imports[i])
				}
			}
		})
	}
}

func importsOf(t *testing.T, pkg, tags string) []string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-tags", tags, pkg)
	output, err := cmd.Output()
	require.NoError(t, err)
	return strings.Fields(string(output))
}
