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
		{readFormulas, "%d formula is read sign by sign.", "%d formulas are read sign by sign."},
	} {
		if n := s.leftOut[kind.code]; n > 0 {
			s.note(kind.code, counted(n, kind.one, kind.other), map[string]any{"count": n})
		}
	}
	clear(s.leftOut)
}
