package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// call is one run of the go command.
type call struct {
	pkg     string
	pattern string // -bench
	runs    int
	time    string // -benchtime
}

const usualTime = "500ms"

// minus stands between two benchmarks of which a row shows the difference.
const minus = "-"

// calls returns the runs of the go command that measure what was selected: one for all benchmarks of a package that are measured
// as often and as long. Each is named, so that the others of the package are not measured.
func (m *measurement) calls(s selection) ([]call, error) {
	var calls []call
	named := map[string][]string{} // benchmarks by call, without pattern
	add := func(c call, name string) {
		key := fmt.Sprint(c)
		if named[key] == nil {
			calls = append(calls, c)
		}
		if !slices.Contains(named[key], name) {
			named[key] = append(named[key], name)
		}
	}
	below := ""
	if i := strings.Index(s.chosen, "/"); i >= 0 {
		below = s.chosen[i:]
	}
	for _, r := range s.rows {
		if r.pkg != programRows {
			for _, name := range r.benchmarks() {
				add(callOf(r, m.runs), name)
			}
		}
	}
	if s.pattern != nil {
		others, err := benchmarksIn(m.root)
		if err != nil {
			return nil, err
		}
		for _, o := range others {
			isRow := slices.ContainsFunc(s.rows, func(r row) bool { return r.pkg == o.pkg && slices.Contains(r.benchmarks(), o.name) })
			if s.pattern.MatchString(o.name) && !isRow {
				add(call{pkg: o.pkg, runs: 1, time: usualTime}, o.name)
			}
		}
	}
	for i, c := range calls {
		calls[i].pattern = "^Benchmark(" + strings.Join(named[fmt.Sprint(c)], "|") + ")$" + below
	}
	return calls, nil
}

func callOf(r row, runs int) call {
	c := call{pkg: r.pkg, runs: runs, time: usualTime}
	if r.runs > 0 {
		c.runs = min(r.runs, runs)
	}
	if r.time != "" {
		c.time = r.time
	}
	return c
}

// benchmark is a function of a package.
type benchmark struct{ pkg, name string }

var benchmarkLine = regexp.MustCompile(`(?m)^func Benchmark(\w*)\(b \*testing\.B\)`)

// benchmarksIn returns the benchmarks in the packages of the program.
func benchmarksIn(root string) (found []benchmark, err error) {
	for _, top := range []string{"app", "backend", "engines"} {
		err = errors.Join(err, filepath.WalkDir(filepath.Join(root, top), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			raw, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			dir, err := filepath.Rel(root, filepath.Dir(path))
			for _, m := range benchmarkLine.FindAllSubmatch(raw, -1) {
				found = append(found, benchmark{filepath.ToSlash(dir), string(m[1])})
			}
			return err
		}))
	}
	return found, err
}

// benchmarks runs those of a package, keeps what they measured, and returns the processor time that all of it took.
func (m *measurement) benchmarks(ctx context.Context, c call) (processor time.Duration, err error) {
	args := append([]string{"test"}, m.flags...)
	args = append(args, "-run", "^$", "-bench", c.pattern, "-benchtime", c.time, "-count", strconv.Itoa(c.runs), "-timeout", "60m", "./"+c.pkg)
	cmd := exec.CommandContext(ctx, "go", args...) //nolint:forbidigo // the compiler
	cmd.Dir = m.root
	cmd.Env = append(os.Environ(), m.env...)
	cmd.Stderr = m.problems
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	found, err := parse(out, c.pkg)
	err = errors.Join(err, cmd.Wait())
	processor = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	for _, r := range found.results {
		m.add(c.pkg, r.Name, r.Unit, r.Values...)
	}
	m.subtract(c.pkg)
	for _, s := range found.skipped {
		m.miss(c.pkg, s.Name, s.Reason)
	}
	if err != nil && ctx.Err() == nil { // not interrupted
		for name := range strings.SplitSeq(strings.TrimSuffix(strings.TrimPrefix(c.pattern, "^Benchmark("), ")$"), "|") {
			m.miss(c.pkg, name, "it failed")
		}
		return processor, fmt.Errorf("go test -bench '%s' ./%s: %w\n%s", c.pattern, c.pkg, err, strings.Join(found.others, "\n"))
	}
	return processor, nil
}

// subtract adds the differences of benchmarks that rows of the package show, in milliseconds, run by run.
func (m *measurement) subtract(pkg string) {
	times := func(name string) []float64 {
		i := slices.IndexFunc(m.figures.Results, func(r result) bool { return r.Package == pkg && r.Name == name && r.Unit == "ns/op" })
		if i < 0 {
			return nil
		}
		return m.figures.Results[i].Values
	}
	for _, r := range goals {
		from, what, found := strings.Cut(firstPart(r.name), minus)
		if r.pkg != pkg || !found {
			continue
		}
		whole, part := times(from), times(what)
		for i := range min(len(whole), len(part)) {
			m.add(pkg, r.name, r.unit, (whole[i]-part[i])/1e6)
		}
	}
}
