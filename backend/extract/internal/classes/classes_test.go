package classes_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract/internal/classes"
)

func paragraph(spans ...backend.Span) backend.Block {
	return backend.Block{Kind: backend.BlockParagraph, Spans: spans}
}

// marked returns a text with its classes: {class:words}.
func marked(blocks []backend.Block) string {
	var out []string
	for _, b := range blocks {
		line := ""
		for _, s := range b.Spans {
			if s.Class != "" {
				line += "{" + string(s.Class) + ":" + s.Text + "}"
				continue
			}
			line += s.Text
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

func TestReferences(t *testing.T) {
	for given, want := range map[string]string{
		"It works [12]. So do others [1, 3–5] and [2].":                        "It works{citations: [12]}. So do others{citations: [1, 3–5]} and{citations: [2]}.",
		"As shown (Smith, 2020), it holds.":                                    "As shown{citations: (Smith, 2020)}, it holds.",
		"Both (Smith & Jones 2019a, p. 12; Li, 2020).":                         "Both{citations: (Smith & Jones 2019a, p. 12; Li, 2020)}.",
		"More (see Müller et al., 1998, pp. 3–5) of it.":                       "More{citations: (see Müller et al., 1998, pp. 3–5)} of it.",
		"So (van der Berg und Özil 2011, S. 14).":                              "So{citations: (van der Berg und Özil 2011, S. 14)}.",
		"See https://example.com/a(b)?c=d. Then www.example.org, too.":         "See{urls: https://example.com/a(b)?c=d}. Then{urls: www.example.org}, too.",
		"(https://example.com/)":                                               "({urls:https://example.com/})",
		"As doi: 10.1000/182 says":                                             "As{urls: doi: 10.1000/182} says",
		"The war ended (1865) at last.":                                        "The war ended (1865) at last.",
		"She read it twice (Moby Dick, 1851).":                                 "She read it twice (Moby Dick, 1851).",
		"They met (Paris, 1940) and (May, 1968), and he wrote (Darwin, 1859).": "They met (Paris, 1940) and (May, 1968), and he wrote (Darwin, 1859).",
		"He said [sic] it in [1865], the (second) time.":                       "He said [sic] it in [1865], the (second) time.",
		"The year 2020 (and 12 more)":                                          "The year 2020 (and 12 more)",
	} {
		blocks := []backend.Block{paragraph(backend.Span{Text: given})}
		classes.References(blocks)
		require.Equal(t, want, marked(blocks))
	}
}

// One author with a year in a novel is a remark of the story; in a text that cites so, each of them is a citation.
func TestCitationsOfANovel(t *testing.T) {
	novel := []backend.Block{paragraph(backend.Span{Text: strings.Repeat("word ", 6_000)}), paragraph(backend.Span{Text: "He kept it (Armitage, 1951)."})}
	classes.References(novel)
	require.Equal(t, "He kept it (Armitage, 1951).", marked(novel[1:]))
	study := append(novel, paragraph(backend.Span{Text: "Others (Li & Wu, 2004) agree."}))
	classes.References(study)
	require.Equal(t, "He kept it{citations: (Armitage, 1951)}.\nOthers{citations: (Li & Wu, 2004)} agree.", marked(study[1:]))
}

// What has a class or is spoken in another way stays as it is.
func TestReferencesBesideOtherSpans(t *testing.T) {
	blocks := []backend.Block{paragraph(backend.Span{Text: "A"}, backend.Span{Text: " [1]", Class: backend.ClassNotes},
		backend.Span{Text: "漢", Say: "kan"}, backend.Span{Text: " b [2] c"})}
	classes.References(blocks)
	require.Equal(t, "A{notes: [1]}漢 b{citations: [2]} c", marked(blocks))
	require.Equal(t, "kan", blocks[0].Spans[2].Say)
}

func heading(title string, level int) backend.Block {
	return backend.Block{Kind: backend.BlockHeading, Level: level, Spans: []backend.Span{{Text: title}}, Begins: []backend.Section{{Title: title, Level: level}}}
}

func TestTitlesOfParts(t *testing.T) {
	front := paragraph(backend.Span{Text: "Typed as front matter", Class: backend.ClassFrontMatter})
	text := func() backend.Block { return paragraph(backend.Span{Text: "words"}) }
	blocks := []backend.Block{
		heading("Copyright", 1), text(), heading("Vorwort", 1), front, heading("Table of Contents", 1), text(), heading("Chapter 1", 1), text(),
		heading("Notes", 2), text(), heading("On notes", 3), text(), heading("Chapter 2", 2), text(), heading("Über die Autorin", 1), text(),
	}
	classes.Sections(blocks, nil)
	require.Equal(t, `{front_matter:Copyright}
{front_matter:words}
Vorwort
Typed as front matter
{contents:Table of Contents}
{contents:words}
Chapter 1
words
{notes:Notes}
{notes:words}
{notes:On notes}
{notes:words}
Chapter 2
words
{back_matter:Über die Autorin}
{back_matter:words}`, marked(blocks))
}

// A title page ends with its file, because what follows may be the work; notes go on in the next file.
func TestPartsOfSeveralFiles(t *testing.T) {
	text := func() backend.Block { return paragraph(backend.Span{Text: "words"}) }
	blocks := []backend.Block{heading("Title Page", 1), text(), text(), heading("Endnotes", 1), text(), text()}
	classes.Sections(blocks, []int{0, 2, 3, 5})
	require.Equal(t, "{front_matter:Title Page}\n{front_matter:words}\nwords\n{notes:Endnotes}\n{notes:words}\n{notes:words}", marked(blocks))
}

// A heading without a section of its own ends at the next one of its level.
func TestHeadingsOfParts(t *testing.T) {
	text := func() backend.Block { return paragraph(backend.Span{Text: "words"}) }
	bare := func(title string, level int) backend.Block {
		b := heading(title, level)
		b.Begins = nil
		return b
	}
	blocks := []backend.Block{heading("One", 1), bare("Notes", 3), text(), bare("More", 3), text(), bare("References", 2), bare("A", 3), heading("Two", 2)}
	classes.Sections(blocks, nil)
	require.Equal(t, "One\n{notes:Notes}\n{notes:words}\nMore\nwords\n{back_matter:References}\n{back_matter:A}\nTwo", marked(blocks))
}

// Chapters of the work stay, whatever their titles are; what is around the work is left out, at any level.
func TestTitlesWithinTheWork(t *testing.T) {
	for name, c := range map[string]struct {
		titles string // each with a # a level, and with ~ where no text follows
		want   string // those left out
	}{
		"middle":        {"#Praise for Ann #Copyright #One #Praise for the Dead #Index #Copyright #Two #Index", "#Praise for Ann #Copyright #Index"},
		"last":          {"#One #Praise for the Dead", ""},
		"first":         {"#Index #One #Two", ""},
		"sub-heading":   {"#One ##Credits ##Notes ##References #Two ##More ##Credits", "##Notes ##References"},
		"both ends":     {"#Acknowledgements #One #Two #Copyright #Also by Ann #About the Author", "#Acknowledgements #Copyright #Also by Ann #About the Author"},
		"below title":   {"~#The Dead ##Copyright ##One ##Index ##Two ##Index", "##Copyright ##Index"},
		"title beside":  {"#Cover ~#The Dead ##One ##Two ##Index", "#Cover ##Index"},
		"groups":        {"~#Front ##Copyright #One #Two ~#Back ##Index ##Colophon", "##Copyright ##Index ##Colophon"},
		"parts":         {"~#Part One ##One ##Glossary ~#Part Two ##Three #Glossary ##A ##B", "#Glossary ##A ##B"},
		"afterword":     {"#Preface #Cover #One #Credits #Afterword #Index", "#Cover #Credits #Index"},
		"preface alone": {"#Copyright #Preface #Index", "#Copyright #Index"},
		"title of all":  {"#Praise for the Dead ##One ##Two", ""},
	} {
		var all []backend.Block
		for title := range strings.SplitSeq(strings.ReplaceAll(strings.ReplaceAll(c.titles, " ~#", "|~#"), " #", "|#"), "|") {
			bare, empty := strings.CutPrefix(title, "~")
			level := strings.Count(bare, "#")
			if all = append(all, heading(bare[level:], level)); !empty {
				all = append(all, paragraph(backend.Span{Text: "words"}))
			}
		}
		classes.Sections(all, nil)
		var left []string
		for _, b := range all {
			if b.Kind == backend.BlockHeading && b.Spans[0].Class != "" {
				left = append(left, strings.Repeat("#", b.Level)+b.Spans[0].Text)
			}
		}
		require.Equal(t, c.want, strings.Join(left, " "), name)
	}
}

// A title page with a few words is no chapter of a work with long ones.
func TestTitlePageWithoutATitle(t *testing.T) {
	text := func(n int) backend.Block { return paragraph(backend.Span{Text: strings.Repeat("word ", n)}) }
	all := []backend.Block{heading("The Dead", 1), text(9), heading("Praise for The Dead", 1), text(30), heading("One", 1), text(900), heading("Two", 1), text(700)}
	classes.Sections(all, nil)
	require.Equal(t, backend.ClassFrontMatter, all[3].Spans[0].Class)
	require.Empty(t, all[1].Spans[0].Class)
}

func TestLicence(t *testing.T) {
	line := func(s string) backend.Block { return paragraph(backend.Span{Text: s}) }
	blocks := []backend.Block{
		line("The Project Gutenberg eBook of X"), line("*** START OF THE PROJECT GUTENBERG EBOOK X ***"), line("It was."),
		line("*** END OF THE PROJECT GUTENBERG EBOOK X ***"), line("Section 1."),
	}
	classes.Sections(blocks, nil)
	_, counts := backend.CountWords(blocks)
	require.Equal(t, []backend.WordCount{
		{Words: 2, Sample: "It was."},
		{Class: backend.ClassFrontMatter, Words: 13, Sample: "The Project Gutenberg eBook of X *** START OF THE PROJECT GUTENBERG EBOOK X ***"},
		{Class: backend.ClassBackMatter, Words: 9, Sample: "*** END OF THE PROJECT GUTENBERG EBOOK X *** Section 1."},
	}, counts)
}
