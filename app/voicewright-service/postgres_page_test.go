//go:build postgres

package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service/postgres/postgrestest"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// TestPostgresPage runs the commands of docs/service-many.md, as TestServicePage does those of docs/service.md.
func TestPostgresPage(t *testing.T) {
	t.Parallel()
	page := filepath.Join(enginetest.Root(t), "docs", "service-many.md")
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	parts := splitPage(string(text))
	cluster := newCluster(t)
	database, empty := cluster.Database(t, "template0"), cluster.Database(t, "template0")
	_, files := objectStore(t)
	o := newOperator(t)
	o.file("keys", objectKeys)
	o.env = append(o.env, "VOICEWRIGHT_ORT="+o.file("no-runtime", ""), "DATABASE="+database, "EMPTY="+empty, "FILES="+files)
	require.NoError(t, os.Symlink(filepath.Join(enginetest.Root(t), "build"), filepath.Join(o.dir, "build")))
	require.NoError(t, os.Symlink(filepath.Dir(binary), filepath.Join(o.dir, "bin")))
	names := strings.NewReplacer(
		"postgres@"+cluster.Address()+"/"+postgrestest.Name(database), "voicewright@db.example.org/voicewright",
		"postgres@"+cluster.Address()+"/"+postgrestest.Name(empty), "voicewright@db.example.org/empty",
	)
	written := join(parts, o.shell("", "", parts), func(answer string) string { return shorten(names.Replace(answer), "http://none") })
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(written), 0o644))
		return
	}
	require.Equal(t, string(text), written, "go test -tags postgres ./app/voicewright-service -run TestPostgresPage -update writes the page again")
}
