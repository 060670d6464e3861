package extract_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract"
)

// A small file whose elements are nested hundreds of thousands of times must not end the program, whatever the elements are.
func TestDeeplyNestedWordDocuments(t *testing.T) {
	const size = 1_000_000 // bytes
	for _, name := range []string{
		"w:p", "w:r", "w:p><w:r", "mc:AlternateContent", "mc:AlternateContent><mc:Choice", "w:tbl", "w:tbl><w:tr><w:tc", "w:txbxContent",
		"w:drawing", "w:pict", "w:sdt", "w:ins", "w:r><w:txbxContent><w:p", "w:tbl><w:tr><w:tc><w:p><w:r",
	} {
		_, err := (&extract.Extractor{}).Extract(t.Context(), "a.docx", []byte(docx(strings.Repeat("<"+name+">", size/len(name)), nil)))
		require.Equal(t, backend.CodeUnsupportedMedia, backend.AsError(err).Code, name)
		require.Equal(t, "too_much", backend.AsError(err).Params["reason"], name)
	}
	for _, name := range []string{"w:del", "w:sdtPr", "w:object", "w:rt", "w:t", "w:pPr", "w:rPr"} { // these are passed over
		body := para("", run("Before.")) + strings.Repeat("<"+name+">", size/10) + strings.Repeat("</"+name+">", size/10)
		require.Contains(t, read(t, "a.docx", docx(body, nil)).Text, "Before.", name)
	}
	properties := "<w:p><w:pPr>" + strings.Repeat("<w:rPr>", size/10)
	require.Equal(t, "Before.", read(t, "a.docx", docx(para("", run("Before."))+properties, nil)).Text)
	deep := strings.Repeat("<w:p><w:r><w:txbxContent>", 50) + para("", run("Inside.")) + strings.Repeat("</w:txbxContent></w:r></w:p>", 50)
	require.Equal(t, "Inside.", read(t, "a.docx", docx(deep, nil)).Text)
}

// Rows of tables in tables are deleted each for itself.
func TestDeletedRowsOfNestedTables(t *testing.T) {
	const deleted = `<w:trPr><w:del w:id="1"/></w:trPr>`
	table := func(properties, cell string) string {
		return `<w:tbl><w:tr>` + properties + `<w:tc>` + cell + `</w:tc></w:tr></w:tbl>`
	}
	for name, c := range map[string]struct{ body, want string }{
		"inner":  {table("", para("", run("Kept."))+table(deleted, para("", run("gone")))), "Kept."},
		"outer":  {table(deleted, para("", run("gone"))+table("", para("", run("gone")))) + para("", run("After.")), "After."},
		"before": {table("", table(deleted, para("", run("gone")))+para("", run("Kept."))), "Kept."},
	} {
		doc := read(t, "a.docx", docx(c.body, nil))
		require.Equal(t, c.want, doc.Text, name)
		require.Equal(t, []string{"deletions"}, codes(doc.Notes), name)
		require.Equal(t, 1, doc.Notes[0].Params["count"], name)
	}
}

// A long chain of paragraphs whose ends were deleted is read in the time that its length takes.
func TestManyDeletedEnds(t *testing.T) {
	const times = 60_000
	open := `<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>` + run("A few words of it, ") + `</w:p>`
	doc := read(t, "a.docx", docx(strings.Repeat(open, times)+para("", run("and its end.")), nil))
	require.Equal(t, strings.Repeat("A few words of it, ", times)+"and its end.", doc.Text)
}

// Many open fields do not slow every word behind them down.
func TestManyOpenFields(t *testing.T) {
	const fields = 200_000
	open := `<w:r><w:fldChar w:fldCharType="begin"/><w:fldChar w:fldCharType="separate"/></w:r>`
	doc := read(t, "a.docx", docx(para("", strings.Repeat(open, fields)+run("a")+`<w:r>`+strings.Repeat("<w:tab/>", 500_000)+`</w:r>`+run("b")), nil))
	require.Equal(t, "a b", doc.Text)
}
