package programtest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Usage is what a process has at a moment. Memory is what is resident, in MB: that of all, of which files are mapped (the program, its
// libraries), Go has its heap and stacks, and Other belongs to C, to SQLite, which is C translated to Go, and to Go's runtime.
type Usage struct{ Memory, Files, Go, Other, Threads, Handles, Children int }

var mapping = regexp.MustCompile(`^([0-9a-f]+)-[0-9a-f]+ \S+ \S+ \S+ (\d+)`)

// Go's heap is between these addresses on amd64, far from what the system places.
const heapLeast, heapMost = 1 << 36, 1 << 46

// UsageOf returns what a process has now.
func UsageOf(t testing.TB, pid int) (u Usage) {
	t.Helper()
	proc := fmt.Sprintf("/proc/%d", pid)
	maps, err := os.ReadFile(filepath.Join(proc, "smaps"))
	require.NoError(t, err)
	var bytes struct{ files, heap, other int }
	sum := &bytes.other
	for line := range strings.Lines(string(maps)) {
		if found := mapping.FindStringSubmatch(line); found != nil {
			start, err := strconv.ParseUint(found[1], 16, 64)
			require.NoError(t, err)
			switch {
			case found[2] != "0":
				sum = &bytes.files
			case start >= heapLeast && start < heapMost:
				sum = &bytes.heap
			default:
				sum = &bytes.other
			}
		} else if size, ok := strings.CutPrefix(line, "Rss:"); ok {
			kilobytes, err := strconv.Atoi(strings.Fields(size)[0])
			require.NoError(t, err)
			*sum += kilobytes << 10
		}
	}
	u.Memory, u.Files, u.Go, u.Other = (bytes.files+bytes.heap+bytes.other)>>20, bytes.files>>20, bytes.heap>>20, bytes.other>>20
	count := func(pattern string) int {
		found, _ := filepath.Glob(filepath.Join(proc, pattern)) // the patterns are well formed
		return len(found)
	}
	u.Threads, u.Handles = count("task/*"), count("fd/*")
	lists, _ := filepath.Glob(filepath.Join(proc, "task", "*", "children"))
	for _, list := range lists {
		raw, _ := os.ReadFile(list) // the thread may have ended
		u.Children += len(strings.Fields(string(raw)))
	}
	return u
}

// Names are the names of the Numbers of a Usage.
var Names = []string{"memory MB", "files", "Go", "other", "threads", "handles", "children"}

// Numbers returns the values in the order of Names.
func (u Usage) Numbers() []int {
	return []int{u.Memory, u.Files, u.Go, u.Other, u.Threads, u.Handles, u.Children}
}

// Fifths prints, and returns, the medians of each number in each fifth of the samples, between what was there before and after them.
func Fifths(t testing.TB, names []string, before []int, samples [][]int, after []int) (medians [5][]int) {
	t.Helper()
	fifth := len(samples) / 5
	require.NotZero(t, fifth, "too few samples")
	t.Logf("%-16s %8s %8s %8s %8s %8s %8s %8s", "", "idle", "1st", "2nd", "3rd", "4th", "5th", "idle")
	for i, name := range names {
		line := fmt.Sprintf("%-16s %8d", name, before[i])
		for part := range medians {
			var values []int
			for _, s := range samples[part*fifth : (part+1)*fifth] {
				values = append(values, s[i])
			}
			slices.Sort(values)
			medians[part] = append(medians[part], values[fifth/2])
			line += fmt.Sprintf(" %8d", values[fifth/2])
		}
		t.Logf("%s %8d", line, after[i])
	}
	return medians
}
