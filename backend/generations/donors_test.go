package generations_test

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
)

// rounding is how far a sample that was copied may be from one that was spoken: it was rounded to 16 bits twice, and measured anew.
const rounding = 2.0 / (1 << 15)

// given returns a request with donors.
func given(l *studiotest.Lab, text string, donors ...backend.Generation) generations.Request {
	r := l.Request(text)
	for _, g := range donors {
		r.Donors = append(r.Donors, g.ID)
	}
	return r
}

// madeOf generates with donors, and returns how many chunks are copied and spoken.
func madeOf(l *studiotest.Lab, r generations.Request) (g backend.Generation, copied, spoken int) {
	l.T.Helper()
	g = l.Stored(l.Speak(r).ID)
	for _, c := range g.Receipt.Chunks {
		if c.From != "" {
			copied++
		} else {
			spoken++
		}
	}
	require.Equal(l.T, spoken == len(g.Chunks), g.Receipt.Reproducible)
	return g, copied, spoken
}

// requireSame requires that samples are those of others, times the ratio of the gains of their generations.
func requireSame(t *testing.T, want, got []float32, ratio float64) {
	t.Helper()
	require.Equal(t, len(want), len(got), "samples")
	for i := range want {
		if d := float64(got[i]) - float64(want[i])*ratio; math.Abs(d) > rounding*max(1, ratio) {
			t.Fatalf("sample %d is %g, not %g", i, got[i], float64(want[i])*ratio)
		}
	}
}

// requireCopied requires that the chunks of a generation that were copied sound as the chunks of the same text of their donors.
func requireCopied(t *testing.T, g backend.Generation, donors ...backend.Generation) {
	t.Helper()
	for i, c := range g.Receipt.Chunks {
		if c.From == "" {
			continue
		}
		d := donors[slices.IndexFunc(donors, func(d backend.Generation) bool { return d.ID == c.From })]
		n := slices.IndexFunc(d.Receipt.Chunks, func(old backend.ReceiptChunk) bool { return old.Seed == c.Seed && old.Spoken == c.Spoken })
		require.NotEqual(t, -1, n, "the seed of %q is that of its donor", c.Spoken)
		ratio := audio.FromDB(g.Receipt.GainDB - d.Receipt.GainDB)
		want, got := studiotest.Part(t, d, n), studiotest.Part(t, g, i)
		if len(want) == len(got)+1 { // a sample of silence at the end of a text, which is part of a pause now
			first := 0
			if math.Abs(float64(want[0])) < 0.001 {
				first = 1
			}
			want = want[first : first+len(got)]
		}
		requireSame(t, want, got, ratio)
		require.Len(t, g.Chunks[i].Words, len(d.Chunks[n].Words))
		for k, w := range d.Chunks[n].Words {
			require.InDelta(t, w.Start-d.Chunks[n].Start, g.Chunks[i].Words[k].Start-g.Chunks[i].Start, 0.001)
		}
	}
}

// TestDonorsSoundAsSpoken adds a paragraph to a text, once with the former generation as donor and once without: both files are the
// same, up to the rounding of samples.
func TestDonorsSoundAsSpoken(t *testing.T) {
	engine := studiotest.NewCounting()
	l := studiotest.New(t, engine)
	const more = studiotest.FiveParagraphs + "\n\nA later line."
	seeded := func(r generations.Request) generations.Request {
		r.Seed = new(int64(7))
		return r
	}
	donor := l.Stored(l.Speak(seeded(l.Request(studiotest.FiveParagraphs))).ID)
	calls := engine.Total()
	g, copied, spoken := madeOf(l, seeded(given(l, more, donor)))
	require.Equal(t, []int{5, 1}, []int{copied, spoken})
	require.Equal(t, calls+1, engine.Total(), "only the new paragraph is spoken")
	requireCopied(t, g, donor)
	studiotest.RequireLevel(t, g.AudioPath, 0.1)
	require.Equal(t, studiotest.FileHash(t, g.AudioPath), g.Receipt.AudioSHA256)

	anew := l.Stored(l.Speak(seeded(l.Request(more))).ID)
	require.InDelta(t, anew.Receipt.GainDB, g.Receipt.GainDB, 0.01)
	requireSame(t, studiotest.ReadWAV(t, anew.AudioPath).Samples, studiotest.ReadWAV(t, g.AudioPath).Samples, 1)
	for i, c := range anew.Chunks {
		require.Equal(t, []any{c.Text, c.Start, c.End}, []any{g.Chunks[i].Text, g.Chunks[i].Start, g.Chunks[i].End})
		want, got := anew.Receipt.Chunks[i], g.Receipt.Chunks[i]
		got.From = ""
		require.Equal(t, want, got)
	}
}

// TestDonorsOfMovedText moves, splits and merges texts: nothing is spoken, whatever the passages follow.
func TestDonorsOfMovedText(t *testing.T) {
	engine := studiotest.NewCounting()
	l := studiotest.New(t, engine)
	long := studiotest.Passages(6)
	a, b := l.Stored(l.Speak(l.Request(studiotest.FiveParagraphs)).ID), l.Stored(l.Speak(l.Request(long)).ID)
	paragraphs := strings.Split(strings.TrimSpace(long), "\n\n")
	slices.Reverse(paragraphs)
	calls := engine.Total()
	for name, text := range map[string]string{
		"the same":  studiotest.FiveParagraphs,
		"reversed":  strings.Join(paragraphs, "\n\n"),
		"merged":    studiotest.FiveParagraphs + "\n\n" + long,
		"split":     "And a third one.\n\nThe end.",
		"pauses":    "[pause 1s] # One [pause 2s]\n\nThe end. [pause 1s]",
		"repeated":  "The end.\n\nThe end.\n\nThe end.",
		"marked up": "<p>The <b>second</b> one follows it.</p>",
	} {
		g, _, spoken := madeOf(l, given(l, text, a, b))
		require.Zero(t, spoken, name)
		requireCopied(t, g, a, b)
	}
	require.Equal(t, calls, engine.Total())

	next := l.Stored(l.Speak(given(l, "The end.\n\n# One", a)).ID)
	g, _, spoken := madeOf(l, given(l, "# One\n\nThe end.", next))
	require.Zero(t, spoken, "what was copied can be copied")
	requireCopied(t, g, next)
}

// TestDonorsThatSoundOtherwise requests what no passage of the donor sounds like.
func TestDonorsThatSoundOtherwise(t *testing.T) {
	engine := studiotest.NewCounting()
	l := studiotest.New(t, engine)
	const text = "The first sentence. The second one.\n\nA paragraph by itself."
	donor := l.Stored(l.Speak(l.Request(text)).ID)
	chunks := len(donor.Chunks)
	for name, c := range map[string]struct {
		change func(*generations.Request)
		copied int
	}{
		"equal":        {func(*generations.Request) {}, chunks},
		"sentences":    {func(r *generations.Request) { r.Pauses.Sentence = new(0.8) }, chunks},
		"no pauses":    {func(r *generations.Request) { r.Pauses.Sentence = new(0.0) }, chunks},
		"paragraphs":   {func(r *generations.Request) { r.Pauses.Paragraph = new(2.0) }, chunks},
		"loudness":     {func(r *generations.Request) { r.Normalize = new(false) }, chunks},
		"format":       {func(r *generations.Request) { r.Format = "wav" }, chunks},
		"speed":        {func(r *generations.Request) { r.Speed = new(1.25) }, 0},
		"language":     {func(r *generations.Request) { r.Language = "de" }, 0},
		"voice":        {func(r *generations.Request) { r.Voice = studiotest.Robot + ":0" }, 0},
		"steps":        {func(r *generations.Request) { r.Steps = 5 }, 0},
		"overlapping":  {func(r *generations.Request) { r.CrossfadeMS = new(20) }, 0},
		"other words":  {func(r *generations.Request) { r.Pronunciations = map[string]string{"first": "last"} }, chunks - 1},
		"unknown":      {func(r *generations.Request) { r.Donors = []string{"nobody", donor.ID, donor.ID} }, chunks},
		"no such one":  {func(r *generations.Request) { r.Donors = []string{"nobody"} }, 0},
		"without any":  {func(r *generations.Request) { r.Donors = nil }, 0},
		"longer parts": {func(r *generations.Request) { r.MaxChunkChars = new(5000) }, chunks},
	} {
		t.Run(name, func(t *testing.T) {
			r := given(l, text, donor)
			c.change(&r)
			_, copied, _ := madeOf(l, r)
			require.Equal(t, c.copied, copied)
		})
	}
	l.Models.Revision = "r2"
	g := l.Stored(l.Speak(given(l, text, donor)).ID)
	require.Empty(t, g.Receipt.Chunks[0].From, "the files of the model are others")
}

// TestDonorsOfClones copies from a cloned voice while its samples are the same.
func TestDonorsOfClones(t *testing.T) {
	l, mimic, clones := studiotest.NewWithClones(t)
	donor := l.Stored(l.Speak(l.Request(studiotest.FiveParagraphs)).ID)
	heard := len(mimic.Heard)
	_, copied, _ := madeOf(l, given(l, studiotest.FiveParagraphs, donor))
	require.Equal(t, []int{5, heard}, []int{copied, len(mimic.Heard)})
	clones.Keys[l.Profile.ID] = "ann, again"
	_, copied, _ = madeOf(l, given(l, studiotest.FiveParagraphs, donor))
	require.Zero(t, copied)
}

// TestDonorsTakes copies the take that was chosen, at the level of the new file, from a text that was changed since.
func TestDonorsTakes(t *testing.T) {
	l := studiotest.New(t, studiotest.NewCounting())
	r := l.Request(studiotest.FiveParagraphs)
	r.Normalize = new(false)
	id := l.Speak(r).ID
	_, err := l.Takes.RegenerateChunk(t.Context(), id, 4, new(int64(99)), true)
	require.NoError(t, err)
	_, donor := l.Revised(id, "The end.\n\nSomething else.\n\n# One")
	g, copied, spoken := madeOf(l, given(l, studiotest.FiveParagraphs, donor))
	require.Equal(t, []int{2, 3}, []int{copied, spoken})
	require.EqualValues(t, 99, g.Receipt.Chunks[4].Seed)
	requireCopied(t, g, donor)
	studiotest.RequireLevel(t, g.AudioPath, 0.1)

	again, err := l.Takes.RegenerateChunk(t.Context(), g.ID, 4, new(int64(5)), true)
	require.NoError(t, err)
	require.Empty(t, again.Receipt.Chunks[4].From, "it was spoken")
	require.Equal(t, donor.ID, again.Receipt.Chunks[4].Takes[0].From)
	_, after := l.Revised(g.ID, studiotest.FiveParagraphs+"\n\nMore.")
	require.Equal(t, donor.ID, after.Receipt.Chunks[0].From)
}

// TestDonorsThatAreGone removes donors before and while they are used.
func TestDonorsThatAreGone(t *testing.T) {
	for name, remove := range map[string]func(l *studiotest.Lab, g backend.Generation){
		"deleted": func(l *studiotest.Lab, g backend.Generation) {
			_, err := l.Generations.Archive.Delete(l.T.Context(), []string{g.ID})
			require.NoError(l.T, err)
		},
		"without its file": func(l *studiotest.Lab, g backend.Generation) { require.NoError(l.T, os.Remove(g.AudioPath)) },
		"cut short":        func(l *studiotest.Lab, g backend.Generation) { require.NoError(l.T, os.Truncate(g.AudioPath, 5000)) },
		"no sound": func(l *studiotest.Lab, g backend.Generation) {
			require.NoError(l.T, os.WriteFile(g.AudioPath, []byte("?"), 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := studiotest.New(t, studiotest.NewCounting())
			donor := l.Stored(l.Speak(l.Request(studiotest.FiveParagraphs)).ID)
			remove(l, donor)
			g := l.Stored(l.Speak(given(l, studiotest.FiveParagraphs, donor)).ID)
			require.Len(t, g.Chunks, 5)
			for _, c := range g.Receipt.Chunks {
				require.Empty(t, c.From)
			}
			require.True(t, g.Receipt.Reproducible)
		})
	}
	t.Run("while it is copied", func(t *testing.T) {
		engine := studiotest.NewCounting()
		l := studiotest.New(t, engine)
		donor := l.Stored(l.Speak(l.Request(studiotest.FiveParagraphs)).ID)
		entered, open := make(chan struct{}, 10), make(chan struct{})
		engine.Allow(func(string) error {
			entered <- struct{}{}
			<-open
			return nil
		})
		g, err := l.Generations.Submit(t.Context(), given(l, "A new start.\n\n"+studiotest.FiveParagraphs, donor))
		require.NoError(t, err)
		<-entered
		_, err = l.Generations.Archive.Delete(t.Context(), []string{donor.ID})
		require.NoError(t, err)
		close(open)
		require.Len(t, l.Becomes(g.ID, backend.StatusComplete).Chunks, 6)
		require.Equal(t, 6, engine.Total())
	})
}

// TestDonorsAfterAStop stops a generation with donors, and closes the program: a retry speaks and copies what is missing.
func TestDonorsAfterAStop(t *testing.T) {
	engine := studiotest.NewCounting()
	l := studiotest.New(t, engine)
	donor := l.Stored(l.Speak(l.Request(studiotest.FiveParagraphs)).ID)
	text := "A new start.\n\n" + studiotest.FiveParagraphs + "\n\nA new end."
	engine.Allow(func(text string) error {
		if strings.Contains(text, "new end") {
			return studiotest.ErrWait
		}
		return nil
	})
	g, err := l.Generations.Submit(t.Context(), given(l, text, donor))
	require.NoError(t, err)
	l.WaitForChunks(g.ID, 6)
	stopped, err := l.Generations.Stop(t.Context(), g.ID)
	require.NoError(t, err)
	require.Equal(t, []int{6, 7}, []int{stopped.Partial.Chunks, stopped.Partial.Total}, "what is copied counts as finished")
	l.RestartAs("1.2.3")
	engine.Allow(nil)
	calls := engine.Total()
	_, err = l.Generations.Retry(t.Context(), g.ID, nil)
	require.NoError(t, err)
	done := l.Becomes(g.ID, backend.StatusComplete)
	require.Equal(t, calls+1, engine.Total())
	requireCopied(t, done, donor)
	require.Equal(t, []string{donor.ID}, done.Request.Donors)

	engine.Allow(studiotest.Failing(0))
	failing := studiotest.FiveParagraphs + "\n\n" + studiotest.Passages(1)
	_, err = l.Generations.Generate(t.Context(), given(l, failing, donor))
	backendtest.RequireCode(t, backend.CodeEngineFailed, err)
	id := backend.AsError(err).Params["generation_id"].(string)
	_, err = l.Generations.Archive.Delete(t.Context(), []string{donor.ID})
	require.NoError(t, err)
	engine.Allow(nil)
	_, err = l.Generations.Retry(t.Context(), id, nil)
	require.NoError(t, err)
	require.Len(t, l.Becomes(id, backend.StatusComplete).Chunks, 6, "it is complete without its donor")
}

// TestDonorsOfHours copies from a long compressed file in little memory.
func TestDonorsOfHours(t *testing.T) {
	engine := studiotest.NewCounting()
	l := studiotest.New(t, engine)
	donor := studiotest.LongBook(l)
	r := l.InChunks()
	r.Donors = []string{donor.ID}
	calls := engine.Total()
	studiotest.InLittleMemory(t, "a generation with a donor", func() {
		g := l.Stored(l.Speak(r).ID)
		require.Equal(t, donor.ID, g.Receipt.Chunks[2].From)
	})
	require.Equal(t, calls, engine.Total())
	require.Len(t, l.Leftovers(), 2, "what was decoded is removed")
}

// TestDonorsOfHostedVoices changes a text of a hosted voice: passages that are paid are copied, also where others before them move the
// limits of passages.
func TestDonorsOfHostedVoices(t *testing.T) {
	l, hosted := studiotest.NewWithHosted(t)
	hosted.MaxCharacters = 30
	donor := l.Stored(l.Speak(l.HostedRequest(studiotest.Ann, "The first one is here. The second one is here. The third one is here.")).ID)
	paid := len(hosted.Paid())
	require.Equal(t, 3, paid)
	r := l.HostedRequest(studiotest.Ann, "Not that. The first one is here. The second one is here. The third one is here.")
	r.Donors = []string{donor.ID}
	unpaid, err := l.Generations.Previews.Unpaid(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, []backend.HostedText{{Text: "Not that."}}, unpaid.Texts)
	g := l.Stored(l.Speak(r).ID)
	require.Equal(t, "Not that.", hosted.Paid()[paid])
	require.Len(t, hosted.Paid(), paid+1)
	require.Equal(t, []string{"", donor.ID, donor.ID, donor.ID}, []string{
		g.Receipt.Chunks[0].From, g.Receipt.Chunks[1].From, g.Receipt.Chunks[2].From, g.Receipt.Chunks[3].From,
	})
	require.Equal(t, studiotest.HostedPrice("Not that."), *g.Credits)
}

// TestDonorsWithOtherPauses changes the silence between the sentences of passages: nothing is spoken, and all is where it is when the
// text is spoken anew.
func TestDonorsWithOtherPauses(t *testing.T) {
	engine := studiotest.NewCounting()
	l := studiotest.New(t, engine)
	request := func(pause float64) generations.Request {
		r := l.Request("A first sentence to begin with. " + studiotest.ThreeSentences + "\n\n" + studiotest.ThreeSentences)
		r.Seed, r.Pauses.Sentence = new(int64(7)), new(pause)
		return r
	}
	donor := l.Stored(l.Speak(request(0.35)).ID)
	require.Less(t, len(donor.Chunks), 5, "passages have several sentences")
	for _, pause := range []float64{0.05, 0.1, 1.2} {
		calls := engine.Total()
		r := request(pause)
		r.Donors = []string{donor.ID}
		g, copied, _ := madeOf(l, r)
		require.Equal(t, []int{len(donor.Chunks), calls}, []int{copied, engine.Total()})
		anew := l.Stored(l.Speak(request(pause)).ID)
		require.InDelta(t, anew.Duration, g.Duration, 0.001)
		for i, c := range anew.Chunks {
			require.InDelta(t, c.Start, g.Chunks[i].Start, 0.001)
			require.InDelta(t, c.End, g.Chunks[i].End, 0.001)
		}
		again, _, spoken := madeOf(l, given(l, r.Text, g))
		require.Zero(t, spoken, "the former pauses again")
		require.InDelta(t, donor.Duration, again.Duration, 0.001)
	}
}

// TestDonorsThatWereLimited copies passages whose peaks the limiter has reduced: copied and spoken ones are equally loud.
func TestDonorsThatWereLimited(t *testing.T) {
	l := studiotest.New(t, studiotest.Peaky())
	const former = "One. The same words, which are said at length, so that their loudness is measured well."
	donor := l.Stored(l.Speak(l.Request(former)).ID)
	require.Positive(t, donor.Receipt.Level.ReductionDB)
	g, copied, spoken := madeOf(l, given(l, former+"\n\n"+strings.Replace(former, "One. The same", "These are other", 1), donor))
	require.Equal(t, []int{2, 1}, []int{copied, spoken})
	studiotest.RequireLevel(t, g.AudioPath, 0.1)
	last := len(g.Chunks) - 1
	before, _ := studiotest.Loudness(t, studiotest.Sound(studiotest.Part(t, g, 1)))
	after, _ := studiotest.Loudness(t, studiotest.Sound(studiotest.Part(t, g, last)))
	require.InDelta(t, after, before, 1)
}
