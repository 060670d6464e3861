package docs_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// advice is what an error says: what happened, and what to do. Parts that are only known when it happens are an ellipsis.
type advice struct{ detail, remedy string }

const unknown = "…"

// errorCodes returns the codes of backend/errors.go by the name of their constant.
func errorCodes(t *testing.T) map[string]string {
	t.Helper()
	codes := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^\s*(Code\w+)\s+Code = "(\w+)"`).FindAllStringSubmatch(read(t, "../backend/errors.go"), -1) {
		codes[m[1]] = m[2]
	}
	require.Greater(t, len(codes), 45)
	return codes
}

// pageSentences returns the texts of the page by code: first the general one, then those of a reason.
func pageSentences(t *testing.T) map[string][]advice {
	t.Helper()
	var words map[string]map[string]string
	require.NoError(t, json.Unmarshal([]byte(read(t, "../frontend/src/i18n/en/errors.json")), &words))
	all := map[string][]advice{}
	for code, texts := range words {
		var reasons []string
		for key := range texts {
			_, reason, _ := strings.Cut(key, "_")
			reasons = append(reasons, reason)
		}
		slices.Sort(reasons)
		for _, reason := range slices.Compact(reasons) {
			all[code] = append(all[code], advice{of(texts, "title", reason), of(texts, "remedy", reason)})
		}
	}
	return all
}

// of returns the text for a reason, or the general one.
func of(texts map[string]string, part, reason string) string {
	text, found := texts[part+"_"+reason]
	if !found {
		text = texts[part]
	}
	return regexp.MustCompile(`{{.*?}}`).ReplaceAllString(text, unknown)
}

// programSentences returns the literal texts of the errors that the program makes, by code: what backend.E gets, also through a
// function that passes it two of its arguments.
func programSentences(t *testing.T) map[string][]advice {
	t.Helper()
	r := &reader{
		codes: errorCodes(t), constants: map[string]ast.Expr{}, helpers: map[string]helper{}, fields: map[string][]ast.Expr{},
		found: map[string][]advice{},
	}
	var sources []*ast.File
	for _, top := range []string{"app", "backend", "engines"} {
		err := filepath.WalkDir(filepath.Join("..", top), func(dir string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return err
			}
			// The hosted service has errors of its own, and packages for tests tell nobody anything.
			if slices.Contains([]string{"testdata", "service", "voicewright-service"}, d.Name()) || strings.HasSuffix(d.Name(), "test") {
				return filepath.SkipDir
			}
			sources = append(sources, parsed(t, dir)...)
			return nil
		})
		require.NoError(t, err)
	}
	for _, file := range sources {
		r.pkg = file.Name.Name
		ast.Inspect(file, r.declaration)
	}
	for _, file := range sources {
		r.pkg = file.Name.Name
		ast.Inspect(file, r.call)
	}
	for code, all := range r.found {
		slices.SortFunc(all, func(a, b advice) int { return strings.Compare(a.detail+a.remedy, b.detail+b.remedy) })
		r.found[code] = slices.Compact(all)
	}
	return r.found
}

// parsed returns the files of a package without its tests.
func parsed(t *testing.T, dir string) []*ast.File {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	var all []*ast.File
	for _, name := range names {
		if !strings.HasSuffix(name, "_test.go") {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			all = append(all, file)
		}
	}
	return all
}

// reader collects the texts of errors. Constants and helpers have the name of their package before their own.
type reader struct {
	codes     map[string]string
	constants map[string]ast.Expr
	helpers   map[string]helper
	fields    map[string][]ast.Expr // what those of a table are set to
	found     map[string][]advice

	pkg       string                // of the file that is read
	variables map[string][]ast.Expr // what those of the function are set to
}

// helper is a function that makes errors of one code of its arguments: of the texts, those that are a parameter have its index,
// others -1.
type helper struct {
	code    string
	texts   [2]ast.Expr
	indices [2]int
}

// declaration remembers constants, the literal texts of tables, and helpers.
func (r *reader) declaration(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GenDecl:
		if n.Tok == token.CONST {
			for _, spec := range n.Specs {
				value := spec.(*ast.ValueSpec)
				for i, name := range value.Names {
					if i < len(value.Values) {
						r.constants[r.pkg+"."+name.Name] = value.Values[i]
					}
				}
			}
		}
	case *ast.KeyValueExpr:
		if text, ok := n.Value.(*ast.BasicLit); ok && text.Kind == token.STRING {
			key := r.pkg + "." + name(n.Key)
			r.fields[key] = append(r.fields[key], text)
		}
	case *ast.FuncDecl:
		ast.Inspect(n, func(inner ast.Node) bool {
			if code, texts, ok := r.made(inner); ok {
				h := helper{code, texts, [2]int{parameter(n, texts[0]), parameter(n, texts[1])}}
				if h.indices != [2]int{-1, -1} {
					r.helpers[r.pkg+"."+n.Name.Name] = h
				}
			}
			return true
		})
	}
	return true
}

// call collects the texts of a call of backend.E or of a helper.
func (r *reader) call(n ast.Node) bool {
	if f, ok := n.(*ast.FuncDecl); ok {
		r.variables = assigned(f)
	}
	if code, texts, ok := r.made(n); ok {
		r.add(code, texts)
		return true
	}
	if call, ok := n.(*ast.CallExpr); ok {
		if h, ok := r.helpers[r.qualified(call.Fun)]; ok {
			texts := h.texts
			for i, index := range h.indices {
				if index >= 0 && index < len(call.Args) {
					texts[i] = call.Args[index]
				}
			}
			r.add(h.code, texts)
		}
	}
	return true
}

// made returns the code and the two texts of a call of backend.E.
func (r *reader) made(n ast.Node) (string, [2]ast.Expr, bool) {
	call, ok := n.(*ast.CallExpr)
	if !ok || name(call.Fun) != "E" || len(call.Args) != 3 {
		return "", [2]ast.Expr{}, false
	}
	code, known := r.codes[name(call.Args[0])]
	return code, [2]ast.Expr(call.Args[1:]), known
}

// add collects texts of which enough is literal to be recognised.
func (r *reader) add(code string, texts [2]ast.Expr) {
	var remedies []string
	for _, remedy := range r.alternatives(texts[1]) {
		if remedy != unknown {
			remedies = append(remedies, remedy)
		}
	}
	for _, detail := range r.alternatives(texts[0]) {
		if len(strings.Fields(strings.ReplaceAll(detail, unknown, ""))) > 1 {
			r.found[code] = append(r.found[code], advice{detail, strings.Join(remedies, " Or: ")})
		}
	}
}

// alternatives returns the values of an expression: those of a variable that is set in several places, those of a field in the tables
// of the package, else one.
func (r *reader) alternatives(e ast.Expr) []string {
	var all []string
	if _, ok := e.(*ast.SelectorExpr); ok && r.text(e) == unknown {
		for _, value := range r.fields[r.pkg+"."+name(e)] {
			all = append(all, r.text(value))
		}
		if len(all) > 0 {
			return all
		}
	}
	for _, value := range r.variables[name(e)] {
		all = append(all, r.once(name(e), value))
	}
	if len(all) == 0 {
		return []string{r.text(e)}
	}
	return all
}

// once returns the value of a variable, which may be made of itself.
func (r *reader) once(variable string, value ast.Expr) string {
	values := r.variables[variable]
	delete(r.variables, variable)
	defer func() { r.variables[variable] = values }()
	return r.text(value)
}

var verbs = regexp.MustCompile(`%[-+# 0]*[\d.]*[a-zA-Z]`)

// text returns the value of an expression, as far as it is literal.
func (r *reader) text(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if s, err := strconv.Unquote(e.Value); err == nil {
			return s
		}
	case *ast.BinaryExpr:
		return r.text(e.X) + r.text(e.Y)
	case *ast.CallExpr:
		if name(e.Fun) == "Sprintf" {
			return verbs.ReplaceAllString(strings.ReplaceAll(r.text(e.Args[0]), "%q", "“…”"), unknown)
		}
	case *ast.Ident, *ast.SelectorExpr:
		if values := r.variables[name(e)]; len(values) == 1 {
			return r.once(name(e), values[0])
		}
		if value, ok := r.constants[r.qualified(e)]; ok {
			return r.text(value)
		}
	}
	return unknown
}

// qualified returns a name with that of its package before it.
func (r *reader) qualified(e ast.Expr) string {
	if s, ok := e.(*ast.SelectorExpr); ok {
		return name(s.X) + "." + s.Sel.Name
	}
	return r.pkg + "." + name(e)
}

// name returns the last part of a name, without that of its package.
func name(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// assigned returns what the variables of a function are set to, one at a time.
func assigned(f *ast.FuncDecl) map[string][]ast.Expr {
	values := map[string][]ast.Expr{}
	ast.Inspect(f, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) == len(a.Rhs) {
			for i, to := range a.Lhs {
				if id, ok := to.(*ast.Ident); ok {
					values[id.Name] = append(values[id.Name], a.Rhs[i])
				}
			}
		}
		return true
	})
	return values
}

// parameter returns the index of the parameter of f that e is, or -1.
func parameter(f *ast.FuncDecl, e ast.Expr) int {
	id, ok := e.(*ast.Ident)
	if !ok {
		return -1
	}
	i := 0
	for _, field := range f.Type.Params.List {
		for _, n := range field.Names {
			if n.Name == id.Name {
				return i
			}
			i++
		}
	}
	return -1
}
