package main

import (
	"bufio"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// output is what the go command printed about the benchmarks of a package.
type output struct {
	results []result
	skipped []missing
	others  []string // the last lines that are no results, which say what failed
}

var (
	skipLine   = regexp.MustCompile(`^\s*--- SKIP: Benchmark(\S+)`)
	reasonLine = regexp.MustCompile(`^\s+\S+\.go:\d+: (.+)$`)
	processors = regexp.MustCompile(`-\d+$`)
)

// keptLines is how many lines of a failure are shown, and one.
const keptLines = 60

// parse reads the output of go test -bench. Several runs of a benchmark are several values.
func parse(from io.Reader, pkg string) (output, error) {
	var found output
	var f figures
	skipping := ""
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		switch {
		case skipLine.MatchString(line):
			skipping = processors.ReplaceAllString(skipLine.FindStringSubmatch(line)[1], "")
		case skipping != "" && reasonLine.MatchString(line):
			found.skip(missing{Package: pkg, Name: skipping, Reason: reasonLine.FindStringSubmatch(line)[1]})
			skipping = ""
		case strings.HasPrefix(line, "Benchmark"):
			for _, r := range metrics(line) {
				r.Package = pkg
				f.add(r)
			}
		default:
			found.others = append(found.others[max(0, len(found.others)-keptLines):], line)
		}
	}
	found.results = f.Results
	return found, lines.Err()
}

// skip keeps a reason once, though each run gives it.
func (r *output) skip(m missing) {
	if !slices.Contains(r.skipped, m) {
		r.skipped = append(r.skipped, m)
	}
}

// metrics returns the metrics of a line such as "BenchmarkVAD/speech-2  100  1234 ns/op  350.0 x-real-time".
func metrics(line string) (found []result) {
	fields := strings.Fields(line)
	if len(fields) < 4 {
		return nil
	}
	name := processors.ReplaceAllString(strings.TrimPrefix(fields[0], "Benchmark"), "")
	for i := 2; i+1 < len(fields); i += 2 {
		value, err := strconv.ParseFloat(fields[i], 64)
		if err != nil {
			return nil
		}
		if fields[i+1] == "ns/op" && value == 0 { // it has metrics instead
			continue
		}
		found = append(found, result{Name: name, Unit: fields[i+1], Values: []float64{value}})
	}
	return found
}
