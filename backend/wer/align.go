package wer

import "slices"

// kind is what happened to a word.
type kind byte

const (
	match kind = iota
	substitution
	deletion
	insertion
	split  // one word was heard as two: "everyday" as "every day"
	joined // two words were heard as one
)

// op is a step of an alignment, with the indexes of its first words.
type op struct {
	kind      kind
	want, got int
}

func (o op) cost() int {
	switch o.kind {
	case substitution, deletion, insertion:
		return 1
	default:
		return 0
	}
}

// align returns the steps with the fewest errors that turn want into got (Levenshtein), where two words equal one that is
// written together.
func align(want, got []string) []op {
	columns := len(got) + 1
	steps := make([]kind, (len(want)+1)*columns) // the last step to each cell
	before, last, row := make([]int, columns), make([]int, columns), make([]int, columns)
	for i := 0; i <= len(want); i++ {
		for j := 0; j <= len(got); j++ {
			row[j], steps[i*columns+j] = cell(want[:i], got[:j], before, last, row)
		}
		before, last, row = last, row, before
	}
	var out []op
	for i, j := len(want), len(got); i > 0 || j > 0; {
		k := steps[i*columns+j]
		wants, gots := k.size()
		i, j = i-wants, j-gots
		out = append(out, op{k, i, j})
	}
	slices.Reverse(out)
	return out
}

// size returns how many words of both texts a step has.
func (k kind) size() (want, got int) {
	switch k {
	case deletion:
		return 1, 0
	case insertion:
		return 0, 1
	case split:
		return 1, 2
	case joined:
		return 2, 1
	default:
		return 1, 1
	}
}

// cell returns the fewest errors between two texts, and the last step to them. The rows are those of the text without its
// last two words, without its last one, and its own as far as it is known.
func cell(want, got []string, before, last, row []int) (int, kind) {
	i, j := len(want), len(got)
	if i == 0 {
		return j, insertion
	}
	if j == 0 {
		return i, deletion
	}
	errors, step := last[j-1]+1, substitution
	if want[i-1] == got[j-1] {
		errors, step = last[j-1], match
	}
	better := func(n int, k kind) {
		if n < errors {
			errors, step = n, k
		}
	}
	better(last[j]+1, deletion)
	better(row[j-1]+1, insertion)
	if j > 1 && len(want[i-1]) == len(got[j-2])+len(got[j-1]) && want[i-1] == got[j-2]+got[j-1] {
		better(last[j-2], split)
	}
	if i > 1 && len(got[j-1]) == len(want[i-2])+len(want[i-1]) && got[j-1] == want[i-2]+want[i-1] {
		better(before[j-1], joined)
	}
	return errors, step
}
