package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFindings(t *testing.T) {
	for name, test := range map[string]struct {
		path, text string
		want       []string
	}{
		"a doc comment": {
			"a.go", "package a\n\n// Size gives the size.\nfunc Size() int { return 1 }\n",
			[]string{`a.go:3: "gives" begins a doc comment`},
		},
		"a word in the middle of a comment is free": {
			"a.go", "package a\n\n// Size returns what the file gives.\nfunc Size() int { return 1 }\n", nil,
		},
		"names": {
			"a.go", "package a\n\ntype ExportWish struct{ rest int }\n\nfunc f(n int) int {\n\tghost := n\n\treturn ghost\n}\n",
			[]string{`a.go:3: "ExportWish" has Wish in its name`, `a.go:3: "rest" is a name`, `a.go:6: "ghost" is a name`},
		},
		"ordinary words within names are free": {
			"a.go", "package a\n\nvar restored, mostRecent int\n", nil,
		},
		"names of others are free": {
			"a.go", "package a\n\nimport \"net/http\"\n\nvar status = http.StatusGone\n", nil,
		},
		"file names": {
			"draftKeeper.ts", "export {};\n",
			[]string{`draftKeeper.ts:0: "draftKeeper" has Keeper in its name`},
		},
		"a text of an error": {
			"a.go", "package a\n\nconst text = \"The model is not here.\"\n",
			[]string{`a.go:3: "is not here" in a text`},
		},
		"a text of a test is free": {
			"a_test.go", "package a\n\nconst text = \"The model is not here.\"\n", nil,
		},
		"a text of the page": {
			"frontend/src/i18n/en/studio.json", "{\n  \"wholeAgain\": \"Chunk {{n}} of {{count}}\",\n  \"terms\": \"The voice’s own terms\"\n}\n",
			[]string{
				`frontend/src/i18n/en/studio.json:2: "Chunk" in a text`,
				`frontend/src/i18n/en/studio.json:3: "The voice's own terms" in a text`,
			},
		},
		"a doc comment of the page": {
			"a.ts", "const n = 1; // gives nothing\n/** Tells the size. */\nexport const size = n;\n",
			[]string{`a.ts:2: "Tells" begins a doc comment`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			require.NoError(t, os.MkdirAll(filepath.Dir(test.path), 0o755))
			require.NoError(t, os.WriteFile(test.path, []byte(test.text), 0o644))
			c, err := newChecker()
			require.NoError(t, err)
			c.allowed, c.used = nil, nil
			require.NoError(t, c.walk(nil))
			require.Equal(t, test.want, c.findings)
		})
	}
}

func TestExceptions(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.MkdirAll("api", 0o755))
	require.NoError(t, os.WriteFile("api/a.go", []byte("package api\n\nvar rest int\n"), 0o644))
	c, err := newChecker()
	require.NoError(t, err)
	c.allowed = []exception{{"api", "rest", "a field of the wire"}, {"api", "gone", "unused"}}
	c.used = make([]bool, 2)
	require.NoError(t, c.walk(nil))
	require.Equal(t, []string{`build/words/exceptions.json: "gone" is not found in api any more`}, c.findings)
}
