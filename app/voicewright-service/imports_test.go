package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/enginetest"
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
			module + "/backend/service", module + "/app/voicewright-service", "github.com/zitadel", "github.com/sony/gobreaker", "github.com/prometheus", "github.com/minio", "go.yaml.in/yaml", "go.opentelemetry.io",
			"github.com/jackc",
		}},
		"voicewright-service": {module + "/app/voicewright-service", "whisper", []string{
			module + "/backend/httpapi", module + "/backend/sqlite", module + "/app/cli", module + "/app/client", module + "/app/desktop",
			module + "/frontend", "github.com/wailsapp", "github.com/r3labs", "github.com/gen2brain/malgo", "github.com/coreos/go-oidc", "github.com/zalando/go-keyring",
			module + "/backend/hosted", module + "/backend/secrets", "github.com/ggerganov/whisper.cpp",
			"github.com/riverqueue", "github.com/nats-io", "go.temporal.io",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			imports := list(t, c.pkg, c.tags, "{{.ImportPath}}")
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

// TestThirdPartyModules compares the modules in the programs with the licences in THIRD_PARTY.md.
func TestThirdPartyModules(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(enginetest.Root(t), "THIRD_PARTY.md"))
	require.NoError(t, err)
	for _, program := range []string{module, module + "/app/voicewright-service"} {
		for _, name := range list(t, program, "whisper,desktop,production,webkit2_41", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}") {
			require.Regexp(t, `(?m)^\| `+regexp.QuoteMeta(name)+`[ ,]`, string(page))
		}
	}
}

// list returns what go list prints of a package and of all that it imports.
func list(t *testing.T, pkg, tags, format string) []string {
	t.Helper()
	output, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-tags", tags, "-f", format, pkg).Output()
	require.NoError(t, err)
	return strings.Fields(string(output))
}
