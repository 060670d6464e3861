package cli

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/settings"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// said is a text of the program that a person may read.
type said struct{ where, text string }

// goTexts returns the strings in the program's own code, with those that are put together from several.
func goTexts(t *testing.T) []said {
	t.Helper()
	var out []said
	for _, dir := range []string{"app", "backend", "engines"} {
		err := filepath.WalkDir(filepath.Join(enginetest.Root(t), dir), func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && (d.Name() == "service" || d.Name() == "voicewright-service") {
				return fs.SkipDir // the hosted service is another program, with flags of its own
			}
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			ast.Inspect(file, func(n ast.Node) bool {
				if e, ok := n.(ast.Expr); ok {
					if text := constant(e); text != "" {
						out = append(out, said{path, text})
						return false
					}
				}
				return true
			})
			return err
		})
		require.NoError(t, err)
	}
	return out
}

// constant returns the text of a string, or of strings that are added; what is added to them is "…".
func constant(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
			return text
		}
	case *ast.BinaryExpr:
		left, right := constant(e.X), constant(e.Y)
		if e.Op == token.ADD && left+right != "" {
			return left + or(right, "…")
		}
	}
	return ""
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// pageTexts returns the texts of the page in one language.
func pageTexts(t *testing.T, language string) []said {
	t.Helper()
	var out []said
	files, err := filepath.Glob(filepath.Join(enginetest.Root(t), "frontend", "src", "i18n", language, "*.json"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		var content any
		require.NoError(t, json.Unmarshal(raw, &content))
		out = append(out, leaves(file, content)...)
	}
	return out
}

func leaves(where string, content any) (out []said) {
	switch c := content.(type) {
	case string:
		out = append(out, said{where, c})
	case map[string]any:
		for _, v := range c {
			out = append(out, leaves(where, v)...)
		}
	}
	return out
}

// TestRemediesNameCommandsThatExist holds every `voicewright X` that the program says against its commands.
func TestRemediesNameCommandsThatExist(t *testing.T) {
	root := (&program{}).root()
	command := regexp.MustCompile(`\bvoicewright ([a-z]+)(?: ([a-z-]+))?`)
	texts := slices.Concat(goTexts(t), pageTexts(t, "en"), pageTexts(t, "de"))
	found := 0
	for _, s := range texts {
		for _, m := range command.FindAllStringSubmatch(s.text, -1) {
			found++
			group := child(root, m[1])
			require.NotNil(t, group, "%s: there is no command %q: %s", s.where, m[1], s.text)
			if group.HasAvailableSubCommands() && m[2] != "" {
				require.NotNil(t, child(group, m[2]), "%s: %q has no command %q: %s", s.where, m[1], m[2], s.text)
			}
		}
	}
	require.Greater(t, found, 10)
}

func child(parent *cobra.Command, name string) *cobra.Command {
	for _, c := range parent.Commands() {
		if c.Name() == name {
			return c
		}
	}
	return nil
}

// TestRemediesNameFlagsThatExist looks at sentences only: other programs that are started have flags of their own.
func TestRemediesNameFlagsThatExist(t *testing.T) {
	flags := map[string]bool{"help": true}
	var visit func(*cobra.Command)
	visit = func(c *cobra.Command) {
		for _, set := range []*pflag.FlagSet{c.Flags(), c.PersistentFlags()} {
			set.VisitAll(func(f *pflag.Flag) { flags[f.Name] = true })
		}
		for _, sub := range c.Commands() {
			visit(sub)
		}
	}
	visit((&program{}).root())
	flag := regexp.MustCompile(`(?:^|[ (])--([a-z][a-z-]+)`)
	found := 0
	for _, s := range slices.Concat(goTexts(t), pageTexts(t, "en"), pageTexts(t, "de")) {
		if !strings.HasSuffix(s.text, ".") || !strings.Contains(s.text, " ") {
			continue
		}
		for _, m := range flag.FindAllStringSubmatch(s.text, -1) {
			found++
			require.True(t, flags[m[1]], "%s: there is no flag --%s: %s", s.where, m[1], s.text)
		}
	}
	require.Greater(t, found, 10)
}

func TestRemediesNameSettingsThatExist(t *testing.T) {
	var keys []string
	for _, s := range settings.Table() {
		keys = append(keys, s.Key)
	}
	key := regexp.MustCompile(`\b(?:speech|models|history|api|network|hosted|secrets|transcribe)\.[a-z]+(?:_[a-z]+)*`)
	found := 0
	for _, s := range slices.Concat(goTexts(t), pageTexts(t, "en"), pageTexts(t, "de")) {
		if !strings.HasSuffix(s.text, ".") || !strings.Contains(s.text, " ") {
			continue
		}
		for _, name := range key.FindAllString(s.text, -1) {
			if name != "models.json" {
				found++
				require.Contains(t, keys, name, "%s: %s", s.where, s.text)
			}
		}
	}
	require.Positive(t, found)
}

// TestRemediesNameScreensThatExist holds "Settings, Network" against the groups of the settings.
func TestRemediesNameScreensThatExist(t *testing.T) {
	for language, word := range map[string]string{"en": "Settings, ", "de": "Einstellungen, "} {
		raw, err := os.ReadFile(filepath.Join(enginetest.Root(t), "frontend", "src", "i18n", language, "settings.json"))
		require.NoError(t, err)
		var screen struct{ Groups map[string]string }
		require.NoError(t, json.Unmarshal(raw, &screen))
		require.NotEmpty(t, screen.Groups)
		found := 0
		for _, s := range pageTexts(t, language) {
			if filepath.Base(s.where) != "errors.json" {
				continue
			}
			_, place, ok := strings.Cut(s.text, word)
			if !ok {
				continue
			}
			found++
			known := false
			for _, group := range screen.Groups {
				known = known || strings.HasPrefix(place, group)
			}
			require.True(t, known, "%s: %s", s.where, s.text)
		}
		require.Positive(t, found)
	}
}

// TestRemediesNameVariablesThatAreRead looks for a place in the code that reads each variable by its name alone.
func TestRemediesNameVariablesThatAreRead(t *testing.T) {
	variable := regexp.MustCompile(`\b(?:HF|VOICEWRIGHT)_[A-Z_]+\b`)
	read := map[string]bool{}
	texts := goTexts(t)
	for _, s := range texts {
		if variable.FindString(s.text) == s.text {
			read[s.text] = true
		}
	}
	for _, s := range slices.Concat(texts, pageTexts(t, "en"), pageTexts(t, "de")) {
		for _, name := range variable.FindAllString(s.text, -1) {
			require.True(t, read[name], "%s: nothing reads %s: %s", s.where, name, s.text)
		}
	}
}
