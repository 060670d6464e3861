package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The page, and the lines of it between which the program writes.
const (
	pageFile   = "benchmarks.md"
	begin, end = "<!-- from benchmarks.json, by make bench -->", "<!-- end -->"
)

// writePage writes the figures into the page, whose other text stays.
func writePage(path string, rows []row, f figures) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	written, err := withFigures(string(raw), rows, f)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.WriteFile(path, []byte(written), 0o600)
}

func withFigures(page string, rows []row, f figures) (string, error) {
	before, inside, found := strings.Cut(page, begin+"\n")
	_, after, ended := strings.Cut(inside, end+"\n")
	if !found || !ended {
		return "", fmt.Errorf("the lines %q and %q are missing", begin, end)
	}
	return before + begin + "\n" + tables(rows, f) + "\n" + end + "\n" + after, nil
}

// tables returns a table for each group of rows, and one of the sessions.
func tables(rows []row, f figures) string {
	var out bytes.Buffer
	group := ""
	for i, r := range rows {
		if r.group != group {
			group = r.group
			fmt.Fprintf(&out, "\n### %s\n\n| what | goal | median | least to most | runs | | session |\n|---|---|---|---|---|---|---|\n", group)
		}
		l := lineOf(rows, i, f)
		fmt.Fprintf(&out, "| %s | %s | %s | %s | %s | %s | %s |\n",
			l.what, l.goal, l.median, l.spread, l.runs, strings.Replace(l.verdict, "missed", "**missed**", 1), l.session)
	}
	if len(f.Sessions) > 0 {
		out.WriteString("\n### Sessions\n\n| | began | load | machine |\n|---|---|---|---|\n")
	}
	for i, s := range f.Sessions {
		fmt.Fprintf(&out, "| %d | %s | %s | %s |\n", i+1, s.Began.UTC().Format("2 January 2006, 15:04 UTC"), s.Load, s.Machine)
	}
	return out.String()
}

// line is a line of a table, in words.
type line struct{ what, goal, median, spread, runs, verdict, session string }

// lineOf returns the line of a row. Where it stands for several results, the one that is furthest from the goal is shown.
func lineOf(rows []row, i int, f figures) line {
	r := rows[i]
	var own []result
	for _, measured := range f.Results {
		if rowOf(rows, measured) == i {
			own = append(own, measured)
		}
	}
	l := line{what: r.what, goal: r.goal.in(r.shown), verdict: "not measured"}
	if len(own) == 0 {
		i := slices.IndexFunc(f.Missing, func(m missing) bool { return m.of(r) })
		if i >= 0 {
			l.verdict += ": " + f.Missing[i].Reason
			l.session = f.number(f.Missing[i].Session)
		}
		return l
	}
	worst := slices.MaxFunc(own, func(a, b result) int {
		_, one, _ := spread(a.Values)
		_, other, _ := spread(b.Values)
		if r.goal.kind == minimum {
			one, other = other, one
		}
		return cmp.Compare(one, other)
	})
	if len(own) > 1 {
		l.what += fmt.Sprintf(", worst of %d: %s", len(own), strings.TrimPrefix(worst.Name, r.name))
	}
	lowest, median, highest := spread(worst.Values)
	l.median, l.verdict, l.session = withUnit(rounded(median), r.shown), r.goal.verdict(median), f.number(worst.Session)
	l.runs = strconv.Itoa(len(worst.Values))
	if len(worst.Values) > 1 {
		l.spread = rounded(lowest) + " to " + rounded(highest)
	}
	return l
}

// number returns the place of a session in the table.
func (f figures) number(began time.Time) string {
	i := slices.IndexFunc(f.Sessions, func(s session) bool { return s.Began.Equal(began) })
	return strconv.Itoa(i + 1)
}

const terminal = "%-66s %14s %22s  %-26s %s\n"

func heading(out io.Writer) {
	fmt.Fprintf(out, terminal, "what", "median", "least to most", "goal", "")
}

// print writes the results that are new, as a table for a terminal.
func (m *measurement) print() {
	for ; m.printed < len(m.figures.Results); m.printed++ {
		measured := m.figures.Results[m.printed]
		i := rowOf(goals, measured)
		lowest, median, highest := spread(measured.Values)
		what, goal := measured.Package+" "+measured.Name, limit{}
		if i >= 0 {
			goal = goals[i].goal
		}
		fmt.Fprintf(m.out, terminal, what, rounded(median)+" "+measured.Unit, rounded(lowest)+" to "+rounded(highest),
			goal.in(measured.Unit), goal.verdict(median))
	}
}

// summary writes which goals were missed, and what was not measured.
func (m *measurement) summary(out io.Writer) {
	for i := range goals {
		if l := lineOf(goals, i, m.figures); l.verdict == "missed" || l.session != "" && l.median == "" {
			fmt.Fprintf(out, "%s: %s %s (%s)\n", l.what, l.verdict, l.median, l.goal)
		}
	}
}
