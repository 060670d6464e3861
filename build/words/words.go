// Command words holds names, doc comments and texts against build/words/list.json, the words that this project does
// not use: they are not the standard terms of Go, React or speech, or not what a person would say. What is found and
// may stay is listed in exceptions.json with a reason.
//
// Identifiers of the page are checked by its linter, from the same two files (frontend/scripts/words-rule.mjs).
package main

import (
	"embed"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

//go:embed list.json exceptions.json
var files embed.FS

// list is what list.json holds. Everything is compared without regard to case.
type list struct {
	DocVerbs      []string `json:"docVerbs"`      // verbs that no doc comment begins with
	Identifiers   []string `json:"identifiers"`   // whole names of identifiers and files
	Parts         []string `json:"parts"`         // words inside such a name: "wish" in ExportWish
	Phrases       []string `json:"phrases"`       // in texts of the page, the command line and errors
	ScreenPhrases []string `json:"screenPhrases"` // in texts of the page alone
}

// exception is one finding that may stay.
type exception struct {
	File   string `json:"file"`   // a path below the root of the repository, or a folder of it
	Found  string `json:"found"`  // the name or phrase
	Reason string `json:"reason"` // why it may stay
}

// checker collects the findings.
type checker struct {
	doc      *regexp.Regexp
	tsDoc    *regexp.Regexp
	names    map[string]bool
	parts    map[string]bool
	phrases  *regexp.Regexp
	screen   *regexp.Regexp
	allowed  []exception
	used     []bool // for each exception: whether it excused a finding
	findings []string
}

func main() {
	flag.Parse()
	c, err := newChecker()
	if err == nil {
		err = c.walk(flag.Args())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "words:", err)
		os.Exit(2)
	}
	for _, finding := range c.findings {
		fmt.Fprintln(os.Stderr, finding)
	}
	if len(c.findings) > 0 {
		fmt.Fprintf(os.Stderr, "words: %d findings; choose a plain word, or add a line with its reason to build/words/exceptions.json\n",
			len(c.findings))
		os.Exit(1)
	}
}

func newChecker() (*checker, error) {
	var words list
	if err := read("list.json", &words); err != nil {
		return nil, err
	}
	c := &checker{names: lowerSet(words.Identifiers), parts: lowerSet(words.Parts)}
	if err := read("exceptions.json", &c.allowed); err != nil {
		return nil, err
	}
	for _, e := range c.allowed {
		if e.File == "" || e.Found == "" || e.Reason == "" {
			return nil, fmt.Errorf("exceptions.json: %+v needs a file, what is found there and a reason", e)
		}
	}
	c.used = make([]bool, len(c.allowed))
	verbs := strings.Join(words.DocVerbs, "|")
	c.doc = regexp.MustCompile(`(?i)^([\w.]+ )?(` + verbs + `)\b`)
	c.tsDoc = regexp.MustCompile(`(?im)/\*\*\s+(?:\*\s+)?(?:\w+ )?(` + verbs + `)\b`)
	c.phrases = phrasePattern(words.Phrases)
	c.screen = phrasePattern(slices.Concat(words.Phrases, words.ScreenPhrases))
	return c, nil
}

func read(name string, into any) error {
	text, err := files.ReadFile(name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func lowerSet(words []string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, word := range words {
		set[strings.ToLower(word)] = true
	}
	return set
}

// phrasePattern returns an expression that matches any of the phrases as whole words.
func phrasePattern(phrases []string) *regexp.Regexp {
	quoted := make([]string, len(phrases))
	for i, phrase := range phrases {
		quoted[i] = regexp.QuoteMeta(phrase)
	}
	return regexp.MustCompile(`(?i)(?:^|\W)(` + strings.Join(quoted, "|") + `)(?:\W|$)`)
}

// walk checks all files below the folders given, which are relative to the root of the repository; none means all.
func (c *checker) walk(folders []string) error {
	whole := len(folders) == 0
	if whole {
		folders = []string{"."}
	}
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.IsDir() {
				if skipped(path) {
					return fs.SkipDir
				}
				return nil
			}
			return c.file(filepath.ToSlash(path))
		})
		if err != nil {
			return err
		}
	}
	for i, used := range c.used {
		if whole && !used && !isPageCode(c.allowed[i].File) {
			c.findings = append(c.findings, fmt.Sprintf("build/words/exceptions.json: %q is not found in %s any more",
				c.allowed[i].Found, c.allowed[i].File))
		}
	}
	return nil
}

// isPageCode reports whether the linter of the page checks the names of a file.
func isPageCode(path string) bool {
	return strings.HasSuffix(path, ".ts") || strings.HasSuffix(path, ".tsx")
}

// skipped reports whether a folder holds nothing that was written here.
func skipped(path string) bool {
	switch filepath.Base(path) {
	case ".git", "node_modules", "dist", "bin", "testdata", "test-results", "playwright-report", "words":
		return true
	}
	return path == filepath.Join("build", "lib") || path == filepath.Join("build", "demo")
}

func (c *checker) file(path string) error {
	c.name(path, 0, strings.SplitN(filepath.Base(path), ".", 2)[0])
	switch {
	case strings.HasSuffix(path, ".go"):
		return c.goFile(path)
	case strings.HasPrefix(path, "frontend/src/i18n/en/"):
		return c.texts(path)
	case isPageCode(path):
		return c.tsFile(path)
	}
	return nil
}

// texts checks the English texts of the page.
func (c *checker) texts(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for i, line := range strings.Split(string(text), "\n") {
		if _, value, isText := strings.Cut(line, `": "`); isText {
			c.phrase(path, i+1, c.screen, value)
		}
	}
	return nil
}

// tsFile checks the doc comments of the page's code.
func (c *checker) tsFile(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for _, found := range c.tsDoc.FindAllSubmatchIndex(text, -1) {
		line := 1 + strings.Count(string(text[:found[0]]), "\n")
		c.found(path, line, string(text[found[2]:found[3]]), "begins a doc comment")
	}
	return nil
}

// name checks the name of an identifier or a file.
func (c *checker) name(path string, line int, name string) {
	if c.names[strings.ToLower(name)] {
		c.found(path, line, name, "is a name")
		return
	}
	for _, part := range split(name) {
		if c.parts[strings.ToLower(part)] {
			c.found(path, line, name, "has "+part+" in its name")
			return
		}
	}
}

// phrase checks a text that people read.
func (c *checker) phrase(path string, line int, pattern *regexp.Regexp, text string) {
	text = strings.ReplaceAll(text, "’", "'")
	for _, found := range pattern.FindAllStringSubmatch(text, -1) {
		c.found(path, line, found[1], "in a text")
	}
}

func (c *checker) found(path string, line int, what, how string) {
	for i, e := range c.allowed {
		if strings.EqualFold(e.Found, what) && (e.File == path || strings.HasPrefix(path, e.File+"/")) {
			c.used[i] = true
			return
		}
	}
	c.findings = append(c.findings, fmt.Sprintf("%s:%d: %q %s", path, line, what, how))
}

// split returns the words of a name in camel case, snake case or kebab case.
func split(name string) []string {
	var words []string
	start, runes := 0, []rune(name)
	for i, r := range runes {
		switch {
		case r == '_' || r == '-':
			words, start = append(words, string(runes[start:i])), i+1
		case i > start && unicode.IsUpper(r) && !unicode.IsUpper(runes[i-1]):
			words, start = append(words, string(runes[start:i])), i
		}
	}
	return append(words, string(runes[start:]))
}
