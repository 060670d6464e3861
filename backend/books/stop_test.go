package books_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/books"
)

// gateStore stops where a book is read until it is opened.
type gateStore struct {
	books.Store
	texts, list *gate
}

// gate holds the next call up.
type gate struct {
	on            atomic.Bool
	entered, open chan struct{}
}

func newGate() *gate { return &gate{entered: make(chan struct{}), open: make(chan struct{})} }

func (g *gate) pass() {
	if g.on.CompareAndSwap(true, false) {
		g.entered <- struct{}{}
		<-g.open
	}
}

func (s *bookLab) openGate() *gateStore {
	s.close()
	g := &gateStore{Store: s.DB, texts: newGate(), list: newGate()}
	s.openWith(g)
	return g
}

// BookTexts waits where the next part is prepared.
func (g *gateStore) BookTexts(ctx context.Context, id string, keys []string) (map[string][]backend.Block, error) {
	defer g.texts.pass()
	return g.Store.BookTexts(ctx, id, keys)
}

// BookGenerations waits with what it has read.
func (g *gateStore) BookGenerations(ctx context.Context, id string) ([]string, error) {
	defer g.list.pass()
	return g.Store.BookGenerations(ctx, id)
}

// hold has the engine wait in what it speaks next, until release is called; entered tells that it waits.
func (s *bookLab) hold() (entered chan struct{}, release func()) {
	entered, gate := make(chan struct{}, 100), make(chan struct{})
	s.engine.Allow(func(string) error {
		entered <- struct{}{}
		<-gate
		return nil
	})
	return entered, func() {
		s.engine.Allow(nil)
		close(gate)
	}
}

func (s *bookLab) history() int {
	s.T.Helper()
	list, err := s.DB.Generations(s.T.Context(), backend.GenerationFilter{})
	require.NoError(s.T, err)
	return list.Total
}

// TestUndoBringsTheFormerSoundBack undoes another speed after the book was generated with it.
func TestUndoBringsTheFormerSoundBack(t *testing.T) {
	s := newLab(t)
	v := s.generate(s.create(manuscript(2, 2)).ID)
	first := v.Chapters[0].Generations
	v, err := s.Change(t.Context(), v.ID, books.Patch{Options: &backend.BookOptions{
		ProfileID: s.Profile.ID, Language: "en", Speed: new(1.5),
	}})
	require.NoError(t, err)
	s.generate(v.ID)
	v, err = s.Undo(t.Context(), v.ID)
	require.NoError(t, err)
	require.Equal(t, "done done", states(v))
	require.Equal(t, first, v.Chapters[0].Generations)
	require.Equal(t, backend.StatusComplete, s.Stored(first[0]).Status)
}

// TestStopWhileAPartIsPrepared stops between the choice of a part and its generation.
func TestStopWhileAPartIsPrepared(t *testing.T) {
	s := newLab(t)
	v, other := s.create(manuscript(2, 3)), s.create(manuscript(1, 1))
	g := s.openGate()
	g.texts.on.Store(true)
	_, err := s.Generate(t.Context(), v.ID, books.GenerateRequest{})
	require.NoError(t, err)
	<-g.texts.entered
	v, err = s.Stop(t.Context(), v.ID)
	require.NoError(t, err)
	require.False(t, v.Generating)
	close(g.texts.open)
	s.generate(other.ID)
	require.Equal(t, 1, s.history())
	v, err = s.Book(t.Context(), v.ID)
	require.NoError(t, err)
	require.Equal(t, "new new", states(v))
}

// TestStopAndGenerateAtOnce goes on before the stopped generation has ended.
func TestStopAndGenerateAtOnce(t *testing.T) {
	s := newLab(t)
	v := s.create(manuscript(2, 3))
	for range 3 {
		entered, release := s.hold()
		_, err := s.Generate(t.Context(), v.ID, books.GenerateRequest{Again: true})
		require.NoError(t, err)
		<-entered
		stopped := make(chan error, 1)
		go func() {
			_, err := s.Stop(context.WithoutCancel(t.Context()), v.ID)
			stopped <- err
		}()
		require.Eventually(t, func() bool {
			now, err := s.Book(t.Context(), v.ID)
			return err == nil && !now.Generating
		}, waitLimit, waitStep)
		_, err = s.Generate(t.Context(), v.ID, books.GenerateRequest{})
		require.NoError(t, err)
		release()
		require.NoError(t, <-stopped)
		require.Equal(t, "done done", states(s.wait(v.ID)))
	}
}

// TestUndoWhileItIsGenerated undoes the edit of a chapter that is spoken.
func TestUndoWhileItIsGenerated(t *testing.T) {
	s := newLab(t)
	v := s.create(manuscript(2, 3))
	v, err := s.EditBlock(t.Context(), v.ID, v.Chapters[0].ID, 1, "Something else.")
	require.NoError(t, err)
	s.changeWhileHeld(v.ID, func() error {
		_, err := s.Undo(t.Context(), v.ID)
		return err
	})
	v = s.wait(v.ID)
	require.Equal(t, "done done", states(v))
	require.NotContains(t, s.Stored(v.Chapters[0].Generations[0]).Text, "Something else.")
}

// changeWhileHeld changes a book while the engine speaks it, and lets it go on when the change is stored.
func (s *bookLab) changeWhileHeld(id string, change func() error) {
	s.T.Helper()
	entered, release := s.hold()
	_, err := s.Generate(s.T.Context(), id, books.GenerateRequest{})
	require.NoError(s.T, err)
	<-entered
	before, err := s.DB.Book(s.T.Context(), id)
	require.NoError(s.T, err)
	changed := make(chan error, 1)
	go func() { changed <- change() }()
	require.Eventually(s.T, func() bool {
		now, err := s.DB.Book(s.T.Context(), id)
		return err == nil && now.Undos != before.Undos
	}, waitLimit, waitStep)
	release()
	require.NoError(s.T, <-changed)
}

// TestAgainAndARename speaks a chapter anew while it is spoken, and renames another one.
func TestAgainAndARename(t *testing.T) {
	s := newLab(t)
	v := s.create(manuscript(3, 3))
	s.changeWhileHeld(v.ID, func() error {
		if _, err := s.Generate(t.Context(), v.ID, books.GenerateRequest{Again: true}); err != nil {
			return err
		}
		_, err := s.ChangeChapter(t.Context(), v.ID, v.Chapters[2].ID, books.ChapterPatch{Title: new("Renamed")})
		return err
	})
	require.Equal(t, "done done done", states(s.wait(v.ID)))
}

// TestSplitWhileItIsGenerated generates both halves.
func TestSplitWhileItIsGenerated(t *testing.T) {
	s := newLab(t)
	v := s.create(manuscript(2, 4))
	s.changeWhileHeld(v.ID, func() error {
		_, err := s.Split(t.Context(), v.ID, v.Chapters[0].ID, 3, "Second")
		return err
	})
	require.Equal(t, "done done done", states(s.wait(v.ID)))
}

// TestOtherDepthWhileItIsGenerated cuts a book again while it is spoken.
func TestOtherDepthWhileItIsGenerated(t *testing.T) {
	s := newLab(t)
	m := manuscript(1, 1)
	m.Blocks = append(m.Blocks, headingBlock("Section", 2), textBlock(paragraph(3, 1)))
	v, err := s.Create(t.Context(), books.NewBook{Manuscript: m, Depth: 1, Options: backend.BookOptions{ProfileID: s.Profile.ID}})
	require.NoError(t, err)
	require.Len(t, v.Chapters, 1)
	s.changeWhileHeld(v.ID, func() error {
		_, err := s.Change(t.Context(), v.ID, books.Patch{Depth: new(2)})
		return err
	})
	require.Equal(t, "done done", states(s.wait(v.ID)))
}

// TestDeleteWhileAPartIsPrepared deletes a book that gets a generation meanwhile.
func TestDeleteWhileAPartIsPrepared(t *testing.T) {
	s := newLab(t)
	v, other := s.create(manuscript(2, 3)), s.create(manuscript(1, 1))
	g := s.openGate()
	g.texts.on.Store(true)
	_, err := s.Generate(t.Context(), v.ID, books.GenerateRequest{})
	require.NoError(t, err)
	<-g.texts.entered
	g.list.on.Store(true)
	speaks, release := s.hold()
	deleted := make(chan error, 1)
	go func() {
		_, err := s.Delete(context.WithoutCancel(t.Context()), v.ID)
		deleted <- err
	}()
	<-g.list.entered
	close(g.texts.open)
	_, err = s.Generate(t.Context(), other.ID, books.GenerateRequest{})
	require.NoError(t, err)
	<-speaks
	close(g.list.open)
	require.NoError(t, <-deleted)
	release()
	s.wait(other.ID)
	require.Equal(t, 1, s.history())
}

// TestAChapterReadsNothing leaves out in one chapter what the book reads.
func TestAChapterReadsNothing(t *testing.T) {
	s := newLab(t)
	m := manuscript(2, 1)
	m.Blocks[1].Spans = append(m.Blocks[1].Spans, backend.Span{Text: " Secret footnote.", Class: backend.ClassNotes})
	v := s.create(m)
	v, err := s.Change(t.Context(), v.ID, books.Patch{Options: &backend.BookOptions{
		ProfileID: s.Profile.ID, Read: []backend.TextClass{backend.ClassNotes},
	}})
	require.NoError(t, err)
	_, err = s.ChangeChapter(t.Context(), v.ID, v.Chapters[0].ID, books.ChapterPatch{
		Options: &backend.BookOptions{Read: []backend.TextClass{}},
	})
	require.NoError(t, err)
	v, err = s.Book(t.Context(), v.ID)
	require.NoError(t, err)
	require.Equal(t, 2, v.Chapters[0].LeftOut)
	v = s.generate(v.ID)
	require.NotContains(t, s.Stored(v.Chapters[0].Generations[0]).Text, "footnote")
}

// TestMergeKeepsHowChaptersAreSpoken merges chapters that are spoken otherwise.
func TestMergeKeepsHowChaptersAreSpoken(t *testing.T) {
	s := newLab(t)
	v := s.create(manuscript(4, 1))
	v, err := s.ChangeChapter(t.Context(), v.ID, v.Chapters[0].ID, books.ChapterPatch{Skipped: new(true)})
	require.NoError(t, err)
	_, err = s.Merge(t.Context(), v.ID, v.Chapters[0].ID)
	require.ErrorContains(t, err, "skip both or none")
	v, err = s.ChangeChapter(t.Context(), v.ID, v.Chapters[1].ID, books.ChapterPatch{Options: &backend.BookOptions{Speed: new(1.5)}})
	require.NoError(t, err)
	_, err = s.Merge(t.Context(), v.ID, v.Chapters[1].ID)
	require.ErrorContains(t, err, "different options")
	v, err = s.Merge(t.Context(), v.ID, v.Chapters[2].ID)
	require.NoError(t, err)
	require.Len(t, v.Chapters, 3)
}
