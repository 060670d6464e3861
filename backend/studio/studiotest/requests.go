package studiotest

import (
	"fmt"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/scripts"
	"github.com/voicewright/voicewright/backend/takes"
)

// ThreeSentences is a text of three sentences in one paragraph.
const ThreeSentences = "The first sentence has some words. The second one is a little longer than that. And here is the third."

// FiveParagraphs is a text of a heading and four paragraphs.
const FiveParagraphs = "# One\n\nThe first paragraph is here.\n\nThe second one follows it.\n\nAnd a third one.\n\nThe end."

// Request returns a request of the profile.
func (l *Lab) Request(text string) generations.Request {
	return generations.Request{ProfileID: l.Profile.ID, Text: text}
}

// InChunks returns a request with one chunk for each of ThreeSentences.
func (l *Lab) InChunks() generations.Request {
	r := l.Request(ThreeSentences)
	r.MaxChunkChars = new(50)
	return r
}

// Script returns a script with one turn for each text.
func (l *Lab) Script(texts ...string) scripts.Request {
	r := scripts.Request{Gap: 300 * time.Millisecond, Title: "A play"}
	for _, text := range texts {
		r.Turns = append(r.Turns, l.Request(text))
	}
	return r
}

// Speak generates, and requires success.
func (l *Lab) Speak(r generations.Request) backend.Generation {
	l.T.Helper()
	g, err := l.Generations.Generate(l.T.Context(), r)
	require.NoError(l.T, err)
	require.Equal(l.T, backend.StatusComplete, g.Status)
	return g
}

// Submit accepts a text and does not wait.
func (l *Lab) Submit(text string) backend.Generation {
	l.T.Helper()
	g, err := l.Generations.Submit(l.T.Context(), l.Request(text))
	require.NoError(l.T, err)
	return g
}

// Revised changes the text of a generation, waits for the end, and returns the plan and the result.
func (l *Lab) Revised(id, text string) (takes.TextRevision, backend.Generation) {
	l.T.Helper()
	r, err := l.Takes.Revise(l.T.Context(), id, text, nil)
	require.NoError(l.T, err)
	return r, l.Ended(id)
}

// Word returns a word for each number from 0 to 675.
func Word(i int) string { return fmt.Sprintf("kolo%c%c", 'a'+i/26, 'a'+i%26) }

// Passages returns a text of n paragraphs, each of two sentences.
func Passages(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "This is the %s passage of the text. It has a second sentence too.\n\n", Word(i))
	}
	return b.String()
}

// Sentences returns a request for a text of n chunks of one sentence each.
func (l *Lab) Sentences(n int) generations.Request {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "This is the %s passage.\n\n", Word(i))
	}
	r := l.Request(b.String())
	r.Seed, r.MaxChunkChars = new(int64(7)), new(50)
	return r
}

// FivePassages is what a text of Sentences is changed to have behind it: five passages, which it did not have.
var FivePassages = func() string {
	var b strings.Builder
	for i := range 5 {
		fmt.Fprintf(&b, "\n\nThis is the %s passage.", Word(20+i))
	}
	return b.String()
}()

// LongSentence returns one sentence of about n characters.
func LongSentence(n int) string { return strings.Repeat("word and ", n/9) + "end." }
