package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVisible(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Grüße, 世界 🙂 שלום\n\tend":   "Grüße, 世界 🙂 שלום\n\tend",
		"a\x1b[2Jb\x00\x07\x7f":     "a␛[2Jb␀␇␡",
		"one\r\ntwo\rthree":         "one\ntwo␍three",
		"c1 \u009b31m \x9b31m":      "c1 \ufffd31m \ufffd31m",
		"\u202egnp.exe\u2066\u200f": "\ufffdgnp.exe\ufffd\ufffd",
		"a\u2028b\u2029c":           "a\ufffdb\ufffdc",
	} {
		require.Equal(t, want, visible(text))
	}
	require.Equal(t, "a␊b␉c␛d", visibleCell("a\nb\tc\x1bd"))
}

// TestTerminalWriterJoinsCharacters shows a text that is written in pieces as it is written at once, byte by byte.
func TestTerminalWriterJoinsCharacters(t *testing.T) {
	t.Parallel()
	const text = "é世\x1b🙂\u009b\xff!\n"
	f, err := os.Create(filepath.Join(t.TempDir(), "shown"))
	require.NoError(t, err)
	w := &terminalWriter{tty: f}
	for i := range len(text) {
		n, err := w.Write([]byte{text[i]})
		require.NoError(t, err)
		require.Equal(t, 1, n)
	}
	require.NoError(t, f.Close())
	shown, err := os.ReadFile(f.Name())
	require.NoError(t, err)
	require.Equal(t, "é世␛🙂\ufffd\ufffd!\n", string(shown))
}

// TestEverythingIsPrintedInOnePlace finds what would reach a terminal without its control characters being shown: the streams of
// the process are used where they are wrapped, for the bar and for the window, and nowhere else.
func TestEverythingIsPrintedInOnePlace(t *testing.T) {
	t.Parallel()
	allowed := map[string][]string{
		"streams": {"cli.go Run", "cli.go openWindow"}, "tty": {"visible.go Write", "progress.go progress"},
		"Stdout": nil, "Stderr": nil, "Print": nil, "Printf": nil, "Println": nil,
	}
	names, err := filepath.Glob("*.go")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		for _, d := range file.Decls {
			in, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(in, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok {
					if places, watched := allowed[s.Sel.Name]; watched && !slices.Contains(places, name+" "+in.Name.Name) {
						t.Errorf("%s: %s uses %s; print with p.printf, p.print, p.table or p.notef", name, in.Name.Name, s.Sel.Name)
					}
				}
				return true
			})
		}
	}
}
