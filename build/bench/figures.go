package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
)

// figuresFile has what was measured, in the folder of the page.
const figuresFile = "benchmarks.json"

// figures are what was measured, of several sessions.
type figures struct {
	Sessions []session `json:"sessions"`
	Results  []result  `json:"results"`
	Missing  []missing `json:"missing"`
}

// result has the values of one metric, one for each run.
type result struct {
	Package string    `json:"package"`
	Name    string    `json:"name"`
	Unit    string    `json:"unit"`
	Values  []float64 `json:"values"`
	Session time.Time `json:"session"`
}

// missing says why something was not measured.
type missing struct {
	Package string    `json:"package"`
	Name    string    `json:"name"` // of the benchmark and all below it
	Reason  string    `json:"reason"`
	Session time.Time `json:"session"`
}

// of reports whether it is about a row: its benchmark, the one above that, or one of those that the row stands for.
func (m missing) of(r row) bool {
	return m.Package == r.pkg &&
		(m.Name == r.name || strings.HasPrefix(r.name, m.Name+"/") || strings.HasSuffix(r.name, "/") && strings.HasPrefix(m.Name, r.name))
}

func (r result) key() string { return r.Package + " " + r.Name + " " + r.Unit }

// load reads the figures, none where the file does not exist.
func load(path string) (figures, error) {
	var f figures
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return f, err
	}
	if err := json.Unmarshal(raw, &f); err != nil {
		return f, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// save writes the figures, one result a line.
func (f figures) save(path string) error {
	var out bytes.Buffer
	out.WriteString("{")
	if err := errors.Join(
		lines(&out, "sessions", f.Sessions, ","), lines(&out, "results", f.Results, ","), lines(&out, "missing", f.Missing, ""),
	); err != nil {
		return err
	}
	out.WriteString("\n}\n")
	return os.WriteFile(path, out.Bytes(), 0o600)
}

func lines[T any](out *bytes.Buffer, name string, list []T, after string) error {
	fmt.Fprintf(out, "\n  %q: [", name)
	for i, v := range list {
		raw, err := json.Marshal(v)
		if err != nil {
			return err
		}
		if i > 0 {
			out.WriteString(",")
		}
		out.WriteString("\n    ")
		out.Write(raw)
	}
	if len(list) > 0 {
		out.WriteString("\n  ")
	}
	out.WriteString("]" + after)
	return nil
}

// add appends a result, or its values to those of the same metric.
func (f *figures) add(r result) {
	for i := range f.Results {
		if f.Results[i].key() == r.key() {
			f.Results[i].Values = append(f.Results[i].Values, r.Values...)
			return
		}
	}
	f.Results = append(f.Results, r)
}

// renew replaces what was measured again, and drops what no row shows. part says that only some of what is below a benchmark was.
func (f *figures) renew(rows []row, by figures, part bool) {
	shown := func(r result) bool { return rowOf(rows, r) >= 0 }
	f.Sessions = append(f.Sessions, by.Sessions...)
	old := f.Results
	f.Results = slices.DeleteFunc(slices.Clone(by.Results), func(r result) bool { return !shown(r) })
	for _, r := range old {
		again := slices.ContainsFunc(by.Results, func(n result) bool { return n.key() == r.key() })
		if shown(r) && !again && (part || !by.measured(r.Package, r.Name)) {
			f.Results = append(f.Results, r)
		}
	}
	// A row that was measured before keeps those figures when it could not be measured again.
	settled := func(m missing) bool {
		return !slices.ContainsFunc(rows, func(w row) bool {
			return m.of(w) && !slices.ContainsFunc(f.Results, func(r result) bool { return w.matches(r.Package, r.Name, r.Unit) })
		})
	}
	newer := func(m missing) bool {
		return slices.ContainsFunc(by.Missing, func(n missing) bool { return n.Package == m.Package && n.Name == m.Name })
	}
	f.Missing = slices.DeleteFunc(append(slices.DeleteFunc(f.Missing, newer), by.Missing...), settled)
	f.sort()
}

// measured reports whether there are results of a benchmark, or of one beside it.
func (f *figures) measured(pkg, name string) bool {
	return slices.ContainsFunc(f.Results, func(r result) bool { return r.Package == pkg && firstPart(r.Name) == firstPart(name) })
}

// sort orders the results by key, and drops sessions that have none.
func (f *figures) sort() {
	slices.SortFunc(f.Results, func(a, b result) int { return bytes.Compare([]byte(a.key()), []byte(b.key())) })
	f.Sessions = slices.DeleteFunc(f.Sessions, func(s session) bool {
		return !slices.ContainsFunc(f.Results, func(r result) bool { return r.Session.Equal(s.Began) }) &&
			!slices.ContainsFunc(f.Missing, func(m missing) bool { return m.Session.Equal(s.Began) })
	})
	slices.SortFunc(f.Sessions, func(a, b session) int { return a.Began.Compare(b.Began) })
}

// spread returns the least, the median and the most of values, of which there is at least one.
func spread(values []float64) (lowest, median, highest float64) {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return sorted[0], (sorted[(n-1)/2] + sorted[n/2]) / 2, sorted[n-1]
}
