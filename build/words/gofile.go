package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
)

// goFile checks the names that a Go file declares, its doc comments and, outside of tests, its texts.
func (c *checker) goFile(path string) error {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, nil, parser.ParseComments)
	if err != nil {
		return err
	}
	line := func(node ast.Node) int { return set.Position(node.Pos()).Line }
	texts := !strings.HasSuffix(path, "_test.go") && !strings.HasPrefix(path, "build/")
	ast.Inspect(file, func(node ast.Node) bool {
		for _, name := range declared(node) {
			c.name(path, line(name), name.Name)
		}
		if doc := docOf(node); doc != nil && c.doc.MatchString(doc.Text()) {
			c.found(path, line(doc), c.doc.FindStringSubmatch(doc.Text())[2], "begins a doc comment")
		}
		if text, isText := node.(*ast.BasicLit); isText && texts && text.Kind == token.STRING {
			if value, err := strconv.Unquote(text.Value); err == nil {
				c.phrase(path, line(text), c.phrases, value)
			}
		}
		return true
	})
	return nil
}

// declared returns the identifiers that a node declares.
func declared(node ast.Node) []*ast.Ident {
	switch node := node.(type) {
	case *ast.FuncDecl:
		return []*ast.Ident{node.Name}
	case *ast.TypeSpec:
		return []*ast.Ident{node.Name}
	case *ast.ValueSpec:
		return node.Names
	case *ast.Field:
		return node.Names
	case *ast.LabeledStmt:
		return []*ast.Ident{node.Label}
	case *ast.AssignStmt:
		if node.Tok == token.DEFINE {
			return identifiers(node.Lhs)
		}
	case *ast.RangeStmt:
		if node.Tok == token.DEFINE {
			return identifiers([]ast.Expr{node.Key, node.Value})
		}
	}
	return nil
}

func identifiers(expressions []ast.Expr) []*ast.Ident {
	var names []*ast.Ident
	for _, expression := range expressions {
		if name, isName := expression.(*ast.Ident); isName {
			names = append(names, name)
		}
	}
	return names
}

// docOf returns the doc comment of a declaration, nil when it has none.
func docOf(node ast.Node) *ast.CommentGroup {
	switch node := node.(type) {
	case *ast.File:
		return node.Doc
	case *ast.FuncDecl:
		return node.Doc
	case *ast.GenDecl:
		return node.Doc
	case *ast.TypeSpec:
		return node.Doc
	case *ast.ValueSpec:
		return node.Doc
	case *ast.Field:
		return node.Doc
	}
	return nil
}
