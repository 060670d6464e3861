package extract

// The kinds of parts that are left out of a document or changed, which are counted.
const (
	leftFootnotes = "footnotes"
	leftMarks     = "note_marks"
	leftContents  = "contents"
	leftIndex     = "index"
	leftPictures  = "pictures"
	leftMedia     = "media"
	leftHidden    = "hidden"
	leftRuby      = "ruby"
	leftComments  = "comments"
	leftDeletions = "deletions"
	leftEmbedded  = "embedded"
	leftHeaders   = "page_headers"
	leftNumbers   = "page_numbers"
	leftEntries   = "contents_lines"
	leftVertical  = "vertical_text"
	leftPages     = "empty_pages"
	leftRepeated  = "repeated_lines"
	leftNoises    = "noises"
	readFormulas  = "formulas"
)

// partCounts counts the parts of each kind.
type partCounts map[string]int

// noteLeftOut adds a note for each kind of part to the document.
func (s *source) noteLeftOut() {
	for _, kind := range []struct{ code, one, other string }{
		{leftFootnotes, "%d footnote was left out.", "%d footnotes were left out."},
		{leftMarks, "%d note mark was left out.", "%d note marks were left out."},
		{leftContents, "%d table of contents was left out.", "%d tables of contents were left out."},
		{leftIndex, "%d index was left out.", "%d indexes were left out."},
		{leftPictures, "%d picture without a description was left out.", "%d pictures without a description were left out."},
		{leftMedia, "%d audio or video part was left out.", "%d audio or video parts were left out."},
		{leftHidden, "%d hidden part was left out.", "%d hidden parts were left out."},
		{leftRuby, "%d reading aid above a word was left out.", "%d reading aids above words were left out."},
		{leftComments, "%d comment was left out.", "%d comments were left out."},
		{leftDeletions, "%d deletion of tracked changes was left out.", "%d deletions of tracked changes were left out."},
		{leftEmbedded, "%d embedded document was left out.", "%d embedded documents were left out."},
		{leftHeaders, "%d header or footer of a page was left out.", "%d headers or footers of pages were left out."},
		{leftNumbers, "%d page number was left out.", "%d page numbers were left out."},
		{leftEntries, "%d line of a table of contents was left out.", "%d lines of a table of contents were left out."},
		{leftVertical, "%d line along the edge of a page was left out.", "%d lines along the edge of pages were left out."},
		{leftPages, "%d page has no text; it may be a picture.", "%d pages have no text; they may be pictures."},
		{
			leftRepeated, "%d line that a caption repeats of the one before it was left out.",
			"%d lines that captions repeat of those before them were left out.",
		},
		{leftNoises, "%d description of a noise in brackets was left out.", "%d descriptions of noises in brackets were left out."},
		{readFormulas, "%d formula is read sign by sign.", "%d formulas are read sign by sign."},
	} {
		if n := s.leftOut[kind.code]; n > 0 {
			s.note(kind.code, counted(n, kind.one, kind.other), map[string]any{"count": n})
		}
	}
	clear(s.leftOut)
}
