// Package words has the classes of English words that the parts of speech of their neighbours depend on.
package words

import "strings"

// Class is a set of classes of words.
type Class uint32

// The classes. One word is often of several.
const (
	Determiner    Class = 1 << iota // before a noun
	TopDeterminer                   // a determiner that cannot follow another
	ArticleLike                     // an article or a possessive: a determiner that follows nothing but a preposition
	Preposition
	Modal // before an infinitive without to
	Be    // forms of be, and other verbs before an adjective
	Have
	Pronoun // the subject of a verb
	Subject // begins a clause
	Object  // a pronoun that is an object behind a verb
	Reflexive
	Adverb   // may be between a subject and its verb
	Habitual // for what happens often
	Conjunction
	Coordinating   // and, or, but
	Linking        // conjunctions, adverbs and other words that are no content
	VerbParticle   // the last word of verbs such as "set aside"
	PluralLike     // ends as plurals do, or verbs after he and she
	Time           // a time or a way that "that" points at
	Past           // the past of a verb
	Reporting      // of saying, thinking and feeling: a clause with "that" may follow
	ReportingThing // Reporting, and as often with a plain object: "see that man"
)

// lists are the words of the classes; ClassOf adds those that an ending shows.
var lists = []struct {
	class Class
	words string
}{
	{Determiner, `a an the this these those my your his her its our their some any no every each another either neither what whose
		many few several most more much little such one two three four five six ten hundred thousand both all other own new old
		first last same`},
	{TopDeterminer, `the a an my your his her its our their this these those no every each some any such both another all many most`},
	{ArticleLike, `the a an my your his its our their`},
	{Preposition, `of in on at with without from by for under into onto about per between against during before after through over
		behind near beyond within via despite upon until towards toward across around along amid among amongst beneath beside below
		above throughout concerning regarding`},
	{Modal, `will would can could shall should may might must do does did 'll 'd wo ca gonna wanna gotta`},
	{Be, `is are was were be been being am 'm 're get got getting seem seems seemed became become becomes feel felt looks looked`},
	{Have, `have has had having 've`},
	{Pronoun, `i you he she it we they who everyone everybody someone people`},
	{Subject, `i you he she it we they there everyone everybody someone somebody nobody nothing everything something anything anyone
		anybody none what whatever whoever people mr. mrs.`},
	{Object, `me him them us it you that everything something anything nothing everyone`},
	{Adverb, `always never often usually also still just only really then now ever already even soon sometimes almost very too quite
		again perhaps maybe rather seldom once however`},
	{Habitual, `every always usually often sometimes never daily rarely`},
	{Conjunction, `and or but if when while because though although as where whether how why what till since once unless nor yet
		whenever which who whom`},
	{Coordinating, `and or but`},
	{Linking, `and or but that which who when if because to as than 's not so while where`},
	{VerbParticle, `aside away off out down up back round forth again`},
	{PluralLike, `men women children`},
	{Time, `day night morning afternoon evening time moment instant hour minute year week month summer winter spring autumn way sort
		kind`},
	{Past, `made came went gave took began became brought caught fell flew got grew held hid kept knew laid lay led lost met ran rose
		sat saw sent shone sold spoke sprang stood struck sung swam taught thought threw told tore wore won wrote bore broke built
		drew drove ate fought forgot hung paid rang sank sang sought spent stole swept swung understood woke lit left bent bound
		burst forsook mistook overcame withdrew stung sprung flung slung wrung spun dug shrank swore froze trod said found did blew
		bought chose clung crept dealt drank fed fled lent rode shook shot slept stuck wept`},
	{Reporting, `say says said saying think thinks thought thinking believe believes believed believing suppose supposed supposing
		imagine imagined hope hopes hoped hoping wish wishes wished fear feared declare declared declaring tell tells told telling
		promise promised assure assured perceive perceived perceiving observe observed remark remarked reply replied answer
		answered agree agreed confess confessed admit admitted claim claimed conclude concluded insist insisted doubt doubted swear
		swore sworn suspect suspected learn learned learnt discover discovered realize realized realise realised prove proved
		mean means meant suggest suggested suggests argue argued announce announced decide decided resolve
		resolved guess guessed fancy fancied trust explain explained persuaded convinced satisfied informed warned reminded afraid
		sure certain glad sorry happy aware possible impossible likely true clear evident plain probable conscious confident
		ashamed pity fact idea provided so such now except save notwithstanding reflected added wonder wondered pray prayed require
		required expect expected assert asserts asserted asserting state states stated
		stating note notes noted noting indicate indicates indicated indicating assume assumes assumed assuming emphasize
		emphasizes emphasized demonstrate demonstrates demonstrated reveal reveals revealed report reports reported propose
		proposes proposed predict predicts predicted recommend recommends recommended acknowledge acknowledges acknowledged
		confirm confirms confirmed ensure ensures ensured established estimated warn warns contend contends contended maintain
		maintains maintained deny denied allege alleged complain complained demanding disappointed amazed amazing surprised
		delighted proud dispute disputed seems seemed appears appeared ordered pretend pretended`},
	{Reporting | ReportingThing, `know knows knew known knowing see sees saw seen seeing hear hears heard hearing remember remembers
		remembered forget forgot forgotten feel feels felt feeling find finds found understand understood notice noticed mind mark show
		shows showed shown showing recognize recognizes recognized recognizing recognise recognised mention mentions mentioned`},
}

// noAdverb are the words in -ly that are none.
var noAdverb = Set("family supply apply reply fly july italy ally rally jelly belly bully")

var listed = func() map[string]Class {
	all := make(map[string]Class)
	for _, l := range lists {
		for w := range strings.FieldsSeq(l.words) {
			all[w] |= l.class
		}
	}
	return all
}()

// ClassOf returns the classes of a word in small letters.
func ClassOf(word string) Class {
	class := listed[word]
	if strings.HasSuffix(word, "self") || strings.HasSuffix(word, "selves") {
		class |= Reflexive
	}
	if len(word) > 4 && strings.HasSuffix(word, "ly") && !noAdverb[word] {
		class |= Adverb
	}
	if len(word) > 4 && strings.HasSuffix(word, "ed") && !strings.HasSuffix(word, "eed") {
		class |= Past
	}
	if len(word) > 3 && pluralEnding(word) {
		class |= PluralLike
	}
	if class&Adverb != 0 {
		class |= Linking
	}
	return class
}

func pluralEnding(word string) bool {
	return strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us") && !strings.HasSuffix(word, "is")
}

// Set returns the words of a list.
func Set(list string) map[string]bool {
	words := make(map[string]bool)
	for w := range strings.FieldsSeq(list) {
		words[w] = true
	}
	return words
}
