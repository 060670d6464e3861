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

	"github.com/voicewright/voicewright/app/programtest"
)

// sample is what the program has at a moment. The heap is what the last collection left, in MB.
type sample struct {
	programtest.Usage
	heap, goroutines, unfinished int
}

// numbers are the columns of the table.
func (s sample) numbers() []int { return append(s.Numbers(), s.heap, s.goroutines, s.unfinished) }

var sampleNames = append(slices.Clip(programtest.Names), "heap MB", "goroutines", "unfinished files")

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
	s.Usage = programtest.UsageOf(m.t, m.server.cmd.Process.Pid)
	handles, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", m.server.cmd.Process.Pid)) // the pattern is well formed
	for _, handle := range handles {
		// Connections to the database are opened as they are needed, up to five, and stay.
		if file, _ := os.Readlink(handle); strings.HasPrefix(file, filepath.Join(m.data, "voicewright.db")) {
			s.Handles--
		}
	}
	for _, pattern := range []string{filepath.Join(m.temp, "*"), filepath.Join(m.data, "*", "unfinished", "*")} {
		found, _ := filepath.Glob(pattern) // the patterns are well formed
		s.unfinished += len(found)
	}
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
	for _, w := range m.workers {
		if w.kind.name == "load" {
			require.NoError(m.t, w.kind.work(w)) // what C's library keeps of freed memory goes back to the system with each model
		}
	}
	least := m.sample()
	for range 100 { // connections without requests are closed after 90 seconds at most, and the runtime prints once a second
		time.Sleep(time.Second)
		now := m.sample()
		least.Memory, least.Go, least.Other = min(least.Memory, now.Memory), min(least.Go, now.Go), min(least.Other, now.Other)
		least.goroutines, least.Handles = min(least.goroutines, now.goroutines), min(least.Handles, now.Handles)
		least.Children, least.unfinished = min(least.Children, now.Children), min(least.unfinished, now.unfinished)
	}
	return least
}

// soak does a share of a busy user's two hours, three things at a time, in random order, and returns a sample of every other second.
func (m *mixed) soak(random *rand.Rand, percent int) (samples [][]int) {
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
			samples = append(samples, m.sample().numbers())
		}
	}
}

// otherGrowth is how much memory outside Go's heap may stay, in MB: the caches of five connections to the database fill to 2 MB each.
const otherGrowth = 20

// wholePercent is the share of the work of which each fifth has something of every kind, so that their memory can be compared.
const wholePercent = 50

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
	table := programtest.Fifths(t, sampleNames, before.numbers(), samples, after.numbers())
	if percent >= wholePercent {
		for _, name := range []string{"memory MB", "heap MB"} {
			i := slices.Index(sampleNames, name)
			require.LessOrEqual(t, table[4][i], max(table[1][i]*11/10, table[1][i]+20), "grows: "+name)
		}
		require.LessOrEqual(t, after.Other, before.Other+otherGrowth, "memory outside Go's heap grows")
	}
	require.LessOrEqual(t, after.goroutines, before.goroutines+2, "goroutines stay")
	// Up to six processes of espeak-ng stay, one for each accent that was needed, with three pipes and a handle each.
	require.LessOrEqual(t, after.Children, 6, "children stay")
	require.LessOrEqual(t, after.Handles, before.Handles+2+4*max(0, after.Children-before.Children), "handles stay")
	require.Zero(t, after.unfinished)
	for _, w := range m.workers {
		require.Empty(t, w.check())
	}
	m.whole()
	require.Empty(t, m.leftover())
}
