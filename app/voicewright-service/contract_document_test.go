package main_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
)

// documentLines returns the statements of a document in Markdown: each row of a table, and each sentence of paragraphs and lists.
// Headings, and the first row of a table with the line below, state nothing.
func documentLines(document string) []string {
	var all, paragraph []string
	end := func() {
		all = append(all, sentencesOf(strings.Join(paragraph, " "))...)
		paragraph = nil
	}
	lines := strings.Split(document, "\n")
	for i, raw := range lines {
		line := strings.TrimSpace(raw)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
			end()
		case strings.HasPrefix(line, "|"):
			end()
			if !isTableHead(lines, i) && !tableRule.MatchString(line) {
				all = append(all, line)
			}
		case listItem.MatchString(line):
			end()
			paragraph = append(paragraph, listItem.ReplaceAllString(line, ""))
		default:
			paragraph = append(paragraph, line)
		}
	}
	end()
	return all
}

var (
	tableRule = regexp.MustCompile(`^\|[ :|-]+\|$`)
	listItem  = regexp.MustCompile(`^(?:[-*+]|\d+\.)\s+`)
)

// isTableHead reports whether the next line is the rule below the head of a table.
func isTableHead(lines []string, i int) bool {
	return i+1 < len(lines) && tableRule.MatchString(strings.TrimSpace(lines[i+1]))
}

// sentencesOf splits a paragraph after a full stop, question or exclamation mark that white space and a new sentence follow. Code
// between backticks and abbreviations are never split.
func sentencesOf(paragraph string) []string {
	var all []string
	start, code := 0, false
	runes := []rune(paragraph)
	for i, r := range runes {
		if r == '`' {
			code = !code
		}
		if code || !strings.ContainsRune(".?!", r) || i+1 >= len(runes) || !unicode.IsSpace(runes[i+1]) {
			continue
		}
		if abbreviation.MatchString(string(runes[start : i+1])) {
			continue
		}
		all = append(all, strings.TrimSpace(string(runes[start:i+1])))
		start = i + 1
	}
	if last := strings.TrimSpace(string(runes[start:])); last != "" {
		all = append(all, last)
	}
	return all
}

var abbreviation = regexp.MustCompile(`(?i)(?:^|[\s(])(?:e\.g|i\.e|etc|vs|no)\.$`)

func readDocument(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(content)
}

func TestDocumentLines(t *testing.T) {
	document := "# Title\n\nFirst sentence\ngoes on. Second, e.g. This one. Is it `a. B`?\n\n- Item one. Item two.\n  - Nested.\n1. Numbered\n\n" +
		"**GET /x** - does it. Free.\n| A | B |\n|---|:-:|\n| a. b. C | - |\n| - | 2.5 |\nAfter v2.5. {x} is."
	require.Equal(t, []string{
		"First sentence goes on.", "Second, e.g. This one.", "Is it `a. B`?", "Item one.", "Item two.", "Nested.", "Numbered",
		"**GET /x** - does it.", "Free.", "| a. b. C | - |", "| - | 2.5 |", "After v2.5.", "{x} is.",
	}, documentLines(document))
}
