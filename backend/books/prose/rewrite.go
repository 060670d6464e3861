package prose

import (
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/text"
)

// Rewrite returns blocks with the spoken text of parts: paragraphs that stay keep their blocks, with what is left out in them; blocks
// of which nothing is spoken stay behind the block before them.
func Rewrite(
	c *backend.BookChapter, o backend.BookOptions, blocks []backend.Block, old Spoken, parts []string,
) []backend.Block {
	var before, after []string
	for _, p := range old.paragraphs {
		before = append(before, p.text)
	}
	for _, part := range parts {
		after = append(after, paragraphs(part)...)
	}
	blocks = slices.Clone(blocks)
	first := blocks[0].Begins // the chapter begins with whatever is its first block then
	blocks[0].Begins = nil
	r := rewriter{blocks: blocks, old: old, options: o}
	r.silent(-1)
	for _, edit := range text.Diff(before, after) {
		switch edit.Kind {
		case text.Same, text.Moved:
			r.keep(edit.Old)
		case text.Changed:
			r.replace(c, edit.Old, after[edit.New])
		case text.Added:
			r.add(blockOf(after[edit.New]))
		case text.Removed:
			r.remove(edit.Old)
		}
	}
	if len(r.out) > 0 {
		r.out[0].Begins = slices.Concat(first, r.out[0].Begins)
	}
	return r.out
}

// paragraphs returns the paragraphs of a text as it is spoken.
func paragraphs(s string) (all []string) {
	for p := range strings.SplitSeq(strings.ReplaceAll(s, "\r\n", "\n"), "\n\n") {
		if p = strings.TrimSpace(p); p != "" {
			all = append(all, p)
		}
	}
	return all
}

// rewriter builds the new blocks.
type rewriter struct {
	blocks  []backend.Block
	old     Spoken
	options backend.BookOptions
	out     []backend.Block
	begins  []backend.Section // of blocks that were removed
}

// add appends a block.
func (r *rewriter) add(b backend.Block) {
	if len(r.begins) > 0 {
		b.Begins = append(r.begins, b.Begins...)
		r.begins = nil
	}
	r.out = append(r.out, b)
}

// silent adds the blocks behind a paragraph of which nothing is spoken; -1 for those before the first one.
func (r *rewriter) silent(n int) {
	from, end := 0, len(r.blocks)
	if n >= 0 {
		from = r.old.paragraphs[n].block + 1
	}
	if n+1 < len(r.old.paragraphs) {
		end = max(r.old.paragraphs[n+1].block, from)
	}
	for _, b := range r.blocks[from:end] {
		r.add(b)
	}
}

// keep adds the block of a paragraph.
func (r *rewriter) keep(n int) {
	if at := r.old.paragraphs[n].block; at >= 0 {
		r.add(r.blocks[at])
		r.silent(n)
	}
}

// replace adds the block of a paragraph with another text. A title is that of the chapter.
func (r *rewriter) replace(c *backend.BookChapter, n int, s string) {
	at := r.old.paragraphs[n].block
	if at < 0 {
		c.Title, c.Renamed = strings.TrimSpace(strings.TrimLeft(s, "# ")), true
		return
	}
	b, written := r.blocks[at], blockOf(s)
	if written.Kind != backend.BlockParagraph || b.Kind == backend.BlockHeading || b.Kind == backend.BlockScene {
		b.Kind, b.Level = written.Kind, max(b.Level, written.Level)
	}
	b.Spans = append(written.Spans, Silent(b.Spans, r.options)...)
	r.add(b)
	r.silent(n)
}

// remove leaves the words of a paragraph out. What has a class in it stays.
func (r *rewriter) remove(n int) {
	at := r.old.paragraphs[n].block
	if at < 0 {
		return
	}
	b := r.blocks[at]
	if b.Spans = Silent(b.Spans, r.options); len(b.Spans) > 0 {
		r.add(b)
	} else {
		r.begins = append(r.begins, b.Begins...)
	}
	r.silent(n)
}

// blockOf returns the block of a paragraph as it is written in the Studio.
func blockOf(s string) backend.Block {
	if s == sceneBreak {
		return backend.Block{Kind: backend.BlockScene}
	}
	if title, ok := strings.CutPrefix(s, headingMark); ok {
		return backend.Block{Kind: backend.BlockHeading, Level: 1, Spans: []backend.Span{{Text: title, Markup: true}}}
	}
	return backend.Block{Kind: backend.BlockParagraph, Spans: []backend.Span{{Text: s, Markup: true}}}
}
