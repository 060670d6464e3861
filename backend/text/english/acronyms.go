package english

import (
	"strings"

	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// acronym returns the letters of a word in capitals, with spaces between them, if it is not read as a word. A small s at
// its end is the plural.
func acronym(w string) (letters string, ok bool) {
	stem, plural := strings.CutSuffix(w, "s")
	if len(stem) < 2 || !prose.AllCapitals(stem) || !ascii(stem) || readAsWord(stem) {
		return "", false
	}
	letters = spell(stem)
	if plural {
		letters += "'s"
	}
	return letters, true
}

// WordAcronym reports whether an acronym in capitals is read as a word, such as NASA and ZIP.
func WordAcronym(w string) bool { return wordAcronyms[w] }

// Acronym reports whether it is known how an acronym in capitals is read.
func Acronym(w string) bool { return wordAcronyms[w] || spelledAcronyms[w] }

// readAsWord reports whether a word in capitals is read as a word.
func readAsWord(w string) bool {
	switch {
	case wordAcronyms[w]:
		return true
	case spelledAcronyms[w]:
		return false
	case len(w) <= 3:
		return shortWord(w)
	}
	return len(w) > 5 && strings.ContainsAny(w, "AEIOUY") || pronounceable(w)
}

// spell returns letters in capitals and the words of digits, with spaces between them.
func spell(s string) string {
	var words []string
	for _, r := range s {
		if r >= '0' && r <= '9' {
			words = append(words, ones[r-'0'])
			continue
		}
		words = append(words, strings.ToUpper(string(r)))
	}
	return strings.Join(words, " ")
}

var (
	// wordAcronyms are read as words though they are short or do not look like words.
	wordAcronyms = setOf("NASA NATO AIDS LASER RADAR FIFA UEFA OSHA RAM ROM PIN SIM LAN WAN JSON YAML GIF JPEG MPEG BIOS DOS GUI SWAT SARS " +
		"MERS FEMA HIPAA PETA MIDI POTUS SCOTUS FLOTUS ISIS NVIDIA NASDAQ WYSIWYG SCUBA SONAR NAFTA OPEC UNESCO UNICEF " +
		"COVID LEGO IKEA ASCII CAPTCHA REST CRUD SOAP AJAX LIDAR TED MAGA BOGO ZIP NET LIV MAX")

	// spelledAcronyms are read letter by letter though they look like words.
	spelledAcronyms = setOf("ACLU ASPCA UCLA YMCA YWCA AFAIK IIRC AARP IEEE ESPN NCAA NAACP OECD USAID USPS USSR HVAC IMDB MRSA UNHCR ASAP " +
		"ESL ETA AKA DIY FAQ UFO IRA IRS IPA CEO CFO CTO COO CIA FBI USA UAE ATM API URL CPU GPU USB SUV VIP ID IQ OK TV " +
		"EU UN UK AI PC DJ MC ER ICU EMT EPA FDA HIV DNA RNA IPO ROI KPI GPA SAT ACT GRE MBA MRI NBA NFL MLB NHL LOL OMG " +
		"BRB FYI RIP SOS AM PM AD BC CE BCE LA DC NY CA IBM BMW CNN BBC ABC NBC CBS HBO NSA TSA DEA ATF EIN OS IT HR PR " +
		"QA UI UX VR AR IP XL US SQL PDF HDMI LGBTQ LGBTQIA ISBN")
)

// Short words that people write in capitals for emphasis.
var (
	// stressedWords stay in capitals, which some engines stress.
	stressedWords = setOf("AN AS AT BE BY DO GO HE HM IN IS ME MM MY NO OF ON OR SO TO UP WE YE ADO AHA ALE ALL AND ANY ARC ARE ASS BOW BUS " +
		"BUT CAN DID EGG ERR FIX FOR GET GOT HAD HAS HER HIM HIS HMM HOW ITS MAY NOR NOT NOW ONE OUR PUT ROW SEX SHE SHH " +
		"SIR SKI SON TEN THE THY TON TWO USE VIA WAS WHY YOU STOP WHOA")

	// commonWords become lower case, because many engines would spell them.
	commonWords = setOf("AH AX HA HI HO IF OH OX ACE AGE AGO AID AIL AIM AIR ANT APE APT ARK ARM ART ASH ASK ATE AWE AXE AYE BAD BAG BAN " +
		"BAR BAT BAY BED BEE BEG BET BID BIG BIN BIT BOO BOX BOY BRA BUD BUG BUM BUN BUY BYE CAB CAP CAR CAT COP COW COY " +
		"CRY CUB CUE CUP CUT DAD DAM DAY DEN DEW DIE DIG DIM DIN DIP DOG DOT DRY DUE DUG DUH DYE EAR EAT EBB EEL EGO ELF " +
		"ELK ELM END ERA EVE EYE FAN FAR FAT FED FEE FEW FIG FIT FLU FLY FOE FOG FOX FRO FRY FUN FUR GAG GAP GAS GAY GOD " +
		"GUM GUN GUT GUY GYM HAM HAT HAY HEN HEY HID HIP HIT HOT HUG HUH HUM HUT ICE ICY ILL INK INN JAM JAR JAW JET JOB " +
		"JOG JOY JUG KEY KID KIN KIT LAD LAP LAW LAY LEG LET LID LIE LIP LIT LOG LOT LOW MAD MAN MAP MAT MEN MET MIX MOB " +
		"MOM MOP MUD MUG NAH NAP NEW NOD NUN NUT OAK OAR OAT ODD OFF OIL OLD OUT OWE OWL OWN PAD PAL PAN PAT PAW PAY PEA " +
		"PEN PET PIE PIG PIN PIT POP POT PRO RAG RAN RAT RAW RAY RED RIB RID RIM ROB ROD ROT RUB RUG RUM RUN SAD SAW SAY " +
		"SEA SEE SET SEW SHY SIN SIP SIT SIX SKY SLY SOB SPY SUM SUN TAG TAN TAP TAX TEA TIE TIN TIP TOE TOO TOP TOY TRY " +
		"TUB UGH VOW WAG WAR WAX WAY WEB WED WET WIG WIN WIT WOE WON WOW YAY YES YET ZOO")
)

// shortWord reports whether w is a short word that people write in capitals for emphasis.
func shortWord(w string) bool { return stressedWords[w] || commonWords[w] }

// pronounceable reports whether letters can be an English word: they have a vowel, and no English word begins or ends with
// other consonants.
func pronounceable(w string) bool {
	w = strings.ToLower(w)
	first := strings.IndexAny(w, "aeiouy")
	last := strings.LastIndexAny(w, "aeiouy")
	if first < 0 || first == 0 && w[0] == 'y' && !strings.ContainsAny(w, "aeiou") {
		return false
	}
	if strings.Contains(w, "aa") || strings.Contains(w, "ii") || strings.Contains(w, "uu") {
		return false
	}
	begin, end := w[:first], w[last+1:]
	return (len(begin) < 2 || onsets[begin]) && (len(end) < 2 || codas[end])
}

var (
	// onsets are the consonants, two or more, with which an English word can begin.
	onsets = setOf("bl br ch cl cr dr dw fl fr gh gl gn gr kh kn kl kr ll ph pl pr ps qu rh sc sh sk sl sm sn sp sq st sw th tr tw wh wr " +
		"scr shr spl spr squ str thr sch chr phr")

	// codas are the consonants, two or more, with which an English word can end.
	codas = setOf("bs ck cks ct cts ch cs ds dge ff ffs ft fts gh ght ghts gs ks ld lds lf lfs lk lks ll lls lm lms lp lps ls lt lts " +
		"mb mbs mp mps ms nce nch nd nds ng ngs nk nks nn ns nt nts nth ps pt pts ph rb rbs rc rch rd rds rf rge rk rks rl rls rld " +
		"rm rms rn rns rp rps rr rs rse rst rt rts rth rths rve sh sk sks sm sms sp sps ss st sts tch th ths ts tt tts ws wl wls wn " +
		"wns xt xts zz gg dd bb ngth nths lth lths lch rsh tz bt bts wd wds pth pths xth xths dth dths fth fths rtz ltz mph mphs gn gns " +
		"nx nc lc wk wks dds fs rnt dst lsh mn mns ngst cht chts hn wn wb ws rch nct nx")
)
