//go:build unix

package extract_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract"
)

// printPage returns the command of a shell that prints a page as pdftotext -bbox-layout does.
func printPage(word string) string {
	const tags = `<page width="612" height="792">\n<line>\n<word xMin="72" yMin="72" xMax="110" yMax="84">%s</word>\n</line>\n</page>\n`
	return fmt.Sprintf("printf '"+tags+"'\n", word)
}

// printLines returns the command of a shell that prints a page whose lines have words of 20 points from left to right.
func printLines(lines ...string) string {
	out := "cat <<'END'\n<page width=\"612\" height=\"792\">\n"
	for i, line := range lines {
		out += "<line>\n"
		for k, word := range strings.Fields(line) {
			out += fmt.Sprintf("<word xMin=\"%d\" yMin=\"%d\" xMax=\"%d\" yMax=\"%d\">%s</word>\n", 50+24*k, 100+14*i, 70+24*k, 112+14*i, word)
		}
		out += "</line>\n"
	}
	return "#!/bin/sh\ncat >/dev/null\n" + out + "</page>\nEND\n"
}

// pdftotext has the characters of a line from left to right, whatever their script.
func TestPDFOfOtherScripts(t *testing.T) {
	for want, lines := range map[string][]string{
		"שלום אבישי, CC BY (כן) מי 2012":           {"2012 ימ )ןכ( CC BY ,ישיבא םולש"},
		"The word שלום רב is here.":                {"The word בר םולש is here."},
		"吾輩は猫である。名前はまだ無い。":                         {"吾輩は猫である。", "名前はまだ無い。"},
		"The first officer sees affluent flowers.": {"The ﬁrst oﬃcer sees aﬄuent ﬂowers."},
	} {
		program := filepath.Join(t.TempDir(), "pdftotext")
		require.NoError(t, os.WriteFile(program, []byte(printLines(lines...)), 0o700))
		doc, err := (&extract.Extractor{PDFToText: program}).Extract(t.Context(), "a.pdf", []byte("%PDF-1.4"))
		require.NoError(t, err)
		require.Equal(t, want, doc.Text)
	}
}

// In many fonts the hyphen is a soft one.
func TestPDFWithSoftHyphens(t *testing.T) {
	for want, lines := range map[string][]string{
		"We consider that the well-known rule is one-sided.": {"We con\u00ad", "sider that the well\u00adknown rule is one\u00ad", "sided."},
		"We consider that it is so.":                         {"We con&#173;", "sider that it is so."},
		"die EU- und NATO-Staaten und der Weg":               {"die EU\u00ad", "und NATO\u00adStaaten und der Weg"},
	} {
		program := filepath.Join(t.TempDir(), "pdftotext")
		require.NoError(t, os.WriteFile(program, []byte(printLines(lines...)), 0o700))
		doc, err := (&extract.Extractor{PDFToText: program}).Extract(t.Context(), "a.pdf", []byte("%PDF-1.4"))
		require.NoError(t, err)
		require.Equal(t, want, doc.Text)
	}
}

// pdftotext may end while another process still holds its input.
func TestPDFWhoseInputStaysOpen(t *testing.T) {
	program := filepath.Join(t.TempDir(), "pdftotext")
	script := "#!/bin/sh\n/bin/sleep 1 <&0 >/dev/null 2>&1 &\n" + printPage("Hello")
	require.NoError(t, os.WriteFile(program, []byte(script), 0o700))
	e := &extract.Extractor{PDFToText: program}
	doc, err := e.Extract(t.Context(), "a.pdf", []byte("%PDF-1.4\n"+strings.Repeat("more than a pipe holds", 10_000)))
	require.NoError(t, err)
	require.Equal(t, "Hello", doc.Text)
}

// A wrapper around pdftotext may leave a child behind that holds its output.
func TestPDFWhoseOutputAChildHolds(t *testing.T) {
	bin := t.TempDir()
	script := "#!/bin/sh\ncat >/dev/null\n" + printPage("Words.") + "/bin/sleep 1000 &\necho $! > " + bin + "/child\n"
	program := filepath.Join(bin, "pdftotext")
	require.NoError(t, os.WriteFile(program, []byte(script), 0o700))
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	doc, err := (&extract.Extractor{PDFToText: program}).Extract(ctx, "a.pdf", []byte("%PDF-1.4"))
	require.NoError(t, err, "it waits for a program that it did not start")
	require.Equal(t, "Words.", doc.Text)
	child, err := os.ReadFile(bin + "/child")
	require.NoError(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(child)))
	require.NoError(t, err)
	require.NoError(t, syscall.Kill(pid, syscall.SIGTERM))
}

func TestPDFOfEndlessText(t *testing.T) {
	for _, line := range []string{"Words of a page.", `<word xMin="1" yMin="1" xMax="2" yMax="2">word</word>`, "<page>"} {
		program := filepath.Join(t.TempDir(), "pdftotext")
		require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\nexec yes '"+line+"'\n"), 0o700))
		e := extract.Limited(1_000_000)
		e.PDFToText = program
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := e.Extract(t.Context(), "a.pdf", []byte("%PDF-1.4"))
		runtime.ReadMemStats(&after)
		require.Equal(t, backend.CodeUnsupportedMedia, backend.CodeOf(err))
		require.Contains(t, backend.AsError(err).Detail, "too much text")
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(500<<20))
	}
}
