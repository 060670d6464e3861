//go:build soak && whisper && linux

package app_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// sample is what the program has at a moment. Memory is in MB.
type sample struct{ rss, heap, goroutines, threads, handles, children, files int }

// fields are the columns of the table.
func (s sample) fields() []int {
	return []int{s.rss, s.heap, s.goroutines, s.threads, s.handles, s.children, s.files}
}

var sampleNames = []string{"RSS MB", "heap MB", "goroutines", "threads", "handles", "children", "unfinished files"}

// tracing has the runtime print its heap at each collection, and its goroutines every second: the program itself need not count them.
const tracing = "GODEBUG=gctrace=1,schedtrace=1000,scheddetail=1"

var (
	tracedHeap      = regexp.MustCompile(`->(\d+) MB, `)
	tracedGoroutine = regexp.MustCompile(`(?m)^  G\d+: status=(\d+)`)
)

const deadGoroutine = "6" // which the runtime keeps for the next one

// last returns the last n bytes of the output.
func (l *lines) last(n int) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := l.text.Bytes()
	return string(text[max(0, len(text)-n):])
}

// sample returns what the program has now.
func (m *mixed) sample() (s sample) {
	m.t.Helper()
	proc := fmt.Sprintf("/proc/%d", m.server.cmd.Process.Pid)
	status, err := os.ReadFile(filepath.Join(proc, "status"))
	require.NoError(m.t, err)
	number := func(name string) int {
		found := regexp.MustCompile(name + `:\s+(\d+)`).FindSubmatch(status)
		require.NotNil(m.t, found)
		n, err := strconv.Atoi(string(found[1]))
		require.NoError(m.t, err)
		return n
	}
	s.rss, s.threads = number("VmRSS")>>10, number("Threads")
	count := func(pattern string) int {
		found, _ := filepath.Glob(pattern) // the patterns are well formed
		return len(found)
	}
	s.handles = count(filepath.Join(proc, "fd", "*"))
	lists, _ := filepath.Glob(filepath.Join(proc, "task", "*", "children"))
	for _, list := range lists {
		raw, _ := os.ReadFile(list) // the thread may have ended
		s.children += len(strings.Fields(string(raw)))
	}
	s.files = count(filepath.Join(m.temp, "*")) + count(filepath.Join(m.data, "*", "unfinished", "*"))
	trace := m.server.err.last(1 << 18)
	if all := tracedHeap.FindAllStringSubmatch(trace, -1); len(all) > 0 {
		s.heap, _ = strconv.Atoi(all[len(all)-1][1]) // digits
	}
	parts := strings.Split(trace, "\nSCHED ") // the last may not be complete
	for _, g := range tracedGoroutine.FindAllStringSubmatch(parts[max(len(parts)-2, 0)], -1) {
		if g[1] != deadGoroutine {
			s.goroutines++
		}
	}
	return s
}

// idle waits until no work runs and returns what the program then has at least.
func (m *mixed) idle() sample {
	m.t.Helper()
	m.settled()
	least := m.sample()
	for range 20 { // connections that wait for the next request are closed, and the runtime prints once a second
		time.Sleep(time.Second)
		now := m.sample()
		least.goroutines, least.handles = min(least.goroutines, now.goroutines), min(least.handles, now.handles)
		least.children, least.files = min(least.children, now.children), min(least.files, now.files)
	}
	return least
}

// soak does a share of a busy user's two hours, three things at a time, in random order, and returns a sample of every other second.
func (m *mixed) soak(random *rand.Rand, percent int) (samples []sample) {
	m.t.Helper()
	var pieces []*worker
	for _, w := range m.workers {
		for range max(1, w.kind.times*percent/100) {
			pieces = append(pieces, w)
		}
	}
	random.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
	next := make(chan *worker)
	busy := map[*worker]*sync.Mutex{}
	for _, w := range m.workers {
		busy[w] = &sync.Mutex{}
	}
	failures := make(chan error, len(pieces))
	var people sync.WaitGroup
	for range 3 {
		people.Go(func() {
			for w := range next {
				busy[w].Lock()
				if err := w.kind.work(w); err != nil {
					failures <- fmt.Errorf("%s: %w", w.kind.name, err)
				}
				w.done++
				busy[w].Unlock()
			}
		})
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for _, w := range pieces {
			next <- w
		}
		close(next)
		people.Wait()
	}()
	for tick := time.NewTicker(2 * time.Second); ; {
		select {
		case <-ended:
			tick.Stop()
			close(failures)
			for err := range failures {
				require.NoError(m.t, err)
			}
			return samples
		case <-tick.C:
			samples = append(samples, m.sample())
		}
	}
}

// wholePercent is the share of the work of which each fifth has something of every kind, so that their memory can be compared.
const wholePercent = 50

// medians returns the median of each field.
func medians(samples []sample) (out []int) {
	for i := range sampleNames {
		var values []int
		for _, s := range samples {
			values = append(values, s.fields()[i])
		}
		slices.Sort(values)
		out = append(out, values[len(values)/2])
	}
	return out
}

// TestSoakMixed does two hours of a busy user's work and prints what the program has meanwhile: memory, goroutines and handles stay.
// VOICEWRIGHT_SOAK_PERCENT is how much of it, VOICEWRIGHT_SEED repeats a run.
func TestSoakMixed(t *testing.T) {
	percent, err := strconv.Atoi(cmp.Or(os.Getenv("VOICEWRIGHT_SOAK_PERCENT"), "100"))
	require.NoError(t, err)
	seed := mixedSeed(t)
	t.Logf("seed %d", seed)
	m, random := newMixed(t, seed, tracing), rand.New(rand.NewPCG(seed, 37))
	m.soak(random, 0) // everything once, so that models are loaded
	for _, w := range m.workers {
		w.done = 0
	}
	before := m.idle()
	begun := time.Now()
	samples := m.soak(random, percent)
	length := time.Since(begun)
	after := m.idle()

	var work []string
	for _, w := range m.workers {
		work = append(work, fmt.Sprintf("%d %s", w.done, w.kind.name))
	}
	t.Logf("%s in %s", strings.Join(work, ", "), length.Round(time.Second))
	t.Logf("%-16s %8s %8s %8s %8s %8s %8s %8s", "", "idle", "1st", "2nd", "3rd", "4th", "5th", "idle")
	fifth := len(samples) / 5
	require.NotZero(t, fifth)
	var table [5][]int
	for i := range table {
		table[i] = medians(samples[i*fifth : (i+1)*fifth])
	}
	for i, name := range sampleNames {
		t.Logf("%-16s %8d %8d %8d %8d %8d %8d %8d", name, before.fields()[i], table[0][i], table[1][i], table[2][i], table[3][i], table[4][i],
			after.fields()[i])
	}
	if percent >= wholePercent {
		require.LessOrEqual(t, table[4][0], max(table[1][0]*11/10, table[1][0]+20), "memory grows")
		require.LessOrEqual(t, table[4][1], max(table[1][1]*11/10, table[1][1]+20), "the heap grows")
	}
	require.LessOrEqual(t, after.goroutines, before.goroutines+2, "goroutines stay")
	// Up to six processes of espeak-ng stay, one for each accent that was needed, with three pipes and a handle each.
	require.LessOrEqual(t, after.children, 6, "children stay")
	require.LessOrEqual(t, after.handles, before.handles+2+4*max(0, after.children-before.children), "handles stay")
	require.Zero(t, after.files)
	for _, w := range m.workers {
		require.Empty(t, w.check())
	}
	m.whole()
	require.Empty(t, m.leftover())
}
