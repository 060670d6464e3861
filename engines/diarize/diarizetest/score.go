package diarizetest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Turn is a stretch in which somebody speaks, in seconds.
type Turn struct {
	Start, End float64
	Speaker    string
}

// Truth returns who speaks when in Tones.
func Truth(t testing.TB) []Turn {
	t.Helper()
	raw, err := os.ReadFile(Kit(t, "cases.json"))
	require.NoError(t, err)
	var k struct{ Turns []Turn }
	require.NoError(t, json.Unmarshal(raw, &k))
	require.Len(t, k.Turns, 18)
	return k.Turns
}

// RTTM reads turns as they are exported.
func RTTM(t testing.TB, text string) []Turn {
	t.Helper()
	var turns []Turn
	for line := range strings.Lines(text) {
		var turn Turn
		var name string
		var length float64
		_, err := fmt.Sscanf(line, "SPEAKER %s 1 %f %f <NA> <NA> %s <NA> <NA>", &name, &turn.Start, &length, &turn.Speaker)
		require.NoError(t, err, line)
		turn.End = turn.Start + length
		turns = append(turns, turn)
	}
	return turns
}

// Errors are the errors of speakers that were found, in seconds, as md-eval-22.pl of NIST's Rich Transcription evaluations counts
// them, without a collar: where two speak at once each of them counts.
type Errors struct {
	Spoken   float64 // by all speakers
	Missed   float64 // somebody speaks, and nobody was found
	False    float64 // nobody speaks, and somebody was found
	Confused float64 // another one was found
}

// Rate returns the diarization error rate: the errors as a share of what is spoken.
func (e Errors) Rate() float64 { return (e.Missed + e.False + e.Confused) / e.Spoken }

// String returns the figures in percent.
func (e Errors) String() string {
	percent := func(v float64) float64 { return 100 * v / e.Spoken }
	return fmt.Sprintf("error rate %.1f %% of %.1f s: missed %.1f %%, false %.1f %%, confused %.1f %%",
		100*e.Rate(), e.Spoken, percent(e.Missed), percent(e.False), percent(e.Confused))
}

// Score compares the speakers that were found with the true ones. Their names may differ: each stands for the true speaker, at most
// one for each, so that they have most time in common.
func Score(truth, found []Turn) Errors {
	spans := split(truth, found)
	names, others := speakers(truth), speakers(found)
	common := make([][]float64, len(names))
	for i, name := range names {
		common[i] = make([]float64, len(others))
		for j, other := range others {
			for _, s := range spans {
				if s.truth[name] && s.found[other] {
					common[i][j] += s.length
				}
			}
		}
	}
	of := assign(common)
	var e Errors
	for _, s := range spans {
		right := 0
		for i, name := range names {
			if j := of[i]; j >= 0 && s.truth[name] && s.found[others[j]] {
				right++
			}
		}
		speak, heard := len(s.truth), len(s.found)
		e.Spoken += float64(speak) * s.length
		e.Missed += float64(max(0, speak-heard)) * s.length
		e.False += float64(max(0, heard-speak)) * s.length
		e.Confused += float64(min(speak, heard)-right) * s.length
	}
	return e
}

// span is a stretch in which nobody begins or ends to speak.
type span struct {
	length       float64
	truth, found map[string]bool
}

func split(truth, found []Turn) []span {
	var at []float64
	for _, t := range slices.Concat(truth, found) {
		at = append(at, t.Start, t.End)
	}
	slices.Sort(at)
	at = slices.Compact(at)
	var spans []span
	for i := range max(len(at)-1, 0) {
		who := func(turns []Turn) map[string]bool {
			names := map[string]bool{}
			for _, t := range turns {
				if t.Start <= at[i] && at[i+1] <= t.End {
					names[t.Speaker] = true
				}
			}
			return names
		}
		spans = append(spans, span{at[i+1] - at[i], who(truth), who(found)})
	}
	return spans
}

func speakers(turns []Turn) []string {
	var names []string
	for _, t := range turns {
		names = append(names, t.Speaker)
	}
	slices.SortFunc(names, cmp.Compare)
	return slices.Compact(names)
}

// assign returns the column of each row, -1 for none, so that the sum of what they have is the largest.
func assign(gain [][]float64) []int {
	a := &assignment{gain: gain, columns: len(gain)}
	if len(gain) > 0 {
		a.columns = max(len(gain), len(gain[0]))
	}
	a.u, a.v, a.match = make([]float64, len(gain)+1), make([]float64, a.columns+1), make([]int, a.columns+1)
	for row := range gain {
		a.add(row + 1)
	}
	of := slices.Repeat([]int{-1}, len(gain))
	for j, row := range a.match {
		if j > 0 && row > 0 && j <= len(gain[row-1]) {
			of[row-1] = j - 1
		}
	}
	return of
}

// assignment is the Hungarian method with potentials. Rows and columns count from 1, and 0 is none.
type assignment struct {
	gain    [][]float64
	columns int
	u, v    []float64
	match   []int // the row of each column
}

func (a *assignment) cost(i, j int) float64 {
	if j <= len(a.gain[i-1]) {
		return -a.gain[i-1][j-1]
	}
	return 0
}

// add matches a row with a column along the shortest path to a free one.
func (a *assignment) add(row int) {
	from, used := make([]int, a.columns+1), make([]bool, a.columns+1)
	least := slices.Repeat([]float64{math.Inf(1)}, a.columns+1)
	a.match[0] = row
	j := 0
	for a.match[j] != 0 {
		used[j] = true
		next := 0
		for k := 1; k <= a.columns; k++ {
			if used[k] {
				continue
			}
			if reduced := a.cost(a.match[j], k) - a.u[a.match[j]] - a.v[k]; reduced < least[k] {
				least[k], from[k] = reduced, j
			}
			if next == 0 || least[k] < least[next] {
				next = k
			}
		}
		delta := least[next]
		for k := range used {
			if used[k] {
				a.u[a.match[k]] += delta
				a.v[k] -= delta
			} else {
				least[k] -= delta
			}
		}
		j = next
	}
	for ; j != 0; j = from[j] {
		a.match[j] = a.match[from[j]]
	}
}
