package pdf

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract/internal/blocks"
	"github.com/voicewright/voicewright/backend/extract/internal/prose"
	"github.com/voicewright/voicewright/backend/pattern"
	"github.com/voicewright/voicewright/backend/subprocess"
)

// outlineItem is an entry of the outline of a PDF file.
type outlineItem struct {
	title string
	level int // 1 is the outermost
	page  int // from 0; -1 for an entry without a place
}

const (
	maxOutline = 8_000_000 // bytes that pdftohtml may write
	maxItems   = 20_000
	maxBegins  = 20 // entries with one place
)

// outlineOutput keeps what pdftohtml writes up to a limit.
type outlineOutput struct {
	bytes.Buffer
	exceeded func()
}

// Write implements io.Writer.
func (o *outlineOutput) Write(p []byte) (int, error) {
	if o.Len()+len(p) > maxOutline {
		o.exceeded()
		return len(p), nil
	}
	return o.Buffer.Write(p)
}

// outline returns the outline of a PDF file by pdftohtml, which is installed with pdftotext; none where it is not, or fails.
func (f File) outline(ctx context.Context) []outlineItem {
	program, err := Program(f.Program)
	if err != nil {
		return nil
	}
	folder, name := filepath.Split(program)
	program = filepath.Join(folder, strings.Replace(name, "pdftotext", "pdftohtml", 1))
	if !strings.Contains(name, "pdftotext") {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// The name of a file is demanded, and not used with -stdout.
	args := []string{"-xml", "-i", "-q", "-stdout", "-f", "1", "-l", "1", "-enc", "UTF-8", "-", "outline"}
	cmd := subprocess.Tool(ctx, []string{"LC_ALL=C"}, program, args...)
	cmd.Stdin = bytes.NewReader(f.Raw)
	cmd.WaitDelay = pipeDelay
	out := &outlineOutput{exceeded: cancel}
	cmd.Stdout = out
	if err := cmd.Run(); err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		return nil
	}
	return readOutline(out.Bytes())
}

// readOutline returns the outline in the XML that pdftohtml writes.
func readOutline(output []byte) []outlineItem {
	at := bytes.Index(output, []byte("\n<outline>\n")) // text is escaped
	if at < 0 {
		return nil
	}
	d := xml.NewDecoder(bytes.NewReader(bytes.ToValidUTF8(output[at:], nil)))
	d.Strict, d.Entity = false, xml.HTMLEntity
	var all []outlineItem
	level := 0
	var item *outlineItem
	for len(all) < maxItems {
		token, err := d.Token()
		if err != nil {
			break
		}
		switch t := token.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "outline":
				level++
			case "item":
				page, err := strconv.Atoi(pageOf(t))
				if err != nil {
					page = 0
				}
				all = append(all, outlineItem{level: level, page: page - 1})
				item = &all[len(all)-1]
			}
		case xml.CharData:
			if item != nil {
				item.title += string(t)
			}
		case xml.EndElement:
			item = nil
			if t.Name.Local == "outline" {
				level--
			}
		}
	}
	for i := range all {
		all[i].title = backend.OneLine(prose.Clean(all[i].title))
	}
	return all
}

// pageOf returns the number of the page of an entry, empty where it has none.
func pageOf(t xml.StartElement) string {
	for _, a := range t.Attr {
		if a.Name.Local == "page" {
			return a.Value
		}
	}
	return ""
}

// pageLabel matches the title of an entry that only names a page.
var pageLabel = pattern.New(`(?i)^(?:page|seite|p\.?|pagina|página|стр\.?)?\s*\d{1,4}$`)

// byOutline makes the paragraphs to which the entries of an outline lead headings, and reports whether there are several places.
func (b *manuscript) byOutline(outline []outlineItem) bool {
	if !isContents(outline) {
		return false
	}
	paragraphs := b.withBlocks()
	from := 0 // paragraphs before it are not looked at: entries are in the order of the text
	var waiting []backend.Section
	for _, item := range outline {
		section := backend.Section{Title: item.title, Level: item.level}
		if item.page < 0 || item.title == "" {
			if item.title != "" {
				waiting = append(waiting, section) // begins with its first chapter
			}
			continue
		}
		at, count := placeOf(paragraphs, from, item)
		if at < 0 {
			continue
		}
		from = at
		block := &b.blocks[b.first[at]]
		for _, s := range append(waiting, section) {
			if n := len(block.Begins); n == 0 || n < maxBegins && len(block.Begins[n-1].Title) < blocks.MaxTitle {
				blocks.Begin(block, s.Title, s.Level)
			}
		}
		waiting = nil
		for _, first := range b.first[at : at+count] {
			b.setHeading(first, min(item.level, headingLevels))
		}
	}
	return true
}

// isContents reports whether an outline has several places, and titles that do not only name pages.
func isContents(outline []outlineItem) bool {
	places, labels := map[int]bool{}, 0
	for _, item := range outline {
		places[item.page] = true
		if item.title == "" || pageLabel.MatchString(item.title) {
			labels++
		}
	}
	delete(places, -1)
	return len(places) > 0 && (len(places) > 1 || len(outline) > 2) && 2*labels <= len(outline)
}

// setHeading makes a block a heading.
func (b *manuscript) setHeading(at, level int) {
	if block := &b.blocks[at]; len(block.Spans) > 0 && block.Kind != backend.BlockHeading {
		block.Kind, block.Level = backend.BlockHeading, level
		for i := range block.Spans {
			block.Spans[i].Text = strings.ReplaceAll(block.Spans[i].Text, "\n", " ")
		}
	}
}

// placeOf returns the paragraph that an entry of the outline leads to, and how many paragraphs are its title: those with its words on its
// page, else the first one that begins on it or behind it. It is -1 behind the text.
func placeOf(paragraphs []paragraph, from int, item outlineItem) (at, count int) {
	const window = 200 // paragraphs of a page that are compared
	first := -1
	want := strings.ToLower(strings.Join(backend.Words(item.title), " "))
	for i := from; i < len(paragraphs) && paragraphs[i].lines[0].page <= item.page; i++ {
		if paragraphs[i].lines[0].page < item.page {
			continue
		}
		if first < 0 {
			first = i
		}
		if i-first > window {
			break
		}
		have := ""
		for k := i; k < min(i+3, len(paragraphs)); k++ {
			have = strings.TrimSpace(have + " " + strings.ToLower(strings.Join(backend.Words(paragraphs[k].text), " ")))
			if have == want || len(have) > 3 && strings.HasSuffix(want, " "+have) {
				return i, k - i + 1
			}
			if len(have) > len(want) {
				break
			}
		}
	}
	if first >= 0 {
		return first, 0
	}
	for i := from; i < len(paragraphs); i++ {
		if paragraphs[i].lines[0].page >= item.page {
			return i, 0
		}
	}
	return -1, 0
}
