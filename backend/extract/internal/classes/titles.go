package classes

import (
	"cmp"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract/internal/blocks"
	"github.com/voicewright/voicewright/backend/pattern"
)

// Titles of parts that are not the work, in the languages of the voices, as a whole.
//
//nolint:misspell // they are
var (
	frontTitles = pattern.New(`(?i)^(?:cover|front cover|(?:half[- ]?)?title[- ]?page|praise for .*|` +
		`titelseite|titelblatt|umschlag|couverture|page de titre|portada|página de título|` +
		`copertina|frontespizio|capa|folha de rosto|omslag|titelpagina|okładka|strona tytułowa|обложка|титульный лист)$`)
	backTitles = pattern.New(`(?i)^(?:colophon|(?:general |subject )?index|glossary|credits|errata|newsletter|` +
		`stichwortverzeichnis|personenregister|glossar|kolophon|bildnachweis|glossaire|index des noms|glosario|` +
		`glossario|indice analitico|glossário|indeks|указатель)$`)
	// What is before the work in some books, and behind it in others.
	imprintTitles = pattern.New(`(?i)^(?:copyright(?: (?:page|notice))?|imprint|also by .*|(?:other )?books by .*|` +
		`by the same author|about this (?:e-?book|edition)|(?:original )?transcriber['’]?s['’]? notes?:?|` +
		`impressum|copyright-seite|von (?:der|dem)selben autor(?:in)?|page de copyright|du même auteur|mentions légales|` +
		`página de (?:copyright|créditos)|derechos de autor|colophon editoriale|dello stesso autore|ficha técnica|` +
		`strona redakcyjna|выходные данные)$`)
	thanksTitles = pattern.New(`(?i)^(?:uncopyright|about the (?:author|publisher|translator)s?|acknowledge?ments?|` +
		`list of contributors|(?:the )?full project gutenberg licen[cs]e|über (?:(?:den|die) autor(?:in)?|das buch)|danksagung|` +
		`à propos de l['’]auteur|remerciements|sobre (?:(?:el|la) autora?)|agradecimientos|sull['’]autore|ringraziamenti|` +
		`sobre o autor|agradecimentos|over de auteur|dankwoord|o autorze|podziękowania|об авторе|благодарности)$`)
	// What can be at the end of each chapter, as notes can.
	referenceTitles = pattern.New(`(?i)^(?:bibliography|references|works cited|further reading|literaturverzeichnis|` +
		`quellenverzeichnis|bibliografie|bibliographie|bibliografía|bibliografia|literatuurlijst|библиография)$`)
	contentsTitles = pattern.New(`(?i)^(?:(?:table of |the )?contents|list of (?:illustrations|figures|tables|plates|` +
		`maps)|illustrations|` +
		`inhalt|inhaltsverzeichnis|abbildungsverzeichnis|table des matières|sommaire|table des illustrations|índice|índice general|` +
		`contenido|tabla de contenidos?|indice|sommario|sumário|inhoud|inhoudsopgave|spis treści|содержание|оглавление|目次|目录)$`)
	noteTitles = pattern.New(`(?i)^(?:foot-?notes?|end-?notes?|notes|fußnoten|anmerkungen|endnoten|notes de bas de page|` +
		`notas(?: al pie)?|` +
		`note a piè di pagina|voetnoten|noten|przypisy|примечания)$`)
	workTitles = pattern.New(`(?i)^(?:preface|foreword|introduction|prologue|epigraphs?|dedication|author['’]s note|` +
		`etymology|extracts|` +
		`vorwort|einleitung|prolog|préface|avant-propos|prólogo|prefacio|introducción|prefazione|introduzione|prefácio|introdução|` +
		`voorwoord|` +
		`inleiding|przedmowa|wstęp|предисловие|введение|afterword|epilogue|nachwort|epilog|postface|épilogue|epílogo|postfazione|` +
		`epilogo)(?:$|[^\p{L}])`)
)

// titleClass returns the class of a part of a book by its title and by where it is, empty for the text of the work.
func titleClass(title string, at place) backend.TextClass {
	title = strings.TrimSpace(title)
	for _, list := range []struct {
		titles  *pattern.Pattern
		class   backend.TextClass
		allowed bool
	}{
		{contentsTitles, backend.ClassContents, true},
		{noteTitles, backend.ClassNotes, true},
		{referenceTitles, backend.ClassBackMatter, true},
		{frontTitles, backend.ClassFrontMatter, at.before},
		{backTitles, backend.ClassBackMatter, at.behind},
		{imprintTitles, backend.ClassFrontMatter, at.before || at.behind},
		{thanksTitles, backend.ClassBackMatter, at.before || at.behind},
	} {
		if list.allowed && list.titles.MatchString(title) {
			return list.class
		}
	}
	return ""
}

// Sections sets the class of the words of parts that are not the work by the title of the part: of a section, or of a file that
// begins with a heading; starts are the blocks with which files begin. Front matter that is a preface or extracts stays text. What a
// collection of texts puts around a book is front and back matter.
func Sections(all []backend.Block, starts []int) {
	files := map[int]bool{}
	for _, start := range starts {
		files[start] = true
	}
	work := findWork(all, files)
	var p part
	for i := range all {
		p.next(&all[i], files[i], work.place(i))
		p.mark(all[i].Spans)
	}
	markLicence(all)
}

// part is a part of a book with a title.
type part struct {
	class backend.TextClass
	level int  // of the section whose title decides, 0 where none does
	below int  // the level of the heading that decides where no section begins, 0 for a section
	work  bool // it is of the work, whatever its type
}

// next begins another part if it begins with a block.
func (p *part) next(b *backend.Block, file bool, at place) {
	heading := b.Kind == backend.BlockHeading
	if p.ends(b, file, heading) {
		*p = part{}
	}
	if p.level > 0 {
		return
	}
	titles := titlesOf(b)
	if len(titles) == 0 {
		return
	}
	*p = part{}
	for _, title := range titles {
		p.class, p.work = cmp.Or(p.class, titleClass(title, at)), p.work || workTitles.MatchString(title)
	}
	if n := len(b.Begins); p.class != "" && n > 0 {
		p.level = b.Begins[n-1].Level
	} else if p.class != "" {
		p.level, p.below = 1, max(b.Level, 1)
	}
}

// titlesOf returns the titles of the part that begins with a block, none where none begins.
func titlesOf(b *backend.Block) []string {
	var titles []string
	if n := len(b.Begins); n > 0 {
		titles = append(titles, b.Begins[n-1].Title)
	}
	if b.Kind == backend.BlockHeading {
		titles = append(titles, strings.Join(strings.Fields(blocks.Text(b.Spans)), " "))
	}
	return titles
}

// ends reports whether a part ends before a block. One of several files goes on, unless it is a cover or a title page: what follows may
// be the work.
func (p *part) ends(b *backend.Block, file, heading bool) bool {
	for _, section := range b.Begins {
		if section.Level <= p.level || p.below > 0 {
			return true
		}
	}
	return heading && b.Level <= p.below || file && (heading || p.class == backend.ClassFrontMatter)
}

// mark sets the class of the words of the part.
func (p *part) mark(spans []backend.Span) {
	for i := range spans {
		switch span := &spans[i]; {
		case span.Class == "":
			span.Class = p.class
		case p.work && span.Class == backend.ClassFrontMatter:
			span.Class = ""
		}
	}
}

// The lines between which the text of a book of Project Gutenberg is.
var (
	licenceEnds   = pattern.New(`(?i)^\*{2,3}\s*START OF (?:THE|THIS) PROJECT GUTENBERG`)
	licenceBegins = pattern.New(`(?i)^\*{2,3}\s*END OF (?:THE|THIS) PROJECT GUTENBERG|^End of (?:the )?Project Gutenberg['’]s`)
)

// maxLicence is how many blocks are before the line with which a book begins.
const maxLicence = 100

// markLicence sets the class of the lines around a book of Project Gutenberg.
func markLicence(all []backend.Block) {
	end := false
	for i := range all {
		text := blocks.Text(all[i].Spans)
		if i < maxLicence && licenceEnds.MatchString(text) {
			blocks.SetClass(all[:i+1], backend.ClassFrontMatter)
		}
		if end = end || licenceBegins.MatchString(text); end {
			blocks.SetClass(all[i:i+1], backend.ClassBackMatter)
		}
	}
}
