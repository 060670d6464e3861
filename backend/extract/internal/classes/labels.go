// Package classes tells the words of a book that need not be read aloud from the work: by the types, classes and titles of its parts,
// and by what the words are.
package classes

import (
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/pattern"
)

// typeClasses are the classes of words by the EPUB structural vocabulary and the ARIA roles without "doc-".
var typeClasses = map[string]backend.TextClass{
	"toc": backend.ClassContents, "landmarks": backend.ClassContents, "page-list": backend.ClassContents, "pagelist": backend.ClassContents,
	"loi": backend.ClassContents, "lot": backend.ClassContents, "loa": backend.ClassContents, "lov": backend.ClassContents,
	"navigation": backend.ClassContents, "menu": backend.ClassContents, "menubar": backend.ClassContents,

	"footnote": backend.ClassNotes, "footnotes": backend.ClassNotes, "endnote": backend.ClassNotes, "endnotes": backend.ClassNotes,
	"rearnote": backend.ClassNotes, "rearnotes": backend.ClassNotes, "note": backend.ClassNotes, "notes": backend.ClassNotes,

	"noteref": backend.ClassNoteMarks, "annoref": backend.ClassNoteMarks, "backlink": backend.ClassNoteMarks,
	"pagebreak": backend.ClassPageNumbers,
}

// matterTypes are the types of front and back matter, a type that only says so first.
var matterTypes = map[string]backend.TextClass{
	"frontmatter": backend.ClassFrontMatter, "backmatter": backend.ClassBackMatter,

	"cover": backend.ClassFrontMatter, "titlepage": backend.ClassFrontMatter, "title-page": backend.ClassFrontMatter,
	"halftitlepage": backend.ClassFrontMatter, "copyright-page": backend.ClassFrontMatter, "imprint": backend.ClassFrontMatter,
	"imprimatur": backend.ClassFrontMatter, "seriespage": backend.ClassFrontMatter,

	"acknowledgments": backend.ClassBackMatter, "acknowledgements": backend.ClassBackMatter, "colophon": backend.ClassBackMatter,
	"bibliography": backend.ClassBackMatter, "index": backend.ClassBackMatter, "glossary": backend.ClassBackMatter,
	"contributors": backend.ClassBackMatter, "other-credits": backend.ClassBackMatter, "credits": backend.ClassBackMatter,
	"errata": backend.ClassBackMatter,
}

// workTypes are parts of the work itself that are often typed as front or back matter, too: they are read aloud. The words that an
// author puts before and behind a story belong to it, and a dedication is one line; those of the publisher, lists and thanks do not.
var workTypes = []string{
	"preface", "foreword", "introduction", "prologue", "epigraph", "preamble", "dedication", "bodymatter",
	"epilogue", "afterword", "conclusion", "postscript", "appendix",
}

// Classes of HTML that programs give parts of a page, by whole names.
var (
	numberNames = pattern.New(`^(?:page-?nums?|page-?numbers?|pageno|pgnum|pagebreak|l-?num|line-?nums?|line-?numbers?)$`)
	verseNames  = pattern.New(`^(?:linegroup|lg|stanza|verse|poem|poetry|poetry-container|song|canto)$`)
	sceneNames  = pattern.New(`^(?:empty-?line|blank-?line|(?:scene|section|space|thought)-?break|break|tb|asterism|dinkus)$`)
)

// Labels are what an element says about its words.
type Labels struct {
	Types   []string // epub:type and role, without "doc-"
	ID      string
	classes []string // of HTML, in lower case
	hidden  bool
}

// LabelsOf returns the labels of an element.
func LabelsOf(t html.Token) Labels {
	var l Labels
	for _, a := range t.Attr {
		switch a.Key {
		case "epub:type", "role":
			for value := range strings.FieldsSeq(strings.ToLower(a.Val)) {
				l.Types = append(l.Types, strings.TrimPrefix(value, "doc-"))
			}
		case "class":
			l.classes = strings.Fields(strings.ToLower(a.Val))
		case "id":
			l.ID = a.Val
		case "hidden":
			l.hidden = true
		case "aria-hidden":
			l.hidden = l.hidden || a.Val == "true"
		case "style":
			style := strings.ToLower(strings.ReplaceAll(a.Val, " ", ""))
			l.hidden = l.hidden || strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden")
		}
	}
	return l
}

// Class returns the class of the words in an element, empty for none of its own. work says that they are a part of the work though an
// element around them is front or back matter.
func (l Labels) Class(name string) (_ backend.TextClass, work bool) {
	for _, value := range l.Types {
		if class := typeClasses[value]; class != "" {
			return class, false
		}
	}
	switch {
	case name == "nav":
		return backend.ClassContents, false
	case name == "figcaption" || name == "caption" || slices.Contains(l.classes, "caption"):
		return backend.ClassCaptions, false
	case slices.ContainsFunc(l.classes, numberNames.MatchString):
		return backend.ClassPageNumbers, false
	case slices.Contains(l.classes, "pg-boilerplate"), l.ID == "pg-header", l.ID == "pg-footer": // Project Gutenberg
		if l.ID == "pg-footer" {
			return backend.ClassBackMatter, false
		}
		return backend.ClassFrontMatter, false
	}
	if slices.ContainsFunc(l.Types, func(value string) bool { return slices.Contains(workTypes, value) }) {
		return "", true
	}
	if class := matterClass(l.Types); class != "" {
		return class, false
	}
	if l.hidden || slices.Contains(asideElements, name) || slices.Contains(l.Types, "search") {
		return backend.ClassAside, false
	}
	return "", false
}

// Scene reports whether an element without words is a break between scenes.
func (l Labels) Scene() bool { return slices.ContainsFunc(l.classes, sceneNames.MatchString) }

// OfFile returns the class of the words of a file by the types of the landmark or the reference of the guide that links to it.
func OfFile(types []string) backend.TextClass {
	for _, value := range types {
		if class := typeClasses[value]; class == backend.ClassContents || class == backend.ClassNotes {
			return class
		}
	}
	return matterClass(types)
}

// matterClass returns the class of front or back matter by types: one that only says so decides.
func matterClass(types []string) backend.TextClass {
	var found backend.TextClass
	for _, value := range types {
		class := matterTypes[value]
		if value == "frontmatter" || value == "backmatter" {
			return class
		}
		if found == "" {
			found = class
		}
	}
	return found
}

// asideElements hold words that are not shown, or are those of controls.
var asideElements = []string{
	"template", "select", "textarea", "button", "datalist", "annotation", "annotation-xml", "defs", "symbol", "audio", "video",
}

// Verse reports whether an element holds a poem.
func (l Labels) Verse() bool {
	return slices.ContainsFunc(l.classes, verseNames.MatchString) || slices.ContainsFunc(l.Types, func(value string) bool {
		switch strings.TrimPrefix(value, "z3998:") {
		case "poem", "verse", "song", "hymn", "lyrics":
			return true
		}
		return false
	})
}
