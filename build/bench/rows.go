package main

import (
	"fmt"
	"strconv"
	"strings"
)

// row is a line of the page, or several where its name ends with a slash.
type row struct {
	group string // the heading that it stands below
	what  string
	pkg   string // the folder of the package, or programRows
	name  string // of the benchmark, without "Benchmark"; one that ends with a slash stands for all below it, of which the worst is shown
	unit  string // of its metric
	shown string // the unit for readers, "" where the figure is a ratio
	goal  limit
	runs  int    // how often it is measured, 0: as often as the command says
	time  string // -benchtime, "": half a second
	peers bool   // it needs the libraries of others
	heavy bool   // only measured if it is named: it takes many minutes
}

// limit is a goal: none, at most or at least a value.
type limit struct {
	value float64
	kind  kind
}

type kind int

const (
	none kind = iota
	maximum
	minimum
)

func atMost(v float64) limit  { return limit{v, maximum} }
func atLeast(v float64) limit { return limit{v, minimum} }

// in writes a goal for readers.
func (l limit) in(unit string) string {
	switch l.kind {
	case maximum:
		return "at most " + withUnit(plain(l.value), unit)
	case minimum:
		return "at least " + withUnit(plain(l.value), unit)
	default:
		return ""
	}
}

// verdict says whether a figure meets the goal.
func (l limit) verdict(figure float64) string {
	switch {
	case l.kind == none:
		return ""
	case l.kind == maximum && figure <= l.value, l.kind == minimum && figure >= l.value:
		return "met"
	default:
		return "missed"
	}
}

// matches reports whether a result belongs to the row.
func (r row) matches(pkg, name, unit string) bool {
	if r.pkg != pkg || r.unit != unit {
		return false
	}
	if strings.HasSuffix(r.name, "/") {
		return strings.HasPrefix(name, r.name)
	}
	return r.name == name
}

// benchmarks returns the benchmarks of the row: one, or two of which it shows the difference.
func (r row) benchmarks() []string { return strings.Split(firstPart(r.name), minus) }

// rowOf returns the index of the row that a result belongs to, before one that stands for several the row of its name; -1: none.
func rowOf(rows []row, measured result) int {
	found := -1
	for i, r := range rows {
		if r.matches(measured.Package, measured.Name, measured.Unit) && (found < 0 || len(r.name) > len(rows[found].name)) {
			found = i
		}
	}
	return found
}

// firstPart returns a name or a pattern up to its first slash.
func firstPart(name string) string {
	first, _, _ := strings.Cut(name, "/")
	return first
}

func withUnit(figure, unit string) string {
	if unit == "" {
		return figure
	}
	return figure + " " + unit
}

// plain writes a number as goals do: 0.25, 1000.
func plain(v float64) string { return thousands(strconv.FormatFloat(v, 'f', -1, 64)) }

// rounded writes a number with three digits, or all those before the point.
func rounded(v float64) string {
	size := v
	if size < 0 {
		size = -size
	}
	digits := 0
	for limit := 100.0; size < limit && digits < 4; limit /= 10 {
		digits++
	}
	if v == 0 {
		digits = 0
	}
	return thousands(fmt.Sprintf("%.*f", digits, v))
}

// thousands puts commas into a number of five digits or more.
func thousands(s string) string {
	whole, fraction, found := strings.Cut(s, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	if len(whole) > 4 {
		for i := len(whole) - 3; i > 0; i -= 3 {
			whole = whole[:i] + "," + whole[i:]
		}
	}
	if found {
		whole += "." + fraction
	}
	return sign + whole
}
