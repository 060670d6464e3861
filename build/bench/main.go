// Command bench measures Voicewright beside its goals (goals.go), and writes the figures into docs/benchmarks.json and their tables
// into docs/benchmarks.md.
//
//	bench [-bench REGEXP] [-runs N] [-- GO FLAGS]   measures
//	bench -page                                     writes the page again from the figures
//
// Without a regular expression it measures every row of the page but the heavy ones, which take many minutes each; "heavy" selects
// those. Any other one selects rows by the name of their benchmark, and benchmarks that are no row, whose results are only
// printed. The figures of all other rows stay, each with the machine and the time of its own.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
)

//go:generate go run . -page

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	chosen := flag.String("bench", "", "the benchmarks, a regular expression, or heavy; empty: every row but the heavy ones")
	runs := flag.Int("runs", 5, "how often a row is measured that says nothing else")
	page := flag.Bool("page", false, "only write the page, from the figures")
	flag.Parse()
	if err := run(ctx, *chosen, *runs, *page, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, chosen string, runs int, onlyPage bool, flags []string) error {
	root, err := findRoot()
	if err != nil {
		return err
	}
	kept, err := load(filepath.Join(root, "docs", figuresFile))
	if err != nil {
		return err
	}
	if onlyPage {
		return writePage(filepath.Join(root, "docs", pageFile), goals, kept)
	}
	if runs < 1 {
		return errors.New("-runs is at least 1")
	}
	selected, err := selectRows(goals, chosen)
	if err != nil {
		return err
	}
	// What is measured runs as it does for a user: with Go's own settings, not with those of whoever builds.
	for _, name := range []string{"GOGC", "GOMAXPROCS", "GOMEMLIMIT"} {
		if err := os.Unsetenv(name); err != nil {
			return err
		}
	}
	m := &measurement{
		root: root, flags: flags, runs: runs, out: os.Stdout, problems: os.Stderr,
		figures: figures{Sessions: []session{newSession(ctx, root, time.Now())}},
	}
	m.keep = func() error { return keep(root, kept, m.figures, strings.Contains(chosen, "/")) }
	m.all(ctx, selected)
	m.summary(os.Stdout)
	return errors.Join(ctx.Err(), m.failed)
}

// keep writes what was measured so far, beside what was there, so that an interrupted session keeps its figures.
func keep(root string, before, measured figures, part bool) error {
	now := figures{Sessions: slices.Clone(before.Sessions), Results: slices.Clone(before.Results), Missing: slices.Clone(before.Missing)}
	now.renew(goals, measured, part)
	if err := now.save(filepath.Join(root, "docs", figuresFile)); err != nil {
		return err
	}
	return writePage(filepath.Join(root, "docs", pageFile), goals, now)
}

// findRoot returns the folder with go.mod, at or above the working directory.
func findRoot() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			err = errors.New("go.mod is neither here nor above")
		}
		dir = parent
	}
	return "", err
}

// measurement measures what was selected.
type measurement struct {
	root     string
	flags    []string // of the go command
	runs     int
	out      io.Writer
	problems io.Writer
	env      []string     // of the go command, beside that of this program
	figures  figures      // of this session
	printed  int          // how many results of figures are in the table
	keep     func() error // writes the figures
	failed   error
}

// source measures rows that are not benchmarks of Go.
type source struct {
	pkg     string // of its rows
	measure func(m *measurement, ctx context.Context, rows []row)
}

var sources = []source{{programRows, (*measurement).program}}

func (m *measurement) all(ctx context.Context, s selection) {
	heading(m.out)
	for _, from := range sources {
		if rows := s.of(from.pkg); len(rows) > 0 && ctx.Err() == nil {
			from.measure(m, ctx, rows)
			m.print()
			m.fail(m.keep())
		}
	}
	s.rows = m.prepare(ctx, s.rows)
	calls, err := m.calls(s)
	m.fail(err)
	for _, c := range calls {
		if ctx.Err() != nil {
			return
		}
		started := time.Now()
		processor, err := m.benchmarks(ctx, c)
		m.fail(err)
		m.print()
		m.fail(m.keep())
		fmt.Fprintf(m.problems, "# %s %s: %.0f s, %.0f s of processor\n", c.pkg, c.pattern, time.Since(started).Seconds(), processor.Seconds())
	}
}

func (m *measurement) fail(err error) {
	if err != nil {
		fmt.Fprintln(m.problems, err)
		m.failed = errors.Join(m.failed, err)
	}
}

// add keeps a value of a row, or of a benchmark that is no row.
func (m *measurement) add(pkg, name, unit string, values ...float64) {
	m.figures.add(result{Package: pkg, Name: name, Unit: unit, Values: values, Session: m.figures.Sessions[0].Began})
}

// miss keeps why rows have no figures.
func (m *measurement) miss(pkg, name, reason string) {
	m.figures.Missing = append(m.figures.Missing, missing{Package: pkg, Name: name, Reason: reason, Session: m.figures.Sessions[0].Began})
}

// selection is what is measured.
type selection struct {
	rows    []row
	pattern *regexp.Regexp // of names, nil where only rows are measured
	chosen  string
}

// selectRows returns the rows that a person chose.
func selectRows(all []row, chosen string) (selection, error) {
	s := selection{chosen: chosen}
	heavy := chosen == "heavy"
	if chosen != "" && !heavy {
		var err error
		if s.pattern, err = regexp.Compile(firstPart(chosen)); err != nil {
			return s, fmt.Errorf("-bench: %w", err)
		}
	}
	for _, r := range all {
		named := s.pattern != nil && slices.ContainsFunc(r.benchmarks(), s.pattern.MatchString)
		if named || s.pattern == nil && r.heavy == heavy {
			s.rows = append(s.rows, r)
		}
	}
	return s, nil
}

func (s selection) of(pkg string) (rows []row) {
	for _, r := range s.rows {
		if r.pkg == pkg {
			rows = append(rows, r)
		}
	}
	return rows
}
