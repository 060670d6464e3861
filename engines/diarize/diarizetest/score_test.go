package diarizetest_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/diarize/diarizetest"
)

// turns returns those of a list of speaker, start and end.
func turns(list ...any) []diarizetest.Turn {
	var out []diarizetest.Turn
	for i := 0; i < len(list); i += 3 {
		out = append(out, diarizetest.Turn{
			Speaker: list[i].(string), Start: float64(list[i+1].(int)), End: float64(list[i+2].(int)),
		})
	}
	return out
}

// The cases are computed by hand, by the rules of NIST's evaluation.
func TestScore(t *testing.T) {
	t.Parallel()
	two := turns("A", 0, 10, "B", 10, 20)
	overlapping := turns("A", 0, 10, "B", 5, 15)
	for name, c := range map[string]struct {
		truth, found []diarizetest.Turn
		want         diarizetest.Errors
	}{
		"other names":            {two, turns("1", 0, 10, "2", 10, 20), diarizetest.Errors{Spoken: 20}},
		"names the other way":    {two, turns("B", 0, 10, "A", 10, 20), diarizetest.Errors{Spoken: 20}},
		"in pieces":              {two, turns("1", 0, 4, "1", 4, 10, "2", 10, 20), diarizetest.Errors{Spoken: 20}},
		"nobody found":           {two, nil, diarizetest.Errors{Spoken: 20, Missed: 20}},
		"nobody speaks":          {nil, two, diarizetest.Errors{False: 20}},
		"too late":               {two, turns("1", 2, 10, "2", 10, 20), diarizetest.Errors{Spoken: 20, Missed: 2}},
		"too long":               {two, turns("1", 0, 10, "2", 10, 23), diarizetest.Errors{Spoken: 20, False: 3}},
		"two taken for one":      {two, turns("1", 0, 20), diarizetest.Errors{Spoken: 20, Confused: 10}},
		"one taken for two":      {two, turns("1", 0, 6, "3", 6, 10, "2", 10, 20), diarizetest.Errors{Spoken: 20, Confused: 4}},
		"change too late":        {two, turns("1", 0, 12, "2", 12, 20), diarizetest.Errors{Spoken: 20, Confused: 2}},
		"both":                   {overlapping, turns("1", 0, 10, "2", 5, 15), diarizetest.Errors{Spoken: 20}},
		"one of two":             {overlapping, turns("1", 0, 10, "2", 10, 15), diarizetest.Errors{Spoken: 20, Missed: 5}},
		"one for all":            {overlapping, turns("1", 0, 15), diarizetest.Errors{Spoken: 20, Missed: 5, Confused: 5}},
		"two where one speaks":   {turns("A", 0, 10), turns("1", 0, 10, "2", 4, 6), diarizetest.Errors{Spoken: 10, False: 2}},
		"one speaks over itself": {turns("A", 0, 10), turns("1", 0, 8, "1", 4, 10), diarizetest.Errors{Spoken: 10}},
		"the best mapping is not that of the longest": {
			turns("A", 0, 9, "B", 9, 13), turns("1", 0, 5, "1", 9, 13, "2", 5, 9), diarizetest.Errors{Spoken: 13, Confused: 5},
		},
		"all three": {two, turns("1", 1, 12, "2", 12, 22), diarizetest.Errors{Spoken: 20, Missed: 1, False: 2, Confused: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, diarizetest.Score(c.truth, c.found))
		})
	}
	e := diarizetest.Score(two, turns("1", 1, 12, "2", 12, 22))
	require.InDelta(t, 0.25, e.Rate(), 1e-9)
	require.Equal(t, "error rate 25.0 % of 20.0 s: missed 5.0 %, false 10.0 %, confused 10.0 %", e.String())
}

// Of a few speakers no other mapping has fewer errors.
func TestScoreHasTheBestMapping(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	some := func(names string) (out []diarizetest.Turn) {
		for range 12 {
			start := random.IntN(100)
			out = append(out, turns(string(names[random.IntN(len(names))]), start, start+1+random.IntN(20))...)
		}
		return out
	}
	for range 50 {
		truth, found := some("ABCD"[:1+random.IntN(4)]), some("abcd"[:1+random.IntN(4)])
		best := diarizetest.Score(truth, found)
		for _, names := range permutations("ABCDEFG", 4) {
			renamed := slices.Clone(found)
			for i := range renamed {
				renamed[i].Speaker = string(names[renamed[i].Speaker[0]-'a'])
			}
			require.LessOrEqual(t, best.Confused, confused(truth, renamed)+1e-9)
		}
	}
}

// confused returns the seconds in which others were found, where equal names mean the same speaker.
func confused(truth, found []diarizetest.Turn) (seconds float64) {
	at := func(turns []diarizetest.Turn, now float64) map[string]bool {
		who := map[string]bool{}
		for _, turn := range turns {
			if turn.Start <= now && now < turn.End {
				who[turn.Speaker] = true
			}
		}
		return who
	}
	for now := 0.5; now < 130; now++ {
		speak, heard, right := at(truth, now), at(found, now), 0
		for name := range speak {
			if heard[name] {
				right++
			}
		}
		seconds += float64(min(len(speak), len(heard)) - right)
	}
	return seconds
}

// permutations returns the ways to choose n letters in an order.
func permutations(letters string, n int) []string {
	if n == 0 {
		return []string{""}
	}
	var out []string
	for i := range letters {
		for _, tail := range permutations(letters[:i]+letters[i+1:], n-1) {
			out = append(out, letters[i:i+1]+tail)
		}
	}
	return out
}

func TestRTTM(t *testing.T) {
	t.Parallel()
	require.Equal(t, []diarizetest.Turn{{Start: 0.5, End: 4, Speaker: "Anna_B"}, {Start: 4.25, End: 5, Speaker: "C"}},
		diarizetest.RTTM(t, "SPEAKER talk 1 0.500 3.500 <NA> <NA> Anna_B <NA> <NA>\nSPEAKER talk 1 4.250 0.750 <NA> <NA> C <NA> <NA>\n"))
}
