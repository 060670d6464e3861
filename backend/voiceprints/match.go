package voiceprints

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/samples"
	"github.com/voicewright/voicewright/backend/speakers"
)

// SamePerson is the cosine of two voice prints from which on a known speaker is suggested. Below samples.OtherPerson two people are
// assumed, and between both nothing is said. For the network that we use one pair was published: 0.67 for one person, 0.06 for two (the
// card of AXERA-TECH's port). Unverified with published networks: `voicewright speakers verify` measures it with anybody's recordings.
const SamePerson = 0.5

// versionOf returns a hash of the files of a model.
func versionOf(list []backend.FileHash) string {
	lines := make([]string, len(list))
	for i, f := range list {
		lines[i] = f.Path + "\x00" + f.SHA256 + "\n"
	}
	slices.Sort(lines)
	sum := sha256.Sum256([]byte(strings.Join(lines, "")))
	return hex.EncodeToString(sum[:])
}

// Knows reports whether there are prints of a model with these files.
func (s *Store) Knows(model []backend.FileHash) bool {
	want := versionOf(model)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.people {
		if p.Model == want {
			return true
		}
	}
	return false
}

// Match compares the voices that a model found in a transcript with the known speakers. A voice is matched with the person that it is most
// like, if no other voice is more like that person. Voices that have a name of a person's take part, and have no match. A print that is
// nil is like nobody.
func (s *Store) Match(model []backend.FileHash, names []string, prints [][]float32) []backend.SpeakerMatch {
	best := map[string]backend.SpeakerMatch{} // by known speaker
	for i, voice := range prints {
		m := s.nearest(versionOf(model), voice)
		m.Speaker = names[i]
		if m.Known != "" && m.Cosine > best[m.Known].Cosine {
			best[m.Known] = m
		}
	}
	out := []backend.SpeakerMatch{}
	for _, m := range best {
		if speakers.IsAutomatic(m.Speaker) {
			out = append(out, m)
		}
	}
	slices.SortFunc(out, func(a, b backend.SpeakerMatch) int { return strings.Compare(a.Speaker, b.Speaker) })
	return out
}

// nearest returns the known speaker most like a voice, without an id where none is like it.
func (s *Store) nearest(model string, voice []float32) (m backend.SpeakerMatch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, p := range s.people {
		mean := p.mean()
		if p.Model != model || len(mean) != len(voice) {
			continue
		}
		cosine := samples.Cosine(mean, voice)
		if cosine >= SamePerson && (m.Known == "" || cosine > m.Cosine || cosine == m.Cosine && id < m.Known) {
			m.Known, m.Cosine = id, cosine
		}
	}
	return m
}
