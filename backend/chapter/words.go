package chapter

// cardinals are the numbers of chapters in words.
const cardinals = `(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?|` +
	`one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|` +
	// German
	`(?:ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)und(?:zwanzig|dreißig|dreissig|vierzig|fünfzig)|zwanzig|dreißig|dreissig|vierzig|` +
	`eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|(?:drei|vier|fünf|sech|sieb|acht|neun)zehn|` +
	// French
	`(?:vingt|trente|quarant[e]|cinquante)(?:[- ](?:et[- ])?(?:une?|deux|trois|quatre|cinq|six|sept|huit|neuf))?|` +
	`un|deux|trois|quatre|cinq|six|sept|huit|neuf|dix(?:-(?:sept|huit|neuf))?|onze|douze|treize|quatorze|quinze|seize|` +
	// Spanish
	`uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|doce|trece|catorce|quince|dieci\p{L}{3,6}|veinti\p{L}{3,6}|veinte|` +
	`(?:treinta|cuarenta|cincuenta)(?: y \p{L}{2,6})?|` +
	// Italian
	`due|tre|quattro|cinque|sei|sette|otto|nove|dieci|undici|dodici|tredici|quattordici|quindici|sedici|` +
	`dici\p{L}{4,7}|venti?\p{L}{0,7}|trenta?\p{L}{0,7}|` +
	// Portuguese
	`um|dois|três|quatro|oito|dez|doze|treze|quatorze|dez\p{L}{4,6}|(?:vinte|trinta|quarenta)(?: e \p{L}{2,6})?|` +
	// Dutch
	`een|één|twee|drie|vijf|zes|zeven|negen|tien|twaalf|(?:der|veer|vijf|zes|zeven|acht|negen)tien|\p{L}{3,6}[eë]ntwintig|twintig|dertig|` +
	// Russian
	`один|два|три|четыре|пять|шесть|семь|восемь|девять|десять`

// ordinals are such numbers that say the place, in all genders.
const ordinals = `(?:twenty|thirty|forty|fifty)[- ](?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)|` +
	`first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|(?:thir|four|fif|six|seven|eigh|nine)teenth|` +
	`twentieth|thirtieth|fortieth|fiftieth|last|` +
	// German
	`(?:(?:ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)und)?(?:zwanzig|dreißig|dreissig|vierzig|fünfzig)ste[rs]?|` +
	`(?:erst|zweit|dritt|viert|fünft|sechst|siebt|siebent|acht|neunt|zehnt|elft|zwölft|letzt|(?:drei|vier|fünf|sech|sieb|acht|neun)zehnt)` +
	`e[rs]?|` +
	// French
	`premi(?:er|ère)|seconde?|(?:deux|trois|quatr|cinqu|six|sept|huit|neuv|dix|dix-sept|dix-huit|dix-neuv|onz|douz|` +
	`treiz|quatorz|quinz|seiz|vingt)ième|` +
	// Spanish, Italian and Portuguese
	`primer[oa]?|segund[oa]|tercer[oa]?|cuart[oa]|quint[oa]|sext[oa]|s[ée]ptim[oa]|octav[oa]|noven[oa]|d[ée]cim[oa](?:[ -]?\p{L}{3,8})?|` +
	`und[ée]cim[oa]|duod[ée]cim[oa]|prim[oa]|second[oa]|terz[oa]|quart[oa]|sest[oa]|settim[oa]|ottav[oa]|non[oa]|` +
	`\p{L}{3,10}[eé]s[ie]m[oa]|primeir[oa]|terceir[oa]|s[ée]tim[oa]|oitav[oa]|` +
	// Dutch
	`eerste|tweede|derde|vierde|vijfde|zesde|zevende|achtste|negende|tiende|` +
	`elfde|twaalfde|(?:der|veer|vijf|zes|zeven|acht|negen)tiende|twintigste|` +
	// Russian
	`перв(?:ая|ый)|втор(?:ая|ой)|трет(?:ья|ий)|четв[её]рт(?:ая|ый)|пят(?:ая|ый)|шест(?:ая|ой)|седьм(?:ая|ой)|восьм(?:ая|ой)|` +
	`девят(?:ая|ый)|` +
	`десят(?:ая|ый)|\p{L}{3,9}надцат(?:ая|ый)|двадцат(?:ая|ый)(?: \p{L}{4,9})?|двадцать \p{L}{4,9}|последн(?:яя|ий)`

const numberWords = ordinals + `|` + cardinals

// names are the usual names of parts of a book without a number.
var names = map[string]Rank{
	"prologue": Part, "epilogue": Part, "preface": Part, "foreword": Part, "introduction": Part, "afterword": Part,
	"postscript": Part, "conclusion": Part, "prolog": Part, "epilog": Part, "vorwort": Part, "nachwort": Part, "einleitung": Part,
	"schluss": Part, "épilogue": Part, "préface": Part, "avant-propos": Part, "postface": Part, "prólogo": Part, "epílogo": Part,
	"prefacio": Part, "introducción": Part, "prologo": Part, "epilogo": Part, "prefazione": Part, "introduzione": Part,
	"conclusione": Part, "prefácio": Part, "posfácio": Part, "introdução": Part, "proloog": Part, "epiloog": Part, "voorwoord": Part,
	"nawoord": Part, "inleiding": Part, "пролог": Part, "эпилог": Part, "предисловие": Part, "послесловие": Part, "введение": Part,
	"wstęp": Part, "předmluva": Part, "author’s note": Part, "author's note": Part, "interlude": Chapter, "intermezzo": Chapter,
	"zwischenspiel": Chapter, "interludio": Chapter, "интерлюдия": Chapter, "intermission": Chapter, "entracte": Chapter,
}

// contents are the headings of tables of contents.
var contents = map[string]bool{
	"contents": true, "the contents": true, "brief contents": true,
	"table of contents": true, "inhalt": true, "inhaltsverzeichnis": true, "table des matières": true,
	"table des matieres": true, "sommaire": true, "índice": true, "indice": true, "contenido": true, "sommario": true, "sumário": true,
	"conteúdo": true, "inhoud": true, "inhoudsopgave": true, "содержание": true, "оглавление": true, "spis treści": true, "obsah": true,
	"目录": true, "目次": true,
}
