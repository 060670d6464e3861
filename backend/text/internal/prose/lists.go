package prose

import "strings"

// setOf returns the words of lines.
func setOf(lines ...string) map[string]bool {
	all := map[string]bool{}
	for _, line := range lines {
		for word := range strings.FieldsSeq(line) {
			all[word] = true
		}
	}
	return all
}

// titles are abbreviations before names, also in lower case. None is a word that ends sentences in the languages of the lists,
// but some are acronyms if they are in capitals.
var titles = setOf(
	"dr mr mrs ms mx messrs supt capt cmdr sgt cpl pvt", // English
	"frl dipl pfr hr fr",                                // German
	"mme mmes mlle mlles mgr éd",                        // French, Polish
	"sr sra srta srs sras sres dña avda ctra cnel pbro", // Spanish, Portuguese
	"exmo exma ilmo ilma profa",
	"sig sigg sig.ra sig.na sig.re dott dott.ssa prof.ssa avv geom magg on.le", // Italian
	"dhr mevr mej", // Dutch
	"проф акад тов доц инж ул просп пер г-н г-жа", // Russian
	"św bp abp inż płk ppłk mjr kpt sierż",        // Polish
	"mudr judr phdr rndr özv ifj doç",             // Czech, Hungarian, Turkish
)

// capitalTitles are abbreviations before names that are other words in lower case: there the word after them decides, as it does
// for those in capitals.
var capitalTitles = setOf(
	"rev hon gen col maj lt adm gov sen rep pres mt insp", // English
	"hl ing mag fa fam priv doz präs",                     // German
	"mm av bd",                                            // French
	"sto sta lic arq pe pza pl",                           // Spanish, Portuguese
	"arch rag cav comm cap p.zza p.za v.le c.so",          // Italian
	"mw ir ds kol",                                        // Dutch
	"им гр ген полк св пр пл оз пос дер",                  // Russian
	"ks gm woj por dyr",                                   // Polish
)

// capitalWords are capitalTitles that are also words or names with a capital, which end sentences.
var capitalWords = setOf("gen sen arch cap comm mag rag cav col hon kol av")

// lowerWords are capitalTitles and others that end sentences as words of a language if they are in lower case.
var lowerWords = setOf("rep mm mt ing sto sta cap por mag arch fa pe ir")

// midSentence are abbreviations that do not end a sentence.
var midSentence = setOf(
	"e.g i.e viz approx vs cf esp incl resp a.k.a w.r.t", // English
	"z.b d.h i.d.r bzw bspw ggf evtl inkl exkl zzgl abzgl vgl z.t v.a u.u i.a i.d.f i.e.s i.s.v i.h.v m.e v.l.n.r z.hd o.g",
	"gest gegr verh verw gesch ehem hrsg insb insbes einschl bzgl betr durchschn jährl monatl wöchentl südl nördl "+
		"östl westl evang griech engl ital dt österr amerik z.zt", // German
	"p.ex p.ej p.es env c.-à-d av.j.-c apr.j.-c ades cfr trad aprox máx mín",       // French, Spanish, Italian, Portuguese
	"bijv o.a d.w.z m.b.t t.o.v i.p.v n.a.v t.a.v i.v.m t.w.v m.n zgn ongev m.a.w", // Dutch
	"т.е т.к т.н т.о напр ср дон.э",                                                // Russian
	"np tzn tzw m.in t.j tj zob",                                                   // Polish
	"např tzv t.ex bl.a d.v.s f.eks esim örn",                                      // Czech, Scandinavian, Finnish, Turkish
)

// ambiguous are abbreviations that may end a sentence.
var ambiguous = setOf(
	"st jr snr jnr inc ltd co corp bros dept univ ave blvd rd ft al ph.d m.sc b.sc ee.uu gmbh abt ca plc",
	"г гг руб тыс стр млн млрд коп р обл н.э с.г в.д см med rer nat jur",
	"jan feb apr jun jul aug sep sept oct okt nov dec dez tue tues wed thu thurs fri",
	"janv févr avr juil déc ene dic fev abr febbr genn ott",
	"a.m p.m a.d b.c b.c.e c.e u.a s.a s.l n.chr v.chr o.ä u.ä u.a.m e.v s.o s.u i.r i.v v.u.z n.u.z std hbf bhf jh jhdt aufl min sek",
	"j.-c n.è a.c d.c a.dec av.n.è hab cie cía cia ltda s.p.a s.r.l ss.mm rr.hh jj.oo ff.aa cc.aa v.exa e.u.a",
	"p.n.e n.e b.r r tys zł gr mln mld godz o.o sp.zo.o b.v n.v a.s e.d e.a jl afd str os",
	"prof eng burg mons drs dra ud uds vd vds gral cel ul sog geb mio mrd tsd kath lat brit",
)

// listEnds are abbreviations at the end of a list, which may end a sentence.
var listEnds = setOf("т.д т.п др")

// abbreviatedPhrases are the abbreviations of several words.
var abbreviatedPhrases = setOf(
	"e.g i.e a.k.a w.r.t p.m a.m a.d b.c b.c.e c.e ph.d m.sc b.sc u.s u.k d.c u.n u.s.a",
	"z.b d.h i.d.r z.t v.a u.u i.a i.d.f i.e.s i.s.v i.h.v m.e v.l.n.r z.hd o.g z.zt v.chr n.chr o.ä u.ä u.a u.a.m u.v.m e.v s.o s.u i.r "+
		"i.v v.u.z n.u.z v.u.z a.d a.m d.j d.ä g.g.f o.b.d.a a.a.o u.s.w m.w st.pl o.j o.o u.z z.z",
	"p.ex p.ej p.es ades c.-à-d av.j.-c apr.j.-c av.n.è s.v.p n.b j.-c a.c d.c a.dec ee.uu ss.mm rr.hh jj.oo ff.aa cc.aa cc.oo s.a s.l "+
		"v.exa e.u.a s.p.a s.r.l n.d.r q.e.p.d p.d",
	"d.w.z m.b.t t.o.v i.p.v o.a n.a.v t.a.v i.v.m t.w.v m.n m.a.w b.v n.v a.u.b e.d e.a z.o.z",
	"т.е т.к т.н т.о т.д т.п н.э дон.э и.о с.г в.д с.ш к.п.н д.м.н",
	"m.in p.n.e n.e t.j b.r sp.zo.o s.a",
	"t.ex bl.a d.v.s f.eks",
)

// numbered are abbreviations before a number.
var numbered = setOf(
	"no nos nr num núm n fig figs eq sec sect ch chap p pp pg vol vols art par para ed abb tab kap abs s bd pág págs pag pagg cap tel ext "+
		"str č рис гл v sv",
	"ref refs apt ste rm app ex pt pts bk ser ver op opp l ll suppl b d fl r ca", // English
	"ziff rn rdnr anm jg bl z hs", // German
	"blz hfst afb bijl par",       // Dutch
	"réf chap t coll tél",         // French
	"séc ap apto lám ej",          // Spanish, Portuguese
	"табл п пп ст д кв корп стр тел с т ок л", // Russian
	"rys rozdz tom godz poz ust ok",           // Polish
	"mar ott",
)

// numberedWords are numbered ones that are words before capitals that look like Roman numerals.
var numberedWords = setOf("no nos n p s d l r t v b z ca ex")

// firstWords begin sentences, beside those of StartsSentence.
var firstWords = setOf(
	"danach da heute jetzt nun doch also auch was wer wie wo warum mit im am an auf bei nach vor für von zu aus seit um als man jeder alle "+
		"viele diese dieser dieses mein sein ihre kein keine nur noch schon bis ob weil obwohl deshalb trotzdem später bald den dem des",
	"il ils elles on ce cette ces puis alors ensuite dans pour avec sans après avant quand si son sa ses leur leurs mon ma mes c'est",
	"él ellos ellas yo tú esto este esta estos estas ese esa luego entonces después cuando como con sin para por su sus mi mis hay es fue se",
	"il lo i gli le uno lui lei noi voi loro questo questa poi allora dopo quando con senza per nel nella dal della è era si",
	"eu nós vocês elas isto isso esse essa depois então quando com sem para por seu sua meu minha foi num numa no na",
	"dit dat deze die er toen daarna dan nu wanneer als met zonder voor na hun zijn haar mijn ik jij u is was we jullie",
	"to ta ten on ona oni my wy ja potem wtedy teraz gdy kiedy jeśli ale lecz więc z ze bez dla po przed w na od do jest był była nie tak",
	"я ты вы он оно его её их этот эта эти потом затем тогда теперь когда если с без для после перед на от до был была не да а же как что",
)
