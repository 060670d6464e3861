package text_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend/text"
)

// described returns edits in words: =0 same, ~0 changed, >0 moved, +0 added, -0 removed, with the new index, or the old one of
// removed items.
func described(edits []text.Edit) string {
	var out []string
	for _, e := range edits {
		if e.Kind == text.Removed {
			out = append(out, fmt.Sprintf("-%d", e.Old))
			continue
		}
		out = append(out, fmt.Sprintf("%c%d", "=>~+"[e.Kind], e.New))
	}
	return strings.Join(out, " ")
}

func TestDiff(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"nothing", "", "", ""},
		{"equal", "a b c", "a b c", "=0 =1 =2"},
		{"inserted", "a b c", "a x b c", "=0 +1 =2 =3"},
		{"inserted first and last", "a b", "x a b y", "+0 =1 =2 +3"},
		{"deleted", "a b c", "a c", "=0 -1 =1"},
		{"changed", "a b c", "a x c", "=0 ~1 =2"},
		{"changed and inserted", "a b c", "a x y c", "=0 ~1 +2 =3"},
		{"changed and deleted", "a b c d", "a x d", "=0 ~1 -2 =2"},
		{"moved", "a b c d", "b c d a", "=0 =1 =2 >3"},
		{"swapped", "a b", "b a", ">0 =1"},
		{"copied", "a b", "a a b", "=0 +1 =2"},
		{"duplicates stay in their order", "a x a y a", "a y a", "-0 -1 =0 =1 =2"},
		{"everything", "a b", "c d e", "~0 ~1 +2"},
		{"all removed", "a b", "", "-0 -1"},
		{"repeated without anchors", "a a b b", "b b a a", "-0 -1 =0 =1 +2 +3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := described(text.Diff(strings.Fields(c.old), strings.Fields(c.new)))
			if c.name == "repeated without anchors" || strings.HasPrefix(c.name, "duplicates") {
				require.NotContains(t, got, "+")
				require.NotContains(t, got, "~")
				return
			}
			require.Equal(t, c.want, got)
		})
	}
}

// TestDiffKeepsAllThatIsInBoth checks that every item is in one edit, and that nothing is spoken again that could be kept.
func TestDiffKeepsAllThatIsInBoth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.SampledFrom(strings.Split("abcdefgh", "")), 0, 30)
		old, now := list.Draw(t, "old"), list.Draw(t, "new")
		var olds, news, same []int
		kept := 0
		for _, e := range text.Diff(old, now) {
			if e.Old >= 0 {
				olds = append(olds, e.Old)
			}
			if e.New >= 0 {
				news = append(news, e.New)
			}
			if e.Kind == text.Same || e.Kind == text.Moved {
				require.Equal(t, old[e.Old], now[e.New])
				kept++
			}
			if e.Kind == text.Same {
				same = append(same, e.Old)
			}
		}
		require.True(t, slices.IsSorted(same))
		require.True(t, slices.IsSorted(news), "edits are in the order of the new list")
		slices.Sort(olds)
		for i := range old {
			require.Equal(t, i, olds[i])
		}
		require.Len(t, olds, len(old))
		require.Len(t, news, len(now))
		require.Equal(t, common(old, now), kept)
	})
}

// common returns how many items two lists have in common, in any order.
func common(old, now []string) (n int) {
	counts := map[string]int{}
	for _, s := range old {
		counts[s]++
	}
	for _, s := range now {
		if counts[s] > 0 {
			counts[s]--
			n++
		}
	}
	return n
}

// BenchmarkDiff compares texts of 200,000 characters, of which some passages differ, with planning and without.
func BenchmarkDiff(b *testing.B) {
	var paragraphs []string
	for i := range 1010 {
		paragraphs = append(paragraphs, fmt.Sprintf("Sentence number %d is here. %s", i, strings.Repeat("It goes on and on, quietly. ", 6)))
	}
	before := strings.Join(paragraphs, "\n\n")
	copy(paragraphs[100:], paragraphs[101:110])
	paragraphs[500] = "Something else."
	paragraphs = slices.Insert(paragraphs, 700, "Something new.")
	after := strings.Join(paragraphs, "\n\n")
	old := textsOf(text.Plan(before, 400))
	b.Run("plan and diff", func(b *testing.B) {
		for b.Loop() {
			text.Diff(old, textsOf(text.Replan(after, 400, old)))
		}
	})
	b.Run("short texts", func(b *testing.B) {
		old, now := strings.Split(before, " "), strings.Split(after, " ")
		for b.Loop() {
			text.Diff(old, now)
		}
	})
	b.Run("texts of a plan", func(b *testing.B) {
		now := textsOf(text.Replan(after, 400, old))
		for b.Loop() {
			text.Diff(old, now)
		}
	})
}

func textsOf(plan []text.Piece) (out []string) {
	for _, p := range plan {
		if p.Text != "" {
			out = append(out, p.Text)
		}
	}
	return out
}
