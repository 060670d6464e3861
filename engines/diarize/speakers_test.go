package diarize

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

func kitCaseNamed(t testing.TB, id string) kitCase {
	t.Helper()
	for _, c := range loadKit(t).Cases {
		if c.ID == id {
			return c
		}
	}
	t.Fatalf("the kit has no case %s", id)
	return kitCase{}
}

func scanOf(t testing.TB, id string) *scan {
	t.Helper()
	c := kitCaseNamed(t, id)
	s, err := c.open(t, newRuntime(t)).scan(t.Context(), c.sound(t), c.Ratio, 0, nil)
	require.NoError(t, err)
	return s
}

// speakersOf is scan.speakers.
func speakersOf(t testing.TB, s *scan, o engines.DiarizeOptions) engines.Speakers {
	t.Helper()
	found, err := s.speakers(t.Context(), o)
	require.NoError(t, err)
	return found
}

// Every turn that was spoken is found, with its speaker, also where two speak at once.
func TestSpeakersOfTones(t *testing.T) {
	found := speakersOf(t, scanOf(t, "toy60"), engines.DiarizeOptions{})
	k := loadKit(t)
	require.Len(t, found.Turns, len(k.Turns))
	var names []string
	for i, want := range k.Turns {
		got := found.Turns[i]
		require.InDelta(t, want.Start, got.Start, 0.05)
		require.InDelta(t, want.End, got.End, 0.05)
		if got.Speaker == len(names) {
			names = append(names, want.Speaker)
		}
		require.Equal(t, want.Speaker, names[got.Speaker], "turn %d", i)
	}
	require.Len(t, found.Prints, 4)
	for i, x := range found.Prints {
		for j, y := range found.Prints {
			if i != j {
				require.Less(t, dot(x, y), float32(0.5), "speakers %d and %d", i, j)
			}
		}
	}
}

func TestNumberOfSpeakers(t *testing.T) {
	tones := scanOf(t, "toy60")
	for count := 2; count <= 4; count++ {
		found := speakersOf(t, tones, engines.DiarizeOptions{Count: count})
		require.Len(t, found.Prints, count)
		require.False(t, found.Fewer)
		require.False(t, found.Uncounted)
	}
	require.Len(t, speakersOf(t, tones, engines.DiarizeOptions{Max: 3}).Prints, 3)
	require.Len(t, speakersOf(t, tones, engines.DiarizeOptions{Max: 9}).Prints, 4)

	many := speakersOf(t, tones, engines.DiarizeOptions{Count: 1000})
	require.True(t, many.Fewer, "The sound has no thousand voices.")
	require.Greater(t, len(many.Prints), 4)

	one := speakersOf(t, scanOf(t, "toy_one"), engines.DiarizeOptions{Count: 3})
	require.True(t, one.Fewer)

	short := speakersOf(t, scanOf(t, "toy_short"), engines.DiarizeOptions{Count: 1})
	require.True(t, short.Uncounted)
	require.Len(t, short.Turns, 2)
	for limit, uncounted := range []bool{0: false, 1: true, 2: false, 20: false} {
		found := speakersOf(t, scanOf(t, "toy_short"), engines.DiarizeOptions{Max: limit})
		require.Equal(t, uncounted, found.Uncounted, "at most %d: two speak in a sound that is too short to limit them", limit)
	}
}

func TestSilenceHasNoSpeakers(t *testing.T) {
	for _, id := range []string{"toy_silence", "toy_quiet"} {
		found := speakersOf(t, scanOf(t, id), engines.DiarizeOptions{Count: 2})
		require.Empty(t, found.Turns)
		require.Empty(t, found.Prints)
	}
}

func TestTurnsEndWithTheSound(t *testing.T) {
	for _, id := range []string{"rand1_short", "toy_plus1", "padding", "rand1_1"} {
		s := scanOf(t, id)
		for _, turn := range speakersOf(t, s, engines.DiarizeOptions{}).Turns {
			require.Less(t, turn.Start, turn.End)
			require.LessOrEqual(t, turn.End, float64(s.samples)/Rate)
		}
	}
}

// runs returns the activity of frames.
func runs(frames ...locals) (out activity) {
	for _, who := range frames {
		out = out.with(who)
	}
	return out
}

// Who speaks for 2 of 200 seconds is given to the most similar speaker, unless a number is named.
func TestSmallSpeakersAreGivenToOthers(t *testing.T) {
	s := &scan{shape: shape{window: 160000, field: 991, step: 270, locals: 3, together: 2}, shift: 160000, samples: 20 * 160000}
	add := func(vector ...float32) {
		frames := make([]locals, 589)
		for i := range frames {
			if len(vector) == 2 || i < 118 { // a third number: only 2 seconds
				frames[i] = 1
			}
		}
		s.voices = append(s.voices, voice{window: len(s.windows), vector: unit(vector[:2])})
		s.windows = append(s.windows, runs(frames...))
	}
	for range 10 {
		add(1, 0)
		add(-1, 0)
	}
	s.windows, s.voices = s.windows[:19], s.voices[:19]
	add(0.4, 0.9, 0)
	found := speakersOf(t, s, engines.DiarizeOptions{})
	require.Len(t, found.Prints, 2)
	require.Equal(t, 0, found.Turns[len(found.Turns)-1].Speaker)
	require.Len(t, speakersOf(t, s, engines.DiarizeOptions{Count: 3}).Prints, 3)
}

// Forty people who speak for 4 seconds each are no noise: as many as may be found are found, also beside one who speaks longer.
func TestFortySpeakers(t *testing.T) {
	const people = 40
	s := &scan{shape: shape{window: 160000, field: 991, step: 270, locals: 3, together: 2}, shift: 160000, samples: people * 160000}
	for i := range people {
		vector := make([]float32, people)
		vector[i] = 1
		frames := make([]locals, 589)
		for f := range 237 {
			frames[f] = 1
		}
		s.voices = append(s.voices, voice{window: i, vector: vector})
		s.windows = append(s.windows, runs(frames...))
	}
	for _, c := range []struct {
		options engines.DiarizeOptions
		want    int
	}{
		{engines.DiarizeOptions{}, people},
		{engines.DiarizeOptions{Max: 20}, 20},
		{engines.DiarizeOptions{Max: 60}, people},
		{engines.DiarizeOptions{Count: people}, people},
		{engines.DiarizeOptions{Count: 7}, 7},
	} {
		require.Len(t, speakersOf(t, s, c.options).Prints, c.want, "%+v", c.options)
	}
	s.windows[0] = activity{{end: 589, who: 1}} // the first speaks for ten seconds
	require.Len(t, speakersOf(t, s, engines.DiarizeOptions{}).Prints, people)
}

// Three hours: windows of tones that repeat each minute get the labels of one minute, though they are clustered in stretches. A number
// that is not that of the speakers may join others then, as sums are compared and not single voices.
func TestHoursAreLabelledAsMinutes(t *testing.T) {
	c := kitCaseNamed(t, "toy60")
	minute := c.sound(t)
	sound := slices.Concat(minute, minute, minute[:Rate*10])
	s, err := c.open(t, newRuntime(t)).scan(t.Context(), sound, c.Ratio, 0, nil)
	require.NoError(t, err)
	var once []voice // the voices of the windows that begin in the first minute
	for _, v := range s.voices {
		if v.window < 60 {
			once = append(once, v)
		}
	}
	const minutes = 180
	for _, count := range []int{0, 4} {
		short := &scan{shape: s.shape, shift: s.shift, samples: len(minute), voices: once}
		want, err := short.cluster(t.Context(), threshold, count)
		require.NoError(t, err)
		long := &scan{shape: s.shape, shift: s.shift, samples: minutes * len(minute)}
		for m := range minutes {
			for _, v := range once {
				v.window += m * 60
				long.voices = append(long.voices, v)
			}
		}
		require.Greater(t, len(long.voices), 5*exactVoices)
		got, err := long.cluster(t.Context(), threshold, count)
		require.NoError(t, err)
		for i, label := range got {
			require.Equal(t, want[i%len(want)], label, "%d speakers, voice %d", count, i)
		}
		n := slices.Max(want) + 1
		for i, print := range short.prints(want, n) {
			require.InDeltaSlice(t, print, long.prints(got, n)[i], 1e-4)
		}
	}
}

// While hours are heard, stretches become groups, and the answer is that of all their voices at once.
func TestVoicesBecomeGroupsWhileSoundIsHeard(t *testing.T) {
	files := cheapShape(t)
	e, err := NewDriver(newRuntime(t)).Open(t.Context(), files, engines.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, e.Close()) }()
	s, err := e.(*Engine).scan(t.Context(), newTerseTalk(60*60*Rate), 0.1, 0, nil)
	require.NoError(t, err)
	require.Greater(t, len(s.voices), exactVoices)
	require.Len(t, s.groups.of, len(s.voices))
	for i, v := range s.voices {
		require.Nil(t, v.vector)
		require.Less(t, s.groups.of[i], len(s.groups.sums))
	}
	labels, n, err := s.label(t.Context(), threshold, 0)
	require.NoError(t, err)
	require.Len(t, labels, len(s.voices))
	require.Len(t, s.prints(labels, n), n)
}

// manyVoices returns the voices of so many stretches of a sound.
func manyVoices(rows [][]float32, stretches int) *scan {
	s := &scan{shape: shape{locals: 3}, shift: Rate, samples: stretches*stretchSeconds*Rate - 1}
	for i, row := range rows {
		s.voices = append(s.voices, voice{window: i * stretches * stretchSeconds / len(rows), vector: row})
	}
	return s
}

// Voices of which none is like another are clustered, too: their number does not grow beyond what can be compared.
func TestThousandsOfUnlikeVoices(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	rows := make([][]float32, exactVoices+100)
	for i := range rows {
		row := make([]float32, 16)
		for j := range row {
			row[j] = float32(random.NormFloat64())
		}
		rows[i] = unit(row)
	}
	s := manyVoices(rows, 3)
	labels, err := s.cluster(t.Context(), 1e-6, 7)
	require.NoError(t, err)
	require.Equal(t, 6, slices.Max(labels))
	require.Len(t, s.groups.sums, exactVoices/3*3)
}

// Each look at the context ends the work with voices, so that a search for the speakers of hours can be cancelled.
func TestCancelledWhileVoicesAreCompared(t *testing.T) {
	s := scanOf(t, "toy60")
	rows := slices.Repeat([][]float32{{1, 0}, {0, 1}}, exactVoices/2+1)
	for _, work := range []struct {
		name string
		do   func(ctx context.Context) error
	}{
		{"found", func(ctx context.Context) error { _, err := s.speakers(ctx, engines.DiarizeOptions{Max: 2}); return err }},
		{"counted", func(ctx context.Context) error {
			_, err := s.speakers(ctx, engines.DiarizeOptions{Count: 3})
			return err
		}},
		{"in stretches", func(ctx context.Context) error {
			_, err := manyVoices(rows, 3).cluster(ctx, threshold, 0)
			return err
		}},
	} {
		t.Run(work.name, func(t *testing.T) {
			all := &countdown{Context: t.Context(), left: math.MaxInt}
			require.NoError(t, work.do(all))
			looks := math.MaxInt - all.left
			require.Greater(t, looks, len(s.voices))
			for _, left := range []int{0, 1, looks / 2, looks - 1} {
				require.ErrorIs(t, work.do(&countdown{Context: t.Context(), left: left}), backend.ErrCancelled, "after %d of %d looks", left, looks)
			}
		})
	}
}

// countdown is a context that ends when it was looked at.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// Of two voices with equal votes the result does not depend on how many others there are.
func TestMostVotes(t *testing.T) {
	for _, c := range []struct {
		votes []int
		count int
		want  []int
	}{
		{nil, 1, nil},
		{[]int{0, 0}, 2, nil},
		{[]int{0, 3, 1}, 0, nil},
		{[]int{0, 3, 1}, 1, []int{1}},
		{[]int{0, 3, 1}, 2, []int{1, 2}},
		{[]int{0, 3, 0}, 2, []int{1}},
		{[]int{5}, 2, []int{0}},
		{[]int{2, 2, 2}, 1, []int{0}},
		{[]int{1, 2, 2, 3}, 2, []int{3, 2}},
	} {
		require.Equal(t, c.want, append([]int(nil), topVoted(nil, c.votes, c.count)...), fmt.Sprint(c.votes, c.count))
	}
}

func TestUnitOfZeros(t *testing.T) {
	require.Equal(t, []float32{0, 0}, unit([]float32{0, 0}))
	require.InDelta(t, 1, math.Hypot(float64(unit([]float32{3, 4})[0]), float64(unit([]float32{3, 4})[1])), 1e-6)
}
