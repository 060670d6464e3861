package espeak

import (
	"context"
	"slices"
	"strings"
	"unicode"
)

// The library that Piper calls leaves a clause of function words ("But,", "of the") without a main stress; the command stresses
// one of its vowels. With a stressed word before the clause the command does not, and prints for the clause what the library
// returns. Measured against the library of 1.51: of 5,781 English clauses and words 97 differ from the command and 12 from its
// output after a stressed word, 11 of them for "what", "when", "one" and "me", which englishStress handles. Of the texts of 35
// other voices one differs; Hungarian keeps the output of the command.
const (
	// stressedWord is that word as phoneme input. Its last phoneme neither changes with the next one nor changes it.
	stressedWord = "[[t't@n]]"
	mainStress   = "ˈ"
	lesserStress = "ˌ"
)

// libraryStress returns the phonemes of a clause with the stress of the library. spoken is the output of the command.
func (p *Phonemizer) libraryStress(ctx context.Context, s *slot, language, clause, spoken string) (string, error) {
	if strings.Count(spoken, mainStress) != 1 || language == "hu" { // Hungarian weakens a word after a stressed one
		return spoken, nil
	}
	if strings.HasPrefix(language, "en") {
		if stressed, ok := englishStress(clause, spoken); ok {
			return stressed, nil
		}
	}
	line := stressedWord + " " + clauseLine(clause)
	if len(line) > maxLine {
		return spoken, nil
	}
	output, err := p.line(ctx, s, line)
	if err != nil || len(output) != 1 {
		return spoken, err
	}
	after, ok := strings.CutPrefix(output[0], s.process.stressed)
	after = strings.TrimLeft(after, " ")
	if ok && (after == strings.Replace(spoken, mainStress, "", 1) || after == strings.Replace(spoken, mainStress, lesserStress, 1)) {
		return after, nil
	}
	return spoken, nil
}

// englishStress returns the stress of the few English words whose own stress depends on whether a word is before them.
// ok is false for all other clauses.
func englishStress(clause, spoken string) (_ string, ok bool) {
	words := strings.FieldsFunc(strings.ToLower(clause), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '’' })
	if len(words) == 0 {
		return spoken, false
	}
	first := stem(words[0])
	stressed, _, _ := strings.Cut(spoken, " ")
	if (first == "what" || first == "when") && strings.Contains(stressed, mainStress) {
		return strings.Replace(spoken, mainStress, lesserStress, 1), true
	}
	return spoken, len(words) == 1 && words[0] == "me" ||
		slices.ContainsFunc(words, func(w string) bool { return stem(w) == "one" })
}

// stem returns an English word without quotes and without 's.
func stem(word string) string {
	word = strings.Trim(strings.ReplaceAll(word, "’", "'"), "'")
	return strings.TrimSuffix(word, "'s")
}
