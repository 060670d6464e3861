package extract_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract"
)

// spooled returns the path of a file with this content.
func spooled(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "upload")
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

func TestBookOfATextFile(t *testing.T) {
	book, err := (&extract.Extractor{}).Book(t.Context(), "My story.srt", "", spooled(t, "1\n00:00:01,000 --> 00:00:02,000\nHello.\n\n"+
		"2\n00:00:09,000 --> 00:00:10,000\nGood bye.\n"))
	require.NoError(t, err)
	require.Equal(t, []backend.Block{
		{Kind: backend.BlockParagraph, Spans: []backend.Span{{Text: "Hello."}}},
		{Kind: backend.BlockParagraph, Spans: []backend.Span{{Text: "Good bye."}}},
	}, book.Blocks)
	require.Equal(t, "My story", book.Title)
	require.Equal(t, "srt", book.Format)
	require.Equal(t, "UTF-8", book.Encoding)
}

// A file of 51 MB is too large as a text, and not as a zip file, which is unpacked part by part.
func TestSizeOfABook(t *testing.T) {
	path := spooled(t, "x")
	require.NoError(t, os.Truncate(path, extract.MaxFile+1))
	for name, want := range map[string]backend.Code{
		"a.srt": backend.CodeBodyTooLarge, "a.pdf": backend.CodeBodyTooLarge, "a.epub": backend.CodeUnsupportedMedia,
		"a.docx": backend.CodeUnsupportedMedia, "a.doc": backend.CodeUnsupportedMedia, "a.jpg": backend.CodeUnsupportedMedia,
	} {
		_, err := (&extract.Extractor{}).Book(t.Context(), name, "", path)
		require.Equal(t, want, backend.CodeOf(err), name)
	}
	require.NoError(t, os.Truncate(path, extract.MaxBook+1))
	_, err := (&extract.Extractor{}).Book(t.Context(), "a.epub", "", path)
	require.Equal(t, backend.CodeBodyTooLarge, backend.CodeOf(err))
	_, err = (&extract.Extractor{}).Book(t.Context(), "a.epub", "", path+"x")
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = (&extract.Extractor{}).Book(t.Context(), "a.srt", "klingon", path)
	require.ErrorContains(t, err, "klingon")
}
