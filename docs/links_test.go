package docs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
)

var (
	fenced  = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	heading = regexp.MustCompile(`(?m)^#+ +(.+)$`)
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
)

// TestLinks follows every link of the pages to another file of the tree, and to a heading.
func TestLinks(t *testing.T) {
	found := glob(t, "../*.md", "*.md", "*/*.md")
	require.Greater(t, len(found), 10)
	for _, page := range found {
		for _, target := range links(t, page) {
			file, anchor, _ := strings.Cut(target, "#")
			file = filepath.Join(filepath.Dir(page), file)
			if target[0] == '#' {
				file = page
			}
			_, err := os.Stat(file)
			require.NoError(t, err, "%s links to it", page)
			if anchor != "" {
				require.Contains(t, anchors(read(t, file)), anchor, "%s links to this heading of %s", page, file)
			}
		}
	}
}

// TestPagesAreFound follows the links from README.md: a page that none leads to is one that nobody reads.
func TestPagesAreFound(t *testing.T) {
	t.Chdir("..") // where the path of each page is the same from everywhere
	reached := map[string]bool{}
	next := []string{"README.md"}
	for len(next) > 0 {
		page := next[0]
		next = next[1:]
		if reached[page] {
			continue
		}
		reached[page] = true
		for _, target := range links(t, page) {
			file, _, _ := strings.Cut(target, "#")
			if filepath.Ext(file) == ".md" {
				next = append(next, filepath.Join(filepath.Dir(page), file))
			}
		}
	}
	for _, page := range glob(t, "*.md", "docs/*.md", "docs/*/*.md") {
		if filepath.Base(page) != "AGENTS.md" { // which those programs look for by its name
			require.True(t, reached[page], "no page links to %s", page)
		}
	}
}

// TestAnchors has the headings for which the rule matters that the web sites of repositories make anchors by.
func TestAnchors(t *testing.T) {
	text := "# Two words\n\n## `a_code`\n\n## Who? You, me & co.\n\n```sh\n# no heading\n```\n\n## Two words\n\n## A [link](x.md), Übung\n"
	require.Equal(t, []string{"two-words", "a_code", "who-you-me--co", "two-words-1", "a-link-übung"}, anchors(text))
}

func glob(t *testing.T, patterns ...string) []string {
	t.Helper()
	var all []string
	for _, pattern := range patterns {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		all = append(all, found...)
	}
	return all
}

// links returns what a page links to inside the tree, as it is written.
func links(t *testing.T, page string) []string {
	t.Helper()
	var targets []string
	for _, m := range link.FindAllStringSubmatch(fenced.ReplaceAllString(read(t, page), ""), -1) {
		if !strings.Contains(m[1], ":") {
			targets = append(targets, m[1])
		}
	}
	return targets
}

// anchors returns the anchors of a page's headings: lower case, with hyphens for blanks and without punctuation, and numbered where
// several are equal.
func anchors(text string) []string {
	var all []string
	seen := map[string]int{}
	for _, m := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
		title := regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`).ReplaceAllString(m[1], "$1")
		anchor := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-', r == '_', unicode.IsLetter(r), unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, title)
		if n := seen[anchor]; n > 0 {
			all = append(all, fmt.Sprintf("%s-%d", anchor, n))
		} else {
			all = append(all, anchor)
		}
		seen[anchor]++
	}
	return all
}
