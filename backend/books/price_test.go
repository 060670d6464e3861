package books_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/books"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
)

// hostedLab returns books on a studio with a hosted service, and a book of three chapters in one of its voices.
func hostedLab(t *testing.T) (*bookLab, *studiotest.Hosted, books.View) {
	t.Helper()
	hosted := studiotest.NewHosted(t)
	hosted.MaxCharacters = 200
	s := &bookLab{engine: studiotest.NewCounting(), root: t.TempDir(), events: make(chan string, 10_000)}
	s.Lab = studiotest.NewIn(t, s.root, s.engine, func(l *studiotest.Lab) { l.Options.Hosted = hosted })
	s.open()
	v, err := s.Create(t.Context(), books.NewBook{Manuscript: manuscript(3, 6), Source: backend.BookSource{Name: "book.epub"}, Options: backend.BookOptions{
		ProfileID: s.Profile.ID, Voice: "hosted:" + studiotest.Ann,
	}})
	require.NoError(t, err)
	return s, hosted, v
}

func (s *bookLab) price(id string, r books.GenerateRequest) int64 {
	s.T.Helper()
	q, err := s.Quote(s.T.Context(), id, r)
	require.NoError(s.T, err)
	require.NotNil(s.T, q.Credits)
	return *q.Credits
}

// paid returns what was paid since a number of calls.
func paid(hosted *studiotest.Hosted, since int) (credits int64) {
	for _, text := range hosted.Paid()[since:] {
		credits += studiotest.HostedPrice(text)
	}
	return credits
}

// TestPriceOfABook reads the price of a book in a hosted voice, generates it with one consent, and pays only for what changes.
func TestPriceOfABook(t *testing.T) {
	s, hosted, v := hostedLab(t)
	all := s.price(v.ID, books.GenerateRequest{})
	require.Greater(t, all, int64(1000), "one chapter alone asks for nothing")
	one := s.price(v.ID, books.GenerateRequest{Chapters: []string{v.Chapters[1].ID}})
	require.Less(t, one, int64(1000))

	_, err := s.Generate(t.Context(), v.ID, books.GenerateRequest{})
	require.Equal(t, backend.CodeHostedConfirm, backend.CodeOf(err))
	_, err = s.Generate(t.Context(), v.ID, books.GenerateRequest{AcceptCredits: new(all - 1)})
	require.Equal(t, backend.CodeHostedConfirm, backend.CodeOf(err))
	require.Empty(t, hosted.Paid())
	now, err := s.Book(t.Context(), v.ID)
	require.NoError(t, err)
	require.Equal(t, "new new new", states(now), "nothing was begun")

	q, err := s.Quote(t.Context(), v.ID, books.GenerateRequest{AcceptCredits: &all})
	require.NoError(t, err)
	require.False(t, q.Ask)
	_, err = s.Generate(t.Context(), v.ID, books.GenerateRequest{AcceptCredits: &all})
	require.NoError(t, err)
	v = s.wait(v.ID)
	require.Equal(t, "done done done", states(v))
	require.Equal(t, all, paid(hosted, 0))
	require.Zero(t, s.price(v.ID, books.GenerateRequest{}))
	require.Equal(t, all, s.price(v.ID, books.GenerateRequest{Again: true}))

	// Another paragraph at the beginning: nothing behind it is paid again.
	calls := len(hosted.Paid())
	_, err = s.EditBlock(t.Context(), v.ID, v.Chapters[0].ID, 1, "Another beginning.\n"+paragraph(0, 0))
	require.NoError(t, err)
	price := s.price(v.ID, books.GenerateRequest{})
	require.Less(t, price, one/2)
	v = s.generate(v.ID)
	require.Equal(t, "done done done", states(v))
	require.Equal(t, price, paid(hosted, calls))
	require.Positive(t, v.Passages.Reused)
	require.Equal(t, 0, s.engine.Total())
}

// TestConsentAfterARestart ends the program in the middle: the consent is for the whole run.
func TestConsentAfterARestart(t *testing.T) {
	s, hosted, v := hostedLab(t)
	all := s.price(v.ID, books.GenerateRequest{})
	entered := make(chan struct{}, 1)
	hosted.Gate = func(ctx context.Context, _ backend.HostedSpeech, part int) error {
		if part == 1 { // of the first chapter, whose first part is paid
			entered <- struct{}{}
			<-ctx.Done()
		}
		return ctx.Err()
	}
	_, err := s.Generate(t.Context(), v.ID, books.GenerateRequest{AcceptCredits: &all})
	require.NoError(t, err)
	<-entered
	s.close()
	lab := s.Lab
	now, cancel := context.WithCancel(t.Context())
	cancel()
	require.NoError(t, lab.Close(now))
	hosted.Gate = nil
	lab.Start()
	s.open()
	v = s.wait(v.ID)
	require.Equal(t, "done done done", states(v))
	require.Equal(t, all, paid(hosted, 0), "nothing is paid twice")
}

// TestAPriceThatRose makes the voice dearer in the middle: the rest is asked for again, and what is paid stays.
func TestAPriceThatRose(t *testing.T) {
	s, hosted, v := hostedLab(t)
	all := s.price(v.ID, books.GenerateRequest{})
	hosted.Gate = func(_ context.Context, h backend.HostedSpeech, _ int) error {
		if strings.Contains(h.Title, "Chapter 1") {
			hosted.Times = 2
		}
		return nil
	}
	_, err := s.Generate(t.Context(), v.ID, books.GenerateRequest{AcceptCredits: &all})
	require.NoError(t, err)
	v = s.wait(v.ID)
	require.Equal(t, "done failed failed", states(v))
	require.Equal(t, backend.CodeHostedConfirm, v.Chapters[1].Error.Code)
	require.Contains(t, v.Chapters[1].Error.Detail, "you accepted")
	calls := len(hosted.Paid())
	missing := s.price(v.ID, books.GenerateRequest{})
	_, err = s.Generate(t.Context(), v.ID, books.GenerateRequest{AcceptCredits: &missing})
	require.NoError(t, err)
	v = s.wait(v.ID)
	require.Equal(t, "done done done", states(v))
	require.Equal(t, missing, 2*paid(hosted, calls))
}
