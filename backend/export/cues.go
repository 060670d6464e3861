package export

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/subtitles"
	"github.com/voicewright/voicewright/backend/text"
)

// spoken is what subtitles are made of.
type spoken struct {
	segments []backend.Segment
	seconds  float64 // of the file
}

// cues returns the subtitles; named puts the speakers into their texts.
func (s spoken) cues(named bool) []subtitles.Cue { return subtitles.Cues(s.segments, s.seconds, named) }

// generationSpeech returns the chunks of a generation.
func generationSpeech(g backend.Generation) (spoken, error) {
	if len(g.Request.Dialogue) > 0 {
		return spoken{}, errDialogue
	}
	return spoken{segments(g, 0, ""), g.Duration}, nil
}

// segments returns the chunks of a generation that begins at a time in seconds, with times of words: those of the model, else in
// proportion to the text of each sentence.
func segments(g backend.Generation, at float64, speaker string) []backend.Segment {
	var out []backend.Segment
	for i, c := range g.Chunks {
		sentences := plainSentences(c.Text)
		if len(sentences) == 0 {
			continue
		}
		var receipt backend.ReceiptChunk
		if g.Receipt != nil && i < len(g.Receipt.Chunks) {
			receipt = g.Receipt.Chunks[i]
		}
		words := heardWords(c, sentences)
		if len(words) == 0 {
			words = inProportion(c, sentences, receipt.Spoken, sentencePause(g))
		}
		for k := range words {
			words[k].Start, words[k].End = at+words[k].Start, at+words[k].End
		}
		out = append(out, backend.Segment{
			ID: i, Start: at + c.Start, End: at + c.End, Text: plainText(c.Text, sentences), Words: words, Speaker: speaker,
		})
	}
	return out
}

// plainText returns the text of a chunk as a reader sees it, with the white space that it has between its sentences.
func plainText(chunk string, sentences []string) string {
	plain := text.Plain(chunk)
	if strings.ReplaceAll(plain, " ", "") == strings.ReplaceAll(strings.Join(sentences, ""), " ", "") {
		return plain
	}
	return strings.Join(sentences, " ") // markup goes over the end of a sentence
}

// plainSentences returns the sentences of a chunk as a reader sees them.
func plainSentences(chunk string) []string {
	var out []string
	for _, s := range text.Sentences(chunk) {
		if s = text.Plain(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// sentencePause returns the silence between the sentences of a chunk, in seconds.
func sentencePause(g backend.Generation) float64 {
	if g.Source == backend.SourceHosted || g.Request.Pauses == nil || g.Speed <= 0 {
		return 0
	}
	return g.Request.Pauses.Sentence / g.Speed
}

// inProportion returns the sentences with times in proportion to their lengths, apart from the pauses between them.
func inProportion(c backend.Chunk, sentences []string, said string, pause float64) []backend.HeardWord {
	lengths := sentences
	if utterances := text.Utterances(said); len(utterances) == len(sentences) {
		lengths = utterances // numbers are longer spoken than written
	}
	total := 0
	for _, s := range lengths {
		total += utf8.RuneCountInString(s)
	}
	speech := c.End - c.Start - pause*float64(len(sentences)-1)
	if total == 0 || speech < (c.End-c.Start)/10 { // there are no such pauses
		speech, pause = c.End-c.Start, 0
	}
	at := c.Start
	var out []backend.HeardWord
	for i, s := range sentences {
		length := speech * float64(utf8.RuneCountInString(lengths[i])) / float64(max(total, 1))
		out = append(out, backend.HeardWord{Word: s, Start: at, End: at + length})
		at += length + pause
	}
	return out
}

// heardWords returns the words of sentences with the times that the model gave to what it was asked to say, where other words may
// stand, as in "5 €" and "five euros". Words without a time of their own share the one between their neighbours. It returns none
// where too few words are the same for that.
func heardWords(c backend.Chunk, sentences []string) []backend.HeardWord {
	var written, bare []string
	for _, s := range sentences {
		for _, word := range strings.Fields(s) {
			written, bare = append(written, word), append(bare, letters(word))
		}
	}
	times, same := sameWords(c, bare)
	if 2*same < len(written) {
		return nil
	}
	var out []backend.HeardWord
	for i := 0; i < len(written); {
		if k := times[i]; k >= 0 {
			out = append(out, backend.HeardWord{Word: written[i], Start: c.Words[k].Start, End: c.Words[k].End})
			i++
			continue
		}
		first := i
		for i < len(written) && times[i] < 0 {
			i++
		}
		w := backend.HeardWord{Word: strings.Join(written[first:i], " "), Start: c.Start, End: c.End}
		from, to := 0, len(c.Words) // what was said in their place
		if first > 0 {
			from, w.Start = times[first-1]+1, c.Words[times[first-1]].End
		}
		if i < len(written) {
			to, w.End = times[i], c.Words[times[i]].Start
		}
		if from < to {
			w.Start, w.End = c.Words[from].Start, c.Words[to-1].End
		}
		out = append(out, w)
	}
	return out
}

// sameWords returns for each word of a text the index of the same word in what the model was asked to say, -1 = none, and how
// many words have one.
func sameWords(c backend.Chunk, bare []string) (index []int, n int) {
	var said []string
	for _, word := range c.Words {
		said = append(said, letters(word.Text))
	}
	index = make([]int, len(bare))
	for _, e := range text.Diff(said, bare) {
		if e.New < 0 {
			continue
		}
		index[e.New] = -1
		if e.Kind == text.Same && bare[e.New] != "" {
			index[e.New] = e.Old
			n++
		}
	}
	return index, n
}

// letters returns the letters and digits of a word in lower case.
func letters(word string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, word)
}
