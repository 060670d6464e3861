package extract

import "github.com/voicewright/voicewright/backend/extract/internal/parts"

// noteLeftOut adds a note for each kind of part to the document.
func (s *source) noteLeftOut() {
	for _, kind := range []struct{ code, one, other string }{
		{parts.Footnotes, "%d footnote was left out.", "%d footnotes were left out."},
		{parts.Marks, "%d note mark was left out.", "%d note marks were left out."},
		{parts.Contents, "%d table of contents was left out.", "%d tables of contents were left out."},
		{parts.Index, "%d index was left out.", "%d indexes were left out."},
		{parts.Pictures, "%d picture without a description was left out.", "%d pictures without a description were left out."},
		{parts.Media, "%d audio or video part was left out.", "%d audio or video parts were left out."},
		{parts.Hidden, "%d hidden part was left out.", "%d hidden parts were left out."},
		{parts.Ruby, "%d reading aid above a word was left out.", "%d reading aids above words were left out."},
		{parts.Comments, "%d comment was left out.", "%d comments were left out."},
		{parts.Deletions, "%d deletion of tracked changes was left out.", "%d deletions of tracked changes were left out."},
		{parts.Embedded, "%d embedded document was left out.", "%d embedded documents were left out."},
		{parts.Headers, "%d header or footer of a page was left out.", "%d headers or footers of pages were left out."},
		{parts.Numbers, "%d page number was left out.", "%d page numbers were left out."},
		{parts.Entries, "%d line of a table of contents was left out.", "%d lines of a table of contents were left out."},
		{parts.Vertical, "%d line along the edge of a page was left out.", "%d lines along the edge of pages were left out."},
		{parts.Pages, "%d page has no text; it may be a picture.", "%d pages have no text; they may be pictures."},
		{
			parts.Repeated, "%d line that a caption repeats of the one before it was left out.",
			"%d lines that captions repeat of those before them were left out.",
		},
		{parts.Noises, "%d description of a noise in brackets was left out.", "%d descriptions of noises in brackets were left out."},
		{parts.Formulas, "%d formula is read sign by sign.", "%d formulas are read sign by sign."},
	} {
		if n := s.leftOut[kind.code]; n > 0 {
			s.note(kind.code, counted(n, kind.one, kind.other), map[string]any{"count": n})
		}
	}
	clear(s.leftOut)
}
