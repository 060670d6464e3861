package app_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/enginetest"
)

// opens matches calls that open connections, start programs, read the clipboard, or find a place for files.
var opens = regexp.MustCompile(`^(http\.(Client|Transport|DefaultClient|DefaultTransport|Get|Head|Post|PostForm|ListenAndServe\w*)` +
	`|net\.(Dial\w*|Dialer|Listen\w*)|tls\.(Dial\w*|Dialer|Listen)|websocket\.\w*Dial\w*|unix\.(Socket|Connect)|syscall\.(Socket|Connect|ForkExec)` +
	`|xgb\.NewConn\w*|pgx\.Connect\w*|pgxpool\.New\w*|stdlib\.OpenDB|minio\.New\w*|systray\.Run\w*|runtime\.ClipboardGetText|registry\.CreateKey|os\.UserConfigDir|xdg\.(Data|Config|Cache|State)Home|dbus\.(Connect\w*|SessionBus\w*)|keyring\.(Get|Set|Delete)\w*|exec\.Command(Context)?|os\.StartProcess|subprocess\.(Tool|Desktop))$`)

// constructors has the functions with which other packages start programs.
const constructors = "backend/subprocess/subprocess.go"

// TestPrivacyPage compares the lists of connections, programs and places in docs/privacy.md with the code, in both directions.
func TestPrivacyPage(t *testing.T) {
	root := enginetest.Root(t)
	page, err := os.ReadFile(filepath.Join(root, "docs", "privacy.md"))
	require.NoError(t, err)
	var named []string
	for _, m := range regexp.MustCompile("`([a-z0-9_/-]+\\.go)`").FindAllStringSubmatch(string(page), -1) {
		named = append(named, m[1])
	}
	slices.Sort(named)
	require.Equal(t, slices.Compact(named), openingFiles(t, root))
}

// openingFiles returns the source files with calls that the page must name.
func openingFiles(t *testing.T, root string) []string {
	t.Helper()
	var found []string
	for _, dir := range []string{"main.go", "app", "backend", "engines", "frontend"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && slices.Contains([]string{"node_modules", "hubtest", "hostedtest", "secretstest", "enginetest", "desktoptest", "programtest", "identitytest", "devidptest", "postgrestest", "testdata"}, d.Name()) {
				return filepath.SkipDir
			}
			relative, _ := filepath.Rel(root, path)
			if relative = filepath.ToSlash(relative); strings.HasSuffix(relative, ".go") && !strings.HasSuffix(relative, "_test.go") &&
				relative != constructors && opensSomething(t, path) {
				found = append(found, relative)
			}
			return nil
		})
		require.NoError(t, err)
	}
	slices.Sort(found)
	return found
}

func opensSomething(t *testing.T, path string) bool {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	var yes bool
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if pkg, ok := s.X.(*ast.Ident); ok && opens.MatchString(pkg.Name+"."+s.Sel.Name) {
				yes = true
			}
		}
		return !yes
	})
	return yes
}
