// Package parts names the parts of a file that are left out or changed, and counts them.
package parts

// The kinds of parts, which are the codes of the notes about them.
const (
	Footnotes = "footnotes"
	Marks     = "note_marks"
	Contents  = "contents"
	Index     = "index"
	Pictures  = "pictures"
	Media     = "media"
	Hidden    = "hidden"
	Ruby      = "ruby"
	Comments  = "comments"
	Deletions = "deletions"
	Embedded  = "embedded"
	Headers   = "page_headers"
	Numbers   = "page_numbers"
	Entries   = "contents_lines"
	Vertical  = "vertical_text"
	Pages     = "empty_pages"
	Repeated  = "repeated_lines"
	Noises    = "noises"
	Formulas  = "formulas"
)

// Counts counts the parts of each kind.
type Counts map[string]int
