// Package docs_test compares the pages for developers with the tree.
package docs_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestArchitectureListsEveryPackage compares the table of packages with the folders that contain Go files, in both directions.
func TestArchitectureListsEveryPackage(t *testing.T) {
	page := read(t, "architecture.md")
	var listed []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z0-9/-]+)` \\|").FindAllStringSubmatch(page, -1) {
		listed = append(listed, m[1])
	}
	require.True(t, slices.IsSorted(listed), "the packages are sorted by path")

	folders := packages(t)
	for _, dir := range folders {
		if !slices.Contains(listed, dir) {
			// A package that only serves the one above it is named there.
			require.Contains(t, row(page, path.Dir(dir)), "`"+path.Base(dir)+"`", "docs/architecture.md does not list %s", dir)
		}
	}
	for _, dir := range listed {
		require.Contains(t, folders, dir, "docs/architecture.md lists a package that does not exist")
	}
}

// TestSecurityNamesTests looks for each test that the page of promises names.
func TestSecurityNamesTests(t *testing.T) {
	names := regexp.MustCompile("`(Test[A-Za-z]+)`").FindAllStringSubmatch(read(t, "security.md"), -1)
	require.NotEmpty(t, names)
	var sources strings.Builder
	for _, dir := range packages(t) {
		files, err := filepath.Glob(filepath.Join("..", dir, "*_test.go"))
		require.NoError(t, err)
		for _, file := range files {
			raw, err := os.ReadFile(file)
			require.NoError(t, err)
			sources.Write(raw)
		}
	}
	for _, name := range names {
		require.Contains(t, sources.String(), "\nfunc "+name[1]+"(", "docs/security.md names a test that does not exist")
	}
}

// TestArchitectureIsShort keeps the page short enough to be read in a sitting.
func TestArchitectureIsShort(t *testing.T) {
	require.LessOrEqual(t, strings.Count(read(t, "architecture.md"), "\n"), 200)
}

// TestReadmeIsShort keeps the first page short; what it has no room for has a page of its own.
func TestReadmeIsShort(t *testing.T) {
	require.LessOrEqual(t, strings.Count(read(t, "../README.md"), "\n"), 120)
}

// TestDecisionsAreIndexed compares the index with the files, in both directions, and their titles.
func TestDecisionsAreIndexed(t *testing.T) {
	var listed, files []string
	for _, m := range regexp.MustCompile(`(?m)^- \[(\d{3})\]\((\S+)\) (.+)$`).FindAllStringSubmatch(read(t, "decisions/README.md"), -1) {
		listed = append(listed, m[2])
		require.True(t, strings.HasPrefix(m[2], m[1]+"-"), "%s has another number in the index", m[2])
		require.True(t, strings.HasPrefix(read(t, "decisions/"+m[2]), "# "+m[3]+"\n"), "%s has another title in the index", m[2])
	}
	found, err := filepath.Glob("decisions/[0-9]*.md")
	require.NoError(t, err)
	for _, file := range found {
		files = append(files, filepath.Base(file))
	}
	require.ElementsMatch(t, files, listed)
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(text)
}

// row returns the line of a package in the table, empty where it has none.
func row(page, dir string) string {
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "| `"+dir+"` |") {
			return line
		}
	}
	return ""
}

// packages returns the folders with Go files that are not tests, relative to the root: all but the root and internal ones.
func packages(t *testing.T) []string {
	t.Helper()
	var dirs []string
	for _, top := range []string{"app", "backend", "build", "engines", "frontend"} {
		err := filepath.WalkDir(filepath.Join("..", top), func(file string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && slices.Contains([]string{"internal", "lib", "node_modules", "testdata"}, d.Name()) {
				return filepath.SkipDir
			}
			if strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go") {
				dir, _ := filepath.Rel("..", filepath.Dir(file))
				dirs = append(dirs, filepath.ToSlash(dir))
			}
			return nil
		})
		require.NoError(t, err)
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}
