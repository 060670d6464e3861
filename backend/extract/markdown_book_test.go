package extract_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract"
)

func TestMarkdownBook(t *testing.T) {
	book := readBook(t, "a.md", `---
title: "The Trip"
author: [Anna Bell, Ben Hill]
lang: en-gb
date: 2021-05-04
---

# Part One

## The *Way*[^1]

It was a [long](https://example.org) way,[^note] see ![a map](map.png) of it.
They walked on.

***

> So it was.

Roses are red,  
violets are blue.

1. Bread
2. Milk

- Butter
  and jam

![The river at night](river.png)

| Name | Year |
|------|------|
| Anna | 1984 |

Who | What
--- | ---
ANNA | Where is the way to the river now?
BEN | It is here, just behind the house.

~~~go
var x = 1
~~~

The River
---------

They<sup>2</sup> were home. <!-- no words -->

[^1]: The first.
[^note]: The second
  goes on.

[^3]: Without a mark.
`)
	require.Equal(t, []string{
		"heading1 {1 Part One} {2 The Way} [Part One]", "heading2 [The Way] note_marks[1]", "note notes[The first.]",
		"paragraph [It was a long way,] note_marks[note] [ see ] captions[a map] [ of it. They walked on.]", "note notes[The second goes on.]", "scene",
		"quote [So it was.]", "verse [Roses are red,\nviolets are blue.]", "list [1. Bread]", "list [2. Milk]", "list [Butter and jam]",
		"image captions[The river at night]", "table tables[Name, Year]", "table tables[Anna, 1984]",
		"paragraph [Who, What]", "paragraph [ANNA, Where is the way to the river now?]", "paragraph [BEN, It is here, just behind the house.]",
		"table tables[var x = 1]", "heading2 {2 The River} [The River]", "paragraph [They] note_marks[2] [ were home.]", "note notes[Without a mark.]",
	}, shown(book.Blocks))
	require.Equal(t, backend.ManuscriptMeta{Title: "The Trip", Authors: []string{"Anna Bell", "Ben Hill"}, Language: "en-GB", Year: "2021"}, book.ManuscriptMeta)
	require.Empty(t, book.Notes)
}

func TestMarkdownTitles(t *testing.T) {
	book := readBook(t, "a.md", "# The Trip\n\n## One\n\nText.\n\n### Below\n\n## Two\n\nText.\n")
	require.Equal(t, []backend.Section{{Title: "One", Level: 1}, {Title: "Below", Level: 2}, {Title: "Two", Level: 1}}, begins(book))
	require.Equal(t, "The Trip", book.Title)
	book = readBook(t, "a.md", "# One\n\nText.\n\n## Below\n\n## Below too\n\n# Two\n\nText.\n")
	require.Equal(t, []int{1, 2, 2, 1}, []int{book.Blocks[0].Level, book.Blocks[2].Level, book.Blocks[3].Level, book.Blocks[4].Level})
	book = readBook(t, "a.md", "# One\n\nText.\n\n# Two\n\nText.\n")
	require.Equal(t, []backend.Section{{Title: "One", Level: 1}, {Title: "Two", Level: 1}}, begins(book))
	book = readBook(t, "a.md", "Chapter 1\n\nText of it.\n\nChapter 2\n\nMore text.\n")
	require.Equal(t, []backend.Section{{Title: "Chapter 1", Level: 1}, {Title: "Chapter 2", Level: 1}}, begins(book))
	book = readBook(t, "a.md", "---\nauthors:\n  - name: Anna Bell\n  - Ben Hill\n---\nText.\n")
	require.Equal(t, []string{"Anna Bell", "Ben Hill"}, book.Authors)
	require.Equal(t, []string{"paragraph [Text.]"}, shown(book.Blocks))
}

// Whatever a text is, it is read without a panic, and the classes have all of its words.
func FuzzMarkdownBook(f *testing.F) {
	f.Add("---\ntitle: A\n---\n# B[^1]\n\n| a | b |\n|---|---|\n| 1 | ![c](d) |\n\n> e  \nf\n\n[^1]: g[^1]\n  h\n\n1. i\n\n***\n")
	f.Fuzz(func(t *testing.T, text string) {
		book, err := (&extract.Extractor{}).Book(t.Context(), "a.md", "UTF-8", spooled(t, text))
		if err != nil {
			return
		}
		total, classes := backend.CountWords(book.Blocks)
		for _, c := range classes {
			total -= c.Words
		}
		require.Zero(t, total)
	})
}

func TestHostileMarkdownBooks(t *testing.T) {
	var many strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&many, "# Title %d\n\nText.\n\n", i)
	}
	require.Len(t, begins(readBook(t, "a.md", many.String())), 10_000)
	long := strings.Repeat("It was so. ", 30_000)
	require.Len(t, wordsOf(readBook(t, "a.md", "# One\n\n"+long+"\n\n# \n\n# Two\n")), 90_002)
	book := readBook(t, "a.md", "Text."+strings.Repeat("[^1]", 10_000)+"\n\n[^1]: "+long)
	require.Len(t, wordsOf(book, backend.ClassNotes), 90_000)
	readBook(t, "a.md", "Text.\n\n[^1]: It is[^1] so.[^2]\n\n[^2]: And[^1] so.")
}
