package generations_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines"
)

// oneByOne is a Counting that speaks one sentence at a time, holds those that a test names, and lists what it began.
type oneByOne struct {
	*studiotest.Counting
	mu    sync.Mutex
	begun []string
	held  map[string]chan struct{} // by a word of the sentence
}

func newOneByOne(held ...string) *oneByOne {
	e := &oneByOne{Counting: studiotest.NewCounting(), held: map[string]chan struct{}{}}
	for _, word := range held {
		e.held[word] = make(chan struct{})
	}
	e.Allow(func(text string) error {
		e.mu.Lock()
		e.begun = append(e.begun, text)
		e.mu.Unlock()
		for word, open := range e.held {
			if strings.Contains(text, word) {
				<-open
			}
		}
		return nil
	})
	return e
}

// Info says that the engine speaks one sentence at a time.
func (e *oneByOne) Info() engines.Info {
	info := e.Counting.Info()
	info.Concurrency = 1
	return info
}

// waits blocks until the engine has begun a sentence with a word.
func (e *oneByOne) waits(t *testing.T, word string) {
	t.Helper()
	has := func(s string) bool { return strings.Contains(s, word) }
	require.Eventually(t, func() bool { return slices.ContainsFunc(e.spoken(), has) }, studiotest.WaitLimit, studiotest.WaitStep)
}

func (e *oneByOne) spoken() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.begun)
}

// behind submits passages that wait behind what is started by hand.
func behind(l *studiotest.Lab, passages int) backend.Generation {
	l.T.Helper()
	r := l.Sentences(passages)
	r.Behind = true
	g, err := l.Generations.Submit(l.T.Context(), r)
	require.NoError(l.T, err)
	return g
}

// TestBehindLetsOthersPass submits two sentences by hand while a long generation runs behind: they are spoken before its next passage, and
// nothing is spoken twice.
func TestBehindLetsOthersPass(t *testing.T) {
	e := newOneByOne(studiotest.Word(0), "Hello")
	l := studiotest.New(t, e)
	long := behind(l, 5)
	e.waits(t, studiotest.Word(0))
	hand := l.Submit("Hello there. And goodbye.")
	e.waits(t, "Hello")
	close(e.held[studiotest.Word(0)])
	l.WaitForChunks(long.ID, 1)
	require.Equal(t, backend.StatusGenerating, l.Stored(long.ID).Status)
	close(e.held["Hello"])
	l.Becomes(hand.ID, backend.StatusComplete)
	done := l.Becomes(long.ID, backend.StatusComplete)
	require.Len(t, done.Chunks, 5)
	want := []string{"This is the " + studiotest.Word(0) + " passage.", "Hello there.", "And goodbye."}
	for i := 1; i < 5; i++ {
		want = append(want, "This is the "+studiotest.Word(i)+" passage.")
	}
	require.Equal(t, want, e.spoken())
	require.Eventually(t, func() bool { // the event comes after the row
		return slices.Equal([]backend.Status{backend.StatusQueued, backend.StatusGenerating, backend.StatusComplete}, l.States(long.ID))
	}, studiotest.WaitLimit, studiotest.WaitStep)

	alone := l.Speak(l.Sentences(5))
	require.Equal(t, studiotest.PCM(t, alone), studiotest.PCM(t, done), "it sounds as if nothing had come between")
}

// TestBehindStartsLast submits two generations that wait behind others while one runs by hand and more wait.
func TestBehindStartsLast(t *testing.T) {
	e := newOneByOne("First")
	l := studiotest.New(t, e)
	l.Submit("First by hand.")
	e.waits(t, "First")
	a, b := behind(l, 1), behind(l, 2)
	l.Submit("Second by hand.")
	require.Equal(t, []backend.Status{backend.StatusQueued}, l.States(a.ID))
	close(e.held["First"])
	l.Becomes(b.ID, backend.StatusComplete)
	require.Equal(t, []string{
		"First by hand.", "Second by hand.", "This is the koloaa passage.", "This is the koloaa passage.", "This is the koloab passage.",
	}, e.spoken())
	require.True(t, l.Stored(a.ID).Request.Behind)
}

// TestBehindEnds cancels, stops and closes what waits behind a generation by hand, before it begins and within it.
func TestBehindEnds(t *testing.T) {
	e := newOneByOne("Hello", studiotest.Word(0))
	l := studiotest.New(t, e)
	running := behind(l, 3)
	e.waits(t, studiotest.Word(0))
	l.Submit("Hello there.")
	e.waits(t, "Hello")
	next, last := behind(l, 2), behind(l, 2)
	g, err := l.Generations.Cancel(t.Context(), next.ID)
	require.NoError(t, err)
	require.Equal(t, backend.StatusCancelled, g.Status)
	close(e.held[studiotest.Word(0)])
	l.WaitForChunks(running.ID, 1)
	g, err = l.Generations.Stop(t.Context(), running.ID)
	require.NoError(t, err)
	require.Equal(t, 1, g.Partial.Chunks)

	closed := make(chan error)
	ctx, now := context.WithCancel(t.Context())
	go func() { closed <- l.Close(ctx) }()
	g = l.Becomes(last.ID, backend.StatusFailed)
	require.Equal(t, backend.CodeInterrupted, g.Error.Code, "it does not begin when the program closes")
	close(e.held["Hello"])
	require.NoError(t, <-closed)
	now()

	l.Start()
	for _, id := range []string{running.ID, last.ID} {
		_, err := l.Generations.Retry(t.Context(), id, nil)
		require.NoError(t, err)
		require.True(t, l.Becomes(id, backend.StatusComplete).Request.Behind)
	}
	require.Len(t, e.spoken(), 1+3+2, "nothing is spoken twice")
}

// TestBehindWhenTheProgramCloses closes the program within a long generation that runs behind others: what it has is kept.
func TestBehindWhenTheProgramCloses(t *testing.T) {
	e := newOneByOne(studiotest.Word(1))
	l := studiotest.New(t, e)
	long := behind(l, 50)
	e.waits(t, studiotest.Word(1))
	closed := make(chan error)
	go func() { closed <- l.Close(t.Context()) }()
	require.Eventually(t, func() bool {
		_, err := l.Generations.Submit(t.Context(), l.Request("Too late."))
		return backend.CodeOf(err) == backend.CodeInterrupted
	}, studiotest.WaitLimit, studiotest.WaitStep)
	close(e.held[studiotest.Word(1)])
	require.NoError(t, <-closed)
	g := l.Stored(long.ID)
	require.Equal(t, []any{backend.StatusFailed, backend.CodeInterrupted, 2}, []any{g.Status, g.Error.Code, g.Partial.Chunks})
	l.Start()
	_, err := l.Generations.Retry(t.Context(), long.ID, nil)
	require.NoError(t, err)
	l.Becomes(long.ID, backend.StatusComplete)
	require.Len(t, e.spoken(), 50)
}

// TestBehindIsChangedByHand changes the text of a generation that was made behind others while another one runs there.
func TestBehindIsChangedByHand(t *testing.T) {
	e := newOneByOne(studiotest.Word(9))
	l := studiotest.New(t, e)
	made := l.Becomes(behind(l, 1).ID, backend.StatusComplete)
	long := behind(l, 12)
	e.waits(t, studiotest.Word(9))
	_, after := l.Revised(made.ID, made.Text+"\n\nBy hand.")
	require.Len(t, after.Chunks, 2)
	again, err := l.Generations.Regenerate(t.Context(), made.ID, nil, nil)
	require.NoError(t, err)
	require.False(t, l.Becomes(again.ID, backend.StatusComplete).Request.Behind)
	require.Equal(t, backend.StatusGenerating, l.Stored(long.ID).Status)
	close(e.held[studiotest.Word(9)])
	l.Becomes(long.ID, backend.StatusComplete)
}

// TestBehindAtTheHostedService puts what is started by hand before what waits for the service behind it.
func TestBehindAtTheHostedService(t *testing.T) {
	l, hosted := studiotest.NewWithHosted(t)
	open := hosted.HoldFrom(t, 0)
	for _, text := range []string{"One runs.", "Two waits behind.", "Three waits behind.", "Four is by hand."} {
		r := l.HostedRequest(studiotest.Ann, text)
		r.Behind = strings.Contains(text, "behind")
		_, err := l.Generations.Submit(t.Context(), r)
		require.NoError(t, err)
	}
	open()
	require.Eventually(t, func() bool { return len(hosted.Paid()) == 4 }, studiotest.WaitLimit, studiotest.WaitStep)
	require.Equal(t, []string{"One runs.", "Four is by hand.", "Two waits behind.", "Three waits behind."}, hosted.Paid())
}

// TestBehindWithoutAModel fails as every generation does.
func TestBehindWithoutAModel(t *testing.T) {
	l := studiotest.New(t, studiotest.NewCounting())
	r := l.Request("Hello.")
	r.Behind, r.Voice = true, "nobody:0"
	_, err := l.Generations.Submit(t.Context(), r)
	backendtest.RequireCode(t, backend.CodeModelUnknown, err)
}
