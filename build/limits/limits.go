// Command limits holds the sizes of packages and types of Go: at most 25 files and 3,000 lines a package, and 40 methods a
// type, and no line of more than 140 characters but for the tags of a field. exceptions.json lists what was larger when the
// limits were set, each with the figure of that day, which it may not exceed, and a reason.
//
// Tests and generated files do not count. A method that several platforms have counts once.
package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// limit is the largest size of a package or type.
type limit struct {
	Name    string `json:"name"`              // a folder, or a folder, a dot and the name of a type
	Files   int    `json:"files,omitempty"`   // 0 = general.Files
	Lines   int    `json:"lines,omitempty"`   // 0 = general.Lines
	Methods int    `json:"methods,omitempty"` // 0 = general.Methods
	Wide    int    `json:"wide,omitempty"`    // lines of more than lineLength characters, of the whole repository, named "."
	Reason  string `json:"reason"`
}

// general is the limit of everything that is not an exception.
var general = limit{Files: 25, Lines: 3000, Methods: 40}

// lineLength is the most characters of a line.
const lineLength = 140

//go:embed exceptions.json
var exceptions []byte

// size is how large packages and types are, by name.
type size struct {
	files, lines map[string]int
	methods      map[string]map[string]bool // the names of the methods of a type
	wide         map[string]int             // the number of lines that are too long, under "."
}

func main() {
	var allowed []limit
	err := json.Unmarshal(exceptions, &allowed)
	if err == nil {
		err = check(".", allowed)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// check returns an error with a line for each package or type below root that is larger than it may be, and each exception
// that has no reason or is not needed.
func check(root string, allowed []limit) error {
	have, err := measure(root)
	if err != nil {
		return err
	}
	exception := map[string]limit{}
	for _, l := range allowed {
		exception[l.Name] = l
	}
	findings := unneeded(have, allowed)
	over := func(name string, n, general, allowed int, what string) {
		if limit := max(general, allowed); n > limit {
			findings = append(findings, fmt.Sprintf("%s: %d %s, at most %d", name, n, what, limit))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(have.files)) {
		over(name, have.files[name], general.Files, exception[name].Files, "files")
		over(name, have.lines[name], general.Lines, exception[name].Lines, "lines")
	}
	for _, name := range slices.Sorted(maps.Keys(have.methods)) {
		over(name, len(have.methods[name]), general.Methods, exception[name].Methods, "methods")
	}
	over(".", have.wide["."], general.Wide, exception["."].Wide, "lines of more than 140 characters")
	if len(findings) == 0 {
		return nil
	}
	return fmt.Errorf("%s\nlimits: %d findings; cut a package by what it does, and a type by what it holds",
		strings.Join(findings, "\n"), len(findings))
}

// unneeded returns a line for each exception without a reason, and each figure that the general limit allows by now.
func unneeded(have size, allowed []limit) (findings []string) {
	for _, l := range allowed {
		if l.Reason == "" {
			findings = append(findings, fmt.Sprintf("build/limits/exceptions.json: %s needs a reason", l.Name))
		}
		for _, f := range []struct {
			n, general, allowed int
			what                string
		}{
			{have.files[l.Name], general.Files, l.Files, "files"},
			{have.lines[l.Name], general.Lines, l.Lines, "lines"},
			{len(have.methods[l.Name]), general.Methods, l.Methods, "methods"},
			{have.wide[l.Name], general.Wide, l.Wide, "lines of more than 140 characters"},
		} {
			if f.allowed > 0 && f.n <= f.general {
				findings = append(findings, fmt.Sprintf("build/limits/exceptions.json: %s needs no exception, it has %d %s", l.Name, f.n, f.what))
			}
		}
	}
	return findings
}

// measure returns the sizes of the packages below root.
func measure(root string) (size, error) {
	have := size{files: map[string]int{}, lines: map[string]int{}, methods: map[string]map[string]bool{}, wide: map[string]int{}}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && skipped(filepath.ToSlash(rel)):
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return have.add(filepath.ToSlash(filepath.Dir(rel)), text)
	})
	return have, err
}

// skipped reports whether a folder holds nothing that was written here.
func skipped(path string) bool {
	switch filepath.Base(path) {
	case ".git", "node_modules", "testdata", "vendor":
		return true
	}
	return path == "build/lib" || path == "build/demo" || path == "shared"
}

// fieldTag matches the tag of a field, which cannot be broken.
var fieldTag = regexp.MustCompile("`(?:json|query|path|header|form):")

// add counts the lines and methods of a file of a package.
func (s size) add(folder string, text []byte) error {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, folder, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || ast.IsGenerated(file) {
		return err
	}
	s.files[folder]++
	s.lines[folder] += strings.Count(string(text), "\n")
	for line := range strings.Lines(string(text)) {
		if utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > lineLength && !fieldTag.MatchString(line) {
			s.wide["."]++
		}
	}
	for _, declaration := range file.Decls {
		method, isFunction := declaration.(*ast.FuncDecl)
		if !isFunction || method.Recv == nil {
			continue
		}
		receiver := folder + "." + typeName(method.Recv.List[0].Type)
		if s.methods[receiver] == nil {
			s.methods[receiver] = map[string]bool{}
		}
		s.methods[receiver][method.Name.Name] = true
	}
	return nil
}

// typeName returns the name of the type of a receiver.
func typeName(receiver ast.Expr) string {
	switch receiver := receiver.(type) {
	case *ast.StarExpr:
		return typeName(receiver.X)
	case *ast.IndexExpr:
		return typeName(receiver.X)
	case *ast.IndexListExpr:
		return typeName(receiver.X)
	case *ast.Ident:
		return receiver.Name
	}
	return ""
}
