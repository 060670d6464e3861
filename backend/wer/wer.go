// Package wer compares a text with what a transcription model heard of it: the word error rate, and the words that were
// dropped or repeated.
package wer

// Word is a word of a normalised text.
type Word struct {
	Text  string
	Index int // from 0: of a dropped word in the text, of a repeated one in what was heard
}

// Result is how what was heard differs from a text.
type Result struct {
	WER      float64 // errors per word of the text: 0 for equal texts, 1 if nothing was heard, more if much was added
	Words    int     // of the text
	Dropped  []Word  // words of the text that were not heard
	Repeated []Word  // words that were heard once more than they are in the text
}

// Compare compares what was heard with the text in a language (BCP 47), without regard to case, punctuation and spelling:
// numbers as digits or words, contractions, British or American. Languages without spaces are compared by character.
func Compare(language, text, hypothesis string) Result {
	want, got := normalize(language, text), normalize(language, hypothesis)
	out := Result{Words: len(want)}
	ops := align(want, got)
	errors := 0
	for _, op := range ops {
		errors += op.cost()
		if op.kind == deletion {
			out.Dropped = append(out.Dropped, Word{want[op.want], op.want})
		}
	}
	out.Repeated = repeated(ops, got)
	switch {
	case len(want) > 0:
		out.WER = float64(errors) / float64(len(want))
	case errors > 0:
		out.WER = 1
	}
	return out
}

// Best returns the comparison with the fewest errors of several forms of a text, such as written and spoken.
func Best(language, hypothesis string, texts ...string) Result {
	var best Result
	for i, text := range texts {
		if r := Compare(language, text, hypothesis); i == 0 || r.WER < best.WER {
			best = r
		}
	}
	return best
}

// List returns the texts of words.
func List(words []Word) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w.Text
	}
	return out
}

// repeated returns the inserted words that repeat words around them: each word of an inserted run that is heard a second
// time within the length of the run, before or after it.
func repeated(ops []op, got []string) []Word {
	var out []Word
	for from := 0; from < len(ops); {
		to := from
		for to < len(ops) && ops[to].kind == insertion {
			to++
		}
		for _, o := range ops[from:to] {
			if again(got, o.got, to-from) {
				out = append(out, Word{got[o.got], o.got})
			}
		}
		from = max(to, from+1)
	}
	return out
}

// again reports whether the word at i is also at a distance of up to n.
func again(got []string, i, n int) bool {
	for d := 1; d <= n; d++ {
		if i-d >= 0 && got[i-d] == got[i] || i+d < len(got) && got[i+d] == got[i] {
			return true
		}
	}
	return false
}
