package main_test

import (
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// statement is one line of a contract: what checks it, or why nothing can.
type statement struct {
	line   string
	check  func(*world)
	tests  []string // tests that check it elsewhere, as folder:name
	reason string
}

// nothing begins every reason.
const nothing = "says nothing testable: "

// TestContract checks each sentence and each row of a table of the hosted API's contract, by requests as clients send them.
func TestContract(t *testing.T) {
	t.Parallel()
	const path = "../../docs/contract/hosted-api.md"
	requireContract(t, path, "contract_hosted_api_test.go", documentLines(readDocument(t, path)), hostedAPI)
}

// TestDecisions checks what the contract leaves open, as section 6 of the decisions settles it.
func TestDecisions(t *testing.T) {
	t.Parallel()
	const path = "../../docs/contract/decisions.md"
	_, section, found := strings.Cut(readDocument(t, path), "\n## 6.")
	require.True(t, found)
	_, section, _ = strings.Cut(section, "\n")
	section, _, _ = strings.Cut(section, "\n## ")
	requireContract(t, path+", section 6", "contract_decisions_test.go", documentLines(section), decided)
}

// requireContract fails where the statements are not the lines of the document, in its order, and where a check fails. A check
// that several lines share runs once.
func requireContract(t *testing.T, document, list string, lines []string, statements []statement) {
	t.Helper()
	var listed []string
	checked := 0
	for _, s := range statements {
		listed = append(listed, s.line)
		requireTests(t, s.tests)
		if s.check != nil || len(s.tests) > 0 {
			require.Empty(t, s.reason, s.line)
			checked++
			continue
		}
		require.True(t, strings.HasPrefix(s.reason, nothing) && len(s.reason) > len(nothing)+10, "no check and no reason: %s", s.line)
	}
	for _, line := range lines {
		require.Contains(t, listed, line, "%s has a line without a statement: add one to %s", document, list)
	}
	require.Equal(t, lines, listed, "the statements of %s are the lines of %s, in its order", list, document)
	w := newWorld(t, worldOptions{})
	done := map[uintptr]bool{}
	for _, s := range statements {
		at := reflect.ValueOf(s.check).Pointer()
		if s.check == nil || done[at] && !strings.Contains(checkName(at), ".func") {
			continue
		}
		done[at] = true
		t.Run(checkName(at)+"/"+s.line, func(t *testing.T) { s.check(w.in(t)) })
	}
	t.Logf("%s: %d lines: %d checked, %d without anything to test", document, len(lines), checked, len(lines)-checked)
}

// requireTests fails where a test is not in the package of its folder.
func requireTests(t *testing.T, tests []string) {
	t.Helper()
	for _, test := range tests {
		dir, name, ok := strings.Cut(test, ":")
		require.True(t, ok, test)
		files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(dir), "*_test.go"))
		require.NoError(t, err)
		require.True(t, slices.ContainsFunc(files, func(file string) bool {
			return strings.Contains(readDocument(t, file), "\nfunc "+name+"(t *testing.T)")
		}), "%s has no test %s", dir, name)
	}
}

// checkName returns the name of a check without its package.
func checkName(at uintptr) string {
	if at == 0 {
		return ""
	}
	name := runtime.FuncForPC(at).Name()
	return name[strings.LastIndex(name, "/")+1:]
}
