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

// opens matches what opens connections or starts programs.
var opens = regexp.MustCompile(`^(http\.(Client|Transport|DefaultClient|DefaultTransport|Get|Head|Post|PostForm|ListenAndServe\w*)` +
	`|net\.(Dial\w*|Dialer|Listen\w*)|tls\.(Dial\w*|Dialer|Listen)|websocket\.\w*Dial\w*|unix\.(Socket|Connect)|syscall\.(Socket|Connect|ForkExec)` +
	`|exec\.Command(Context)?|os\.StartProcess|backend\.(Tool|Desktop)Command)$`)

// constructors are the functions that others prepare their programs with.
const constructors = "backend/child.go"

// TestPrivacyPage holds the list of connections and programs in docs/privacy.md against the code, both ways.
func TestPrivacyPage(t *testing.T) {
	root := enginetest.Root(t)
	page, err := os.ReadFile(filepath.Join(root, "docs", "privacy.md"))
	require.NoError(t, err)
	var named []string
	for _, m := range regexp.MustCompile("`([a-z_/]+\\.go)`").FindAllStringSubmatch(string(page), -1) {
		named = append(named, m[1])
	}
	slices.Sort(named)
	require.Equal(t, slices.Compact(named), openingFiles(t, root))
}

// openingFiles lists the sources of the program that open connections or start programs.
func openingFiles(t *testing.T, root string) []string {
	t.Helper()
	var found []string
	for _, dir := range []string{"main.go", "app", "backend", "engines", "frontend"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && slices.Contains([]string{"node_modules", "hubtest", "enginetest", "testdata"}, d.Name()) {
				return filepath.SkipDir
			}
			rest, _ := filepath.Rel(root, path)
			if rest = filepath.ToSlash(rest); strings.HasSuffix(rest, ".go") && !strings.HasSuffix(rest, "_test.go") &&
				rest != constructors && opensSomething(t, path) {
				found = append(found, rest)
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
