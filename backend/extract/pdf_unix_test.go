//go:build unix

package extract_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/extract"
)

// TestPDFWhoseInputIsLate has a program that has done its work while something still holds its input.
func TestPDFWhoseInputIsLate(t *testing.T) {
	program := filepath.Join(t.TempDir(), "pdftotext")
	script := "#!/bin/sh\n/bin/sleep 1 <&0 >/dev/null 2>&1 &\necho Hello\n"
	require.NoError(t, os.WriteFile(program, []byte(script), 0o700))
	e := &extract.Extractor{PDFToText: program}
	doc, err := e.Extract(t.Context(), "a.pdf", []byte("%PDF-1.4\n"+strings.Repeat("more than a pipe holds", 10_000)))
	require.NoError(t, err)
	require.Equal(t, "Hello", doc.Text)
}
