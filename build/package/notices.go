package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// licenceProperty names a file with the licence of a component that is described by hand, relative to the root of the repository;
// TARGET stands for the platform.
const licenceProperty = "voicewright:licence"

// notice is the text of a licence, with the components that come with it.
type notice struct {
	text string
	of   []string
}

// copyrightLine is a line that names who holds the rights.
var copyrightLine = regexp.MustCompile(`(?m)^[\s/#*]*((?:Portions )?(?:Copyright|COPYRIGHT)(?: ?:)? (?:\([cC]\)|©|\d{4}).*)$`)

// withoutText are the components without a file of their licence that somebody has looked at: the end of a header, and a line of
// package.json, have it.
var withoutText = []string{"miniaudio", "react-remove-scroll-bar"}

// licenceFile is the name of a file with a licence or a notice.
var licenceFile = regexp.MustCompile(`(?i)^(un)?licen[cs]e|^copying|^notice|^copyright`)

// writeNotices writes, for the components of a bill, the texts of all licences, and the file that Debian calls copyright.
func writeNotices(ctx context.Context, target, billFile, noticesFile, copyrightFile string) error {
	text, err := os.ReadFile(billFile)
	if err != nil {
		return fmt.Errorf("read the bill of materials: %w", err)
	}
	var b bill
	if err := json.Unmarshal(text, &b); err != nil {
		return fmt.Errorf("read the bill of materials: %w", err)
	}
	var folders struct{ GOMODCACHE, GOROOT string }
	env, err := exec.CommandContext(ctx, "go", "env", "-json", "GOMODCACHE", "GOROOT").Output() //nolint:forbidigo // the compiler
	if err == nil {
		err = json.Unmarshal(env, &folders)
	}
	if err != nil {
		return fmt.Errorf("find the modules: %w", err)
	}
	find := func(c component) ([]string, error) {
		files, err := licenceFiles(c, target, folders.GOMODCACHE, folders.GOROOT)
		if err != nil {
			return nil, err
		}
		return readTexts(files)
	}
	notices, copyright, err := describe(b.Components, find)
	if err != nil {
		return err
	}
	err = os.WriteFile(noticesFile, notices, 0o644) //nolint:gosec // for everybody
	if err != nil {
		return fmt.Errorf("write the licences: %w", err)
	}
	return os.WriteFile(copyrightFile, copyright, 0o644) //nolint:gosec // for everybody
}

// licenceFiles returns the licence files of a component: those that are named by hand, or those in its folder.
func licenceFiles(c component, target, modules, goroot string) ([]string, error) {
	var files []string
	for _, p := range c.Properties {
		if p.Name == licenceProperty {
			files = append(files, strings.ReplaceAll(p.Value, "TARGET", target))
		}
	}
	dir := ""
	switch {
	case c.Name == "std":
		files = append(files, filepath.Join(goroot, "LICENSE"))
	case strings.HasPrefix(c.PURL, "pkg:golang/"):
		dir = filepath.Join(modules, escapedPath(c.Name)+"@"+c.Version)
	case strings.HasPrefix(c.PURL, "pkg:npm/"):
		dir = filepath.Join("frontend", "node_modules", c.Name)
	}
	if dir == "" {
		return files, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("find the licence of %s: %w", c.Name, err)
	}
	for _, entry := range entries {
		if licenceFile.MatchString(entry.Name()) && entry.Type().IsRegular() {
			files = append(files, filepath.Join(dir, entry.Name()))
		}
	}
	return files, nil
}

func readTexts(files []string) ([]string, error) {
	var texts []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("read a licence: %w", err)
		}
		texts = append(texts, strings.TrimSpace(strings.ReplaceAll(string(text), "\r", "")))
	}
	return texts, nil
}

// escapedPath returns the path of a module as its folder is named: !x for X.
func escapedPath(path string) string {
	var out strings.Builder
	for _, r := range path {
		if unicode.IsUpper(r) {
			out.WriteByte('!')
			r = unicode.ToLower(r)
		}
		out.WriteRune(r)
	}
	return out.String()
}

// describe returns the texts of all licences, each once with its components, and the copyright file, with who holds the rights in each.
func describe(components []component, find func(component) ([]string, error)) (notices, copyright []byte, err error) {
	if len(components) == 0 {
		return nil, nil, errors.New("there are no components")
	}
	byText := map[string]*notice{}
	var stanzas bytes.Buffer
	names := map[string]bool{"Apache-2.0": true}
	for _, c := range components {
		texts, err := find(c)
		if err != nil {
			return nil, nil, err
		}
		if len(texts) == 0 {
			if !slices.Contains(withoutText, c.Name) {
				return nil, nil, fmt.Errorf("%s %s brings no text of its licence, %s: look at it, and name its file in parts.json",
					c.Name, c.Version, licenceOf(c))
			}
			texts = []string{"Licence: " + licenceOf(c) + ", without a text of its own."}
		}
		for _, text := range texts {
			if byText[text] == nil {
				byText[text] = &notice{text: text}
			}
			byText[text].of = append(byText[text].of, c.Name+" "+c.Version)
		}
		name := shortName(licenceOf(c))
		names[name] = true
		fmt.Fprintf(&stanzas, "\nFiles: parts/%s/*\nCopyright: %s\nLicense: %s\n", strings.ReplaceAll(c.Name, " ", "-"), holders(c, texts), name)
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		fmt.Fprintf(&stanzas, "\nLicense: %s\n%s", name, licenceParagraph(name))
	}
	return joinNotices(byText), append([]byte(copyrightHeader), stanzas.Bytes()...), nil
}

const copyrightHeader = `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Voicewright
Source: https://github.com/voicewright/voicewright
Comment:
 The folders in parts/ stand for the libraries, packages and data that the
 programs contain. The texts of their licences are in the file
 third-party.txt.gz beside this one.

Files: *
Copyright: 2026 The Voicewright authors
License: Apache-2.0
`

// shortName returns the name of a licence as the copyright file writes it, where blanks end a name.
func shortName(expression string) string {
	words := strings.NewReplacer(" AND ", "-and-", " and ", "-and-", " OR ", "-or-", " WITH ", "-with-", "(", "", ")", "", " ", "-")
	return words.Replace(expression)
}

// licenceParagraph returns where the text of a licence is.
func licenceParagraph(name string) string {
	if strings.Contains(name, "Apache-2.0") {
		return " On Debian systems, the text of the Apache License, version 2.0, is in\n" +
			" /usr/share/common-licenses/Apache-2.0. What else applies is in\n third-party.txt.gz beside this file.\n"
	}
	return " The text is in third-party.txt.gz beside this file, with the names of the\n parts that it is the licence of.\n"
}

// holders returns who holds the rights in a component, one a line.
func holders(c component, texts []string) string {
	var lines []string
	if c.Copyright != "" {
		lines = append(lines, c.Copyright)
	}
	for _, match := range copyrightLine.FindAllStringSubmatch(texts[0], -1) {
		line := strings.TrimSpace(match[1])
		if c.Copyright == "" && !strings.Contains(line, "[yyyy]") && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		lines = []string{"The authors of " + c.Name}
	}
	return strings.Join(lines, "\n ")
}

// joinNotices returns the texts in the order of the components that they come with.
func joinNotices(byText map[string]*notice) []byte {
	notices := slices.SortedFunc(maps.Values(byText), func(a, b *notice) int { return strings.Compare(a.of[0]+a.text, b.of[0]+b.text) })
	var out bytes.Buffer
	out.WriteString("Voicewright is licensed under the Apache License, version 2.0. These are the licences of the parts that it contains.\n")
	for _, n := range notices {
		fmt.Fprintf(&out, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 80), strings.Join(n.of, "\n"), n.text)
	}
	return out.Bytes()
}
