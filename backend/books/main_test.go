package books_test

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/books"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// bookLab is a studio with books.
type bookLab struct {
	*studiotest.Lab
	*books.Service
	engine *studiotest.Counting
	root   string
	events chan string
}

func newLab(t *testing.T) *bookLab {
	t.Helper()
	s := &bookLab{engine: studiotest.NewCounting(), root: t.TempDir(), events: make(chan string, 10_000)}
	s.Lab = studiotest.NewIn(t, s.root, s.engine)
	s.open()
	return s
}

// open opens the books on the studio that runs.
func (s *bookLab) open() { s.openWith(s.DB) }

func (s *bookLab) openWith(store books.Store) {
	s.Service = books.New(s.T.Context(), s.Generations, s.options(store))
	s.Resume()
	service := s.Service
	s.T.Cleanup(func() { require.NoError(s.T, service.Close(context.Background())) })
}

func (s *bookLab) options(store books.Store) books.Options {
	return books.Options{
		Dir: filepath.Join(s.root, "books"), Store: store, Log: slog.New(slog.NewTextHandler(s.T.Output(), nil)),
		Now:    time.Now,
		NewID:  func() string { return uuid.Must(uuid.NewV7()).String() },
		Notify: func(id string) { s.events <- id },
	}
}

// close closes the books, and not the studio.
func (s *bookLab) close() {
	s.T.Helper()
	service := s.Service
	require.NoError(s.T, service.Close(s.T.Context()))
}

// restart ends the program as a kill does, at whatever it is doing, and starts it again.
func (s *bookLab) restart() {
	s.T.Helper()
	s.close()
	lab := s.Lab
	now, cancel := context.WithCancel(s.T.Context())
	cancel()
	require.NoError(s.T, lab.Close(now))
	lab.Start()
	s.open()
}

// paragraph returns a paragraph of two sentences that no other number has.
func paragraph(chapter, n int) string {
	name := studiotest.Word(chapter*20 + n)
	return fmt.Sprintf("This is the %s passage of the book. It has a second sentence about %s too.", name, name)
}

func textBlock(s string) backend.Block {
	return backend.Block{Kind: backend.BlockParagraph, Spans: []backend.Span{{Text: s}}}
}

func headingBlock(s string, level int) backend.Block {
	return backend.Block{
		Kind: backend.BlockHeading, Level: level, Spans: []backend.Span{{Text: s}}, Begins: []backend.Section{{Title: s, Level: level}},
	}
}

// manuscript returns a book of chapters with a heading and paragraphs.
func manuscript(chapters, paragraphs int) backend.Manuscript {
	m := backend.Manuscript{ManuscriptMeta: backend.ManuscriptMeta{Title: "The Book", Authors: []string{"Ann Author"}, Language: "en"}}
	for i := range chapters {
		m.Blocks = append(m.Blocks, headingBlock(fmt.Sprintf("Chapter %d", i+1), 1))
		for k := range paragraphs {
			m.Blocks = append(m.Blocks, textBlock(paragraph(i, k)))
		}
	}
	return m
}

func (s *bookLab) create(m backend.Manuscript) books.View {
	s.T.Helper()
	v, err := s.Create(s.T.Context(), books.NewBook{
		Manuscript: m, Source: backend.BookSource{Name: "book.epub"}, Options: backend.BookOptions{ProfileID: s.Profile.ID},
	})
	require.NoError(s.T, err)
	return v
}

// remove deletes a book.
func (s *bookLab) remove(id string) error {
	_, err := s.Delete(s.T.Context(), id)
	return err
}

// generate generates a book and waits for the end.
func (s *bookLab) generate(id string, chapters ...string) books.View {
	s.T.Helper()
	_, err := s.Generate(s.T.Context(), id, books.GenerateRequest{Chapters: chapters})
	require.NoError(s.T, err)
	return s.wait(id)
}

// wait waits until nothing of a book is generated.
func (s *bookLab) wait(id string) books.View {
	s.T.Helper()
	var v books.View
	require.Eventually(s.T, func() bool {
		var err error
		v, err = s.Book(s.T.Context(), id)
		return err == nil && !v.Generating
	}, 5*waitLimit, 10*waitStep) // a whole book; each look reads all of its chapters
	return v
}

func states(v books.View) string {
	var out []string
	for _, c := range v.Chapters {
		out = append(out, string(c.State))
	}
	return strings.Join(out, " ")
}

func titles(v books.View) (out []string) {
	for _, c := range v.Chapters {
		out = append(out, c.Title)
	}
	return out
}

const (
	waitLimit = studiotest.WaitLimit
	waitStep  = studiotest.WaitStep
)

func pow10(x float64) float64 { return math.Pow(10, x) }
