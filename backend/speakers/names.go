package speakers

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"

	"github.com/voicewright/voicewright/backend"
)

// automatic matches names that no person gave.
var automatic = regexp.MustCompile(`^Speaker [0-9]+$`)

// IsAutomatic reports whether a speaker has a name that no person gave.
func IsAutomatic(name string) bool { return automatic.MatchString(name) }

// nameAll returns the name of each speaker.
func nameAll(lines []line, before []backend.Segment, sound timeline) []string {
	names := given(before, sound)
	used := map[string]bool{}
	for _, l := range lines {
		if IsSet(l.Segment) {
			used[l.Speaker] = true
		}
	}
	for _, name := range names {
		used[name] = true
	}
	for n, speaker := range order(lines, sound) {
		if names[speaker] != "" {
			continue
		}
		for names[speaker] == "" || used[names[speaker]] {
			n++
			names[speaker] = fmt.Sprintf("Speaker %d", n)
		}
		used[names[speaker]] = true
	}
	return names
}

// order returns the speakers in the order of their first words, then those without words by their first turns.
func order(lines []line, sound timeline) []int {
	var out []int
	add := func(speaker int) {
		if speaker != nobody && !slices.Contains(out, speaker) {
			out = append(out, speaker)
		}
	}
	for _, l := range lines {
		add(l.speaker)
	}
	for _, t := range sound.turns {
		add(t.Speaker)
	}
	return out
}

// given returns the names that persons gave, each for the speaker who overlaps most with it, by speaker. The lines that a person set count
// first: those that were found under the name may have been of two people whom a search took for one.
func given(before []backend.Segment, sound timeline) []string {
	type pair struct {
		name    string
		speaker int
		set     float64 // seconds that a person set
		seconds float64
	}
	type key struct {
		name    string
		speaker int
	}
	var pairs []pair
	places := map[key]int{}
	for _, s := range before {
		if s.Speaker == "" || s.SpeakerFound && IsAutomatic(s.Speaker) {
			continue
		}
		for speaker, seconds := range sound.shares(s.Start, s.End) {
			if seconds == 0 {
				continue
			}
			at, ok := places[key{s.Speaker, speaker}]
			if !ok {
				at = len(pairs)
				places[key{s.Speaker, speaker}] = at
				pairs = append(pairs, pair{name: s.Speaker, speaker: speaker})
			}
			pairs[at].seconds += seconds
			if IsSet(s) {
				pairs[at].set += seconds
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Or(cmp.Compare(b.set, a.set), cmp.Compare(b.seconds, a.seconds)) })
	names := make([]string, count(sound.turns))
	for _, p := range pairs {
		if names[p.speaker] == "" && !slices.Contains(names, p.name) {
			names[p.speaker] = p.name
		}
	}
	return names
}

func count(turns []Turn) int {
	n := 0
	for _, t := range turns {
		n = max(n, t.Speaker+1)
	}
	return n
}

// Rename changes the names of speakers in segments and turns, all at once, so that two can swap theirs; a name that another has makes both
// one. It returns a name that no segment has, empty where all were found, and then changes nothing.
func Rename(segments []backend.Segment, turns []backend.SpeakerTurn, names map[string]string) (unknown string) {
	for name := range names {
		if !slices.ContainsFunc(segments, func(s backend.Segment) bool { return s.Speaker == name }) &&
			!slices.ContainsFunc(turns, func(t backend.SpeakerTurn) bool { return t.Speaker == name }) {
			return name
		}
	}
	for i := range segments {
		if name, ok := names[segments[i].Speaker]; ok {
			segments[i].Speaker = name
		}
	}
	for i := range turns {
		if name, ok := names[turns[i].Speaker]; ok {
			turns[i].Speaker = name
		}
	}
	return ""
}

// RenameMatches returns what voices were matched with after Rename: a voice keeps its match under an automatic name, and of voices that
// became one the best match stays. Who has a name that a person gave needs none.
func RenameMatches(matches []backend.SpeakerMatch, names map[string]string) []backend.SpeakerMatch {
	out := []backend.SpeakerMatch{}
	for _, m := range matches {
		if name, ok := names[m.Speaker]; ok {
			m.Speaker = name
		}
		at := slices.IndexFunc(out, func(other backend.SpeakerMatch) bool { return other.Speaker == m.Speaker })
		switch {
		case !IsAutomatic(m.Speaker):
		case at < 0:
			out = append(out, m)
		case m.Cosine > out[at].Cosine:
			out[at] = m
		}
	}
	return out
}

// Shares returns the speakers of segments in the order of their first words, with how much each of them says.
func Shares(segments []backend.Segment) []backend.Speaker {
	out := []backend.Speaker{}
	for _, s := range segments {
		if s.Speaker == "" {
			continue
		}
		at := slices.IndexFunc(out, func(speaker backend.Speaker) bool { return speaker.Name == s.Speaker })
		if at < 0 {
			at = len(out)
			out = append(out, backend.Speaker{Name: s.Speaker})
		}
		out[at].Seconds += max(0, s.End-s.Start)
		out[at].Lines++
	}
	return out
}

// KeepSet sets the speakers of segments that replace others, where a person had set one for most of their time.
func KeepSet(replaced, segments []backend.Segment) {
	for i := range segments {
		s := &segments[i]
		seconds := map[string]float64{}
		for _, old := range replaced {
			if shared := min(old.End, s.End) - max(old.Start, s.Start); IsSet(old) && shared > 0 {
				seconds[old.Speaker] += shared
				if seconds[old.Speaker] > (s.End-s.Start)/2 {
					s.Speaker, s.SpeakerFound = old.Speaker, false
				}
			}
		}
	}
}
