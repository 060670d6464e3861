package books_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/books"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
)

// spoken returns which texts the engine spoke since the last call.
func (s *bookLab) spoken(before map[string]int) (texts []string) {
	for text, n := range s.engine.ByText {
		if n > before[text] {
			texts = append(texts, text)
		}
	}
	slices.Sort(texts)
	return texts
}

func (s *bookLab) calls() map[string]int {
	out := map[string]int{}
	for text, n := range s.engine.ByText {
		out[text] = n
	}
	return out
}

// TestOnlyWhatChangedIsSpoken changes a finished book of 24 chapters in every way.
func TestOnlyWhatChangedIsSpoken(t *testing.T) {
	s := newLab(t)
	v := s.generate(s.create(manuscript(24, 3)).ID)
	require.Equal(t, 24, strings.Count(states(v), "done"))
	require.Zero(t, v.Passages.Reused)

	before := s.calls()
	v, err := s.EditBlock(t.Context(), v.ID, v.Chapters[7].ID, 2, strings.Replace(paragraph(7, 1), "passage", "word", 1))
	require.NoError(t, err)
	v = s.generate(v.ID)
	require.Equal(t, books.StateDone, v.State)
	require.Len(t, s.spoken(before), 2, "the passage with the other word has two sentences")
	require.Equal(t, books.Passages{Generated: 1, Reused: v.Passages.Reused}, v.Passages)
	require.Positive(t, v.Passages.Reused)

	before = s.calls()
	v, err = s.Merge(t.Context(), v.ID, v.Chapters[0].ID)
	require.NoError(t, err)
	v, err = s.Split(t.Context(), v.ID, v.Chapters[4].ID, 2, "")
	require.NoError(t, err)
	v, err = s.Move(t.Context(), v.ID, v.Chapters[9].ID, 2)
	require.NoError(t, err)
	v, err = s.Change(t.Context(), v.ID, books.Patch{Options: &backend.BookOptions{
		ProfileID: s.Profile.ID, Language: "en", Pauses: backend.PauseOptions{Paragraph: new(1.5)},
	}})
	require.NoError(t, err)
	require.NotContains(t, states(v), "done")
	v = s.generate(v.ID)
	require.Equal(t, 24, strings.Count(states(v), "done"))
	require.Equal(t, []string{"Chapter six (two)"}, normal(s.spoken(before)), "only the title of the new chapter is spoken")

	before = s.calls()
	m := manuscript(24, 3)
	m.Blocks = slices.Concat(m.Blocks[8:12], m.Blocks[:8], m.Blocks[12:92], []backend.Block{textBlock("A new end of the book.")}, m.Blocks[92:])
	updated, err := s.Update(t.Context(), v.ID, m, backend.BookSource{Name: "new.epub"})
	require.NoError(t, err)
	require.Equal(t, "new.epub", updated.Source.Name)
	v = s.generate(v.ID)
	require.Equal(t, 24, strings.Count(states(v), "done"))
	require.LessOrEqual(t, len(s.spoken(before)), 2, "the new paragraph, and the sentence that was edited")
	require.Contains(t, s.spoken(before), "A new end of the book.")
}

// normal returns texts as they are written.
func normal(spoken []string) (out []string) {
	for _, s := range spoken {
		out = append(out, strings.TrimSuffix(s, "."))
	}
	return out
}

// TestUpdateKeepsWhatTheUserChanged imports a changed file.
func TestUpdateKeepsWhatTheUserChanged(t *testing.T) {
	s := newLab(t)
	v := s.create(manuscript(5, 3))
	v, err := s.ChangeChapter(t.Context(), v.ID, v.Chapters[1].ID, books.ChapterPatch{
		Title: new("My title"), Options: &backend.BookOptions{Speed: new(1.5)},
	})
	require.NoError(t, err)
	v, err = s.ChangeChapter(t.Context(), v.ID, v.Chapters[2].ID, books.ChapterPatch{Skipped: new(true)})
	require.NoError(t, err)
	m := manuscript(6, 3)
	m.Blocks = slices.Concat(m.Blocks[:4], m.Blocks[8:12], m.Blocks[4:8], []backend.Block{textBlock("More.")}, m.Blocks[16:])
	updated, err := s.Update(t.Context(), v.ID, m, backend.BookSource{Name: "book.epub", SHA256: "other"})
	require.NoError(t, err)
	require.Equal(t, []string{"Chapter 1", "Chapter 3", "My title", "Chapter 5", "Chapter 6"}, titles(updated.View))
	require.Equal(t, books.UpdateReport{Same: 3, Changed: 1, New: 1, Removed: 1}, updated.Report)
	require.True(t, updated.Chapters[1].Skipped)
	spoken, err := s.Spoken(t.Context(), v.ID, updated.Chapters[2].ID)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(spoken[0], "# My title\n\nThis is"), "the heading is spoken as it was renamed")
	require.InDelta(t, 1.5, *updated.Chapters[2].Options.Speed, 0)
	undone, err := s.Undo(t.Context(), v.ID)
	require.NoError(t, err)
	require.Equal(t, []string{"Chapter 1", "My title", "Chapter 3", "Chapter 4", "Chapter 5"}, titles(undone))
	require.Empty(t, undone.Source.SHA256)
}

// TestVoiceIsDeleted deletes the voice while a book is generated.
func TestVoiceIsDeleted(t *testing.T) {
	s := newLab(t)
	p, err := s.DB.Create(t.Context(), backend.Profile{Name: "Bella", Language: "en", VoiceType: backend.VoiceDefault})
	require.NoError(t, err)
	v, err := s.Create(t.Context(), books.NewBook{Manuscript: manuscript(3, 2), Options: backend.BookOptions{ProfileID: p.ID}})
	require.NoError(t, err)
	v = s.generate(v.ID, v.Chapters[0].ID)
	err = s.DB.DeleteProfile(t.Context(), p.ID)
	require.NoError(t, err)
	v = s.generate(v.ID)
	require.Equal(t, "done failed failed", states(v))
	require.Equal(t, backend.CodeProfileNotFound, v.Chapters[1].Error.Code)
	require.Contains(t, v.Chapters[1].Error.Detail, "“Bella”")
	require.Contains(t, v.Chapters[1].Error.Remedy, "Choose another voice")
	require.Equal(t, "Bella", v.MissingVoice)
	require.FileExists(t, s.Stored(v.Chapters[0].Generations[0]).AudioPath, "kept sound stays")
	v, err = s.Change(t.Context(), v.ID, books.Patch{Options: &backend.BookOptions{ProfileID: s.Profile.ID}})
	require.NoError(t, err)
	v = s.generate(v.ID, v.Chapters[1].ID, v.Chapters[2].ID)
	require.Equal(t, "changed done done", states(v), "the sound of the former voice stays")
	require.Empty(t, v.MissingVoice)
	_, err = s.Export(t.Context(), v.ID, nil)
	require.Equal(t, backend.CodeNotInProgress, backend.CodeOf(err))
}

// TestAVoiceThatDoesNotExist says what is wrong with it, and speaks with another one.
func TestAVoiceThatDoesNotExist(t *testing.T) {
	s := newLab(t)
	v, err := s.Create(t.Context(), books.NewBook{
		Manuscript: manuscript(1, 1), Options: backend.BookOptions{ProfileID: s.Profile.ID, Voice: "nobody"},
	})
	require.NoError(t, err)
	v = s.generate(v.ID)
	require.Equal(t, "failed", states(v))
	require.Equal(t, backend.CodeModelUnknown, v.Chapters[0].Error.Code)
	require.Contains(t, v.Chapters[0].Error.Detail, "cannot be spoken with its voice: ")
	_, err = s.Change(t.Context(), v.ID, books.Patch{Options: &backend.BookOptions{ProfileID: s.Profile.ID}})
	require.NoError(t, err)
	require.Equal(t, "done", states(s.generate(v.ID)))
}

// TestAFailedChapterDoesNotStopTheOthers breaks the engine in one chapter.
func TestAFailedChapterDoesNotStopTheOthers(t *testing.T) {
	s := newLab(t)
	v := s.create(manuscript(3, 2))
	s.engine.Allow(func(text string) error {
		if strings.Contains(text, "Chapter two") || strings.Contains(text, "Chapter 2") {
			return backend.E(backend.CodeEngineFailed, "The engine broke.", "Retry it.")
		}
		return nil
	})
	v = s.generate(v.ID)
	require.Equal(t, "done failed done", states(v))
	require.Equal(t, backend.CodeEngineFailed, v.Chapters[1].Error.Code)
	s.engine.Allow(nil)
	require.Equal(t, "done done done", states(s.generate(v.ID)))
}

// TestAgainSpeaksAnew regenerates a chapter that is done.
func TestAgainSpeaksAnew(t *testing.T) {
	s := newLab(t)
	v := s.generate(s.create(manuscript(2, 1)).ID)
	spoken := s.engine.Total()
	_, err := s.Generate(t.Context(), v.ID, books.GenerateRequest{Chapters: []string{v.Chapters[0].ID}, Again: true})
	require.NoError(t, err)
	again := s.wait(v.ID)
	require.Equal(t, "done done", states(again))
	require.NotEqual(t, v.Chapters[0].Generations, again.Chapters[0].Generations)
	require.Equal(t, spoken+spoken/2, s.engine.Total())
	require.Eventually(t, func() bool {
		history, err := s.DB.Generations(t.Context(), backend.GenerationFilter{})
		return err == nil && history.Total == 2
	}, waitLimit, waitStep, "the former generation has gone")
}

// TestExportHasOneGainAVoice exports a book.
func TestExportHasOneGainAVoice(t *testing.T) {
	s := newLab(t)
	v := s.generate(s.create(manuscript(3, 4)).ID)
	e, err := s.Export(t.Context(), v.ID, nil)
	require.NoError(t, err)
	require.Len(t, e.Chapters, 3)
	require.Equal(t, "The Book", e.Title)
	require.Equal(t, s.Profile.Name, e.Narrator, "without a narrator it is the voice")
	require.InDelta(t, 2, e.Chapters[0].Pause, 0)
	require.Zero(t, e.Chapters[2].Pause)
	var raw []string
	for _, c := range e.Chapters {
		f := c.Files[0]
		g := s.Stored(f.Generation)
		require.Equal(t, g.AudioPath, f.Path)
		require.Positive(t, f.Frames)
		raw = append(raw, fmt.Sprintf("%.4f", f.Gain*pow10(g.Receipt.GainDB/20)))
	}
	require.Equal(t, []string{raw[0], raw[0], raw[0]}, raw, "the voice has one gain from the engine on")
	e, err = s.Export(t.Context(), v.ID, []string{v.Chapters[1].ID})
	require.NoError(t, err)
	require.Len(t, e.Chapters, 1)
}

// TestChangesWhileItIsGenerated edits, merges and deletes chapters while they are spoken.
func TestChangesWhileItIsGenerated(t *testing.T) {
	s := newLab(t)
	v := s.create(manuscript(4, 2))
	gate, entered := make(chan struct{}), make(chan struct{}, 100)
	s.engine.Allow(func(string) error {
		entered <- struct{}{}
		<-gate
		return nil
	})
	_, err := s.Generate(t.Context(), v.ID, books.GenerateRequest{})
	require.NoError(t, err)
	<-entered
	_, err = s.EditBlock(t.Context(), v.ID, v.Chapters[0].ID, 2, "Edited while it was spoken.")
	require.NoError(t, err)
	_, err = s.Merge(t.Context(), v.ID, v.Chapters[1].ID)
	require.NoError(t, err)
	_, err = s.ChangeChapter(t.Context(), v.ID, v.Chapters[3].ID, books.ChapterPatch{Skipped: new(true)})
	require.NoError(t, err)
	close(gate)
	v = s.wait(v.ID)
	require.Equal(t, "done done new", states(v))
	require.Contains(t, s.Stored(v.Chapters[0].Generations[0]).Text, "Edited while it was spoken.")
	require.Contains(t, s.Stored(v.Chapters[1].Generations[0]).Text, "# Chapter 3")
	require.Equal(t, 1, s.engine.Calls("This is the "+studiotest.Word(0)+" passage of the book."), "what was spoken is used")
}

// TestDonorsAreThoseThatHelp changes how a book is spoken: another pause needs the sound of the same chapter, another speed none.
func TestDonorsAreThoseThatHelp(t *testing.T) {
	s := newLab(t)
	v := s.generate(s.create(manuscript(4, 2)).ID)
	before := v
	o := backend.BookOptions{ProfileID: s.Profile.ID, Language: "en", Pauses: backend.PauseOptions{Paragraph: new(1.5)}}
	_, err := s.Change(t.Context(), v.ID, books.Patch{Options: &o})
	require.NoError(t, err)
	v = s.generate(v.ID)
	require.Zero(t, v.Passages.Generated)
	for i, c := range v.Chapters {
		require.Equal(t, before.Chapters[i].Generations, s.Stored(c.Generations[0]).Request.Donors)
	}
	o.Speed = new(1.5)
	_, err = s.Change(t.Context(), v.ID, books.Patch{Options: &o})
	require.NoError(t, err)
	v = s.generate(v.ID)
	for _, c := range v.Chapters {
		require.Empty(t, s.Stored(c.Generations[0]).Request.Donors)
	}
}

// TestAChangedProfileIsNoticed changes the name of a voice, and then the voice.
func TestAChangedProfileIsNoticed(t *testing.T) {
	s := newLab(t)
	v := s.generate(s.create(manuscript(2, 2)).ID)
	_, err := s.DB.UpdateProfile(t.Context(), s.Profile.ID, backend.ProfilePatch{Name: new("Renamed")})
	require.NoError(t, err)
	v, err = s.Book(t.Context(), v.ID)
	require.NoError(t, err)
	require.Equal(t, "done done", states(v))
	_, err = s.DB.UpdateProfile(t.Context(), s.Profile.ID, backend.ProfilePatch{Speed: new(1.25)})
	require.NoError(t, err)
	v, err = s.Book(t.Context(), v.ID)
	require.NoError(t, err)
	require.Equal(t, "changed changed", states(v))
	v = s.generate(v.ID)
	require.Equal(t, "done done", states(v))
	require.InDelta(t, 1.25, s.Stored(v.Chapters[0].Generations[0]).Speed, 0)
}
