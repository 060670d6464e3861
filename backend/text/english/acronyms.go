package english

import (
	"strings"

	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// capitals reads a word in capitals, with a small s behind it for more than one: as letters, or as a word.
func (n *normalizer) capitals(w string, end int) bool {
	if w == "M" && (strings.HasSuffix(n.s[:n.at], "I'") || strings.HasSuffix(n.s[:n.at], "I’")) {
		n.say("m", end)
		return true
	}
	if len(w) < 2 || !upper(w[0]) || !upper(w[1]) {
		return false
	}
	if r := n.before(n.at); (r == '\'' || r == '’') && listed("LL RE VE", w) {
		n.say(w, end) // WE'LL
		return true
	}
	if r := n.after(end); (r == '\'' || r == '’') && end+firstSize(n.s[end:]) < len(n.s) {
		if next := n.wordAt(end + firstSize(n.s[end:])); next != "" && upper(next[0]) && next != "S" {
			return false // DON'T
		}
	}
	if listed(smallWords, w) {
		n.say(strings.ToLower(w), end)
		return true
	}
	if war := w == "WWI" || w == "WWII" || w == "WW" && digit(n.byteAt(end)); war {
		n.say("World War"+[...]string{"", " one", " two"}[len(w)-2], end)
		return true
	}
	if n.byteAt(end) == '&' && upper(n.byteAt(end+1)) || n.byteAt(n.at-1) == '&' {
		n.say(characters(w), end)
		return true
	}
	if homonym(w) {
		return n.homonym(w, end)
	}
	if meant := !spelledOut(w) && !said(w) && !shortWord(w); meant && len(w) <= 3 && prose.AllCapitals(w) && pronounceable(w) && n.shouted(end) {
		n.say(strings.ToLower(w), end)
		return true
	}
	words, ok := acronym(w)
	if !ok {
		return false
	}
	n.spell(words, end)
	return true
}

// spell writes letters. The article at the beginning of a sentence becomes lower case, so that it is not read as one of
// them: A VIP.
func (n *normalizer) spell(letters string, end int) {
	if i := len(n.out) - 2; i >= 0 && string(n.out[i:]) == "A " {
		before := strings.TrimRight(string(n.out[max(i-8, 0):i]), " \n\"'“‘([")
		if before == "" || strings.ContainsAny(before[len(before)-1:], ".!?:;") {
			n.out[i] = 'a'
		}
	}
	n.say(letters, end)
}

// homonym reads an acronym that is also a word. Words other than WHO become lower case, because many engines would spell
// them.
func (n *normalizer) homonym(w string, end int) bool {
	after := n.wordAt(n.spaces(end))
	if n.byteAt(end) == '-' {
		after = "-"
	}
	before, start := n.wordLeft(n.at)
	earlier, _ := n.wordLeft(start)
	loud := n.shouted(end) && !strings.EqualFold(before, "the") // THE US ARMY
	switch {
	case !loud && Letters(earlier, before, w, after):
		n.spell(characters(w), end)
	case w != "WHO":
		if next := n.after(end); (next == '\'' || next == '’') && n.wordAt(end+firstSize(n.s[end:])) == "S" {
			end += firstSize(n.s[end:]) + 1
		}
		n.say(strings.ToLower(n.s[n.at:end]), end)
	default:
		return false
	}
	return true
}

// wordLeft returns the word before the white space at i, with its apostrophes, or the hyphen directly before i.
func (n *normalizer) wordLeft(i int) (word string, start int) {
	end := i
	for end > 0 && i-end < 3 && space(n.s[end-1]) {
		end--
	}
	if end == i && n.byteAt(i-1) == '-' {
		return "-", i - 1
	}
	start = end
	for start > 0 && end-start < prose.LongestWord && end < i && (lower(n.s[start-1]) || upper(n.s[start-1]) || n.s[start-1] == '\'') {
		start--
	}
	return n.s[start:end], start
}

// shouted reports whether a word beside this one is in capitals as a whole, so that capitals mean nothing here.
func (n *normalizer) shouted(end int) bool {
	before, _ := n.wordBefore(n.at)
	for _, w := range [...]string{before, n.wordAt(n.spaces(end))} {
		if len(w) < 2 || !prose.AllCapitals(w) || len(w) < 4 && !shortWord(w) {
			continue
		}
		if _, spelled := acronym(w); !spelled {
			return true
		}
	}
	return false
}

// acronym gives the letters of a word in capitals that is not read as a word. ok is false for one that is.
func acronym(w string) (words string, ok bool) {
	stem, many := strings.CutSuffix(w, "s")
	if len(stem) < 2 || !prose.AllCapitals(stem) || !ascii(stem) || said(stem) {
		return "", false
	}
	switch {
	case spelledOut(stem):
	case len(stem) <= 3:
		if shortWord(stem) {
			return "", false
		}
	case len(stem) > 5 && strings.ContainsAny(stem, "AEIOUY"), pronounceable(stem):
		return "", false
	}
	words = characters(stem)
	if many {
		words += "'s"
	}
	return words, true
}

// said reports acronyms that are read as words though they do not look like one, or are short.
func said(w string) bool {
	switch w {
	case "NASA", "NATO", "AIDS", "LASER", "RADAR", "FIFA", "UEFA", "OSHA", "RAM", "ROM", "PIN", "SIM", "LAN", "WAN", "JSON", "YAML",
		"GIF", "JPEG", "MPEG", "BIOS", "DOS", "GUI", "SWAT", "SARS", "MERS", "FEMA", "HIPAA", "PETA", "MIDI", "POTUS", "SCOTUS",
		"FLOTUS", "ISIS", "NVIDIA", "NASDAQ", "WYSIWYG", "SCUBA", "SONAR", "NAFTA", "OPEC", "UNESCO", "UNICEF", "COVID", "LEGO",
		"IKEA", "ASCII", "CAPTCHA", "REST", "CRUD", "SOAP", "AJAX", "LIDAR", "TED", "MAGA", "BOGO", "ZIP", "NET":
		return true
	}
	return false
}

// spelledOut reports acronyms that look like words and are read as letters.
func spelledOut(w string) bool {
	switch w {
	case "ACLU", "ASPCA", "UCLA", "YMCA", "YWCA", "AFAIK", "IIRC", "AARP", "IEEE", "ESPN", "NCAA", "NAACP", "OECD", "USAID", "USPS",
		"USSR", "HVAC", "IMDB", "MRSA", "UNHCR", "ASAP", "ESL", "ETA", "AKA", "DIY", "FAQ", "UFO", "IRA", "IRS", "IPA", "CEO", "CFO",
		"CTO", "COO", "CIA", "FBI", "USA", "UAE", "ATM", "API", "URL", "CPU", "GPU", "USB", "SUV", "VIP", "ID", "IQ", "OK", "TV", "EU",
		"UN", "UK", "AI", "PC", "DJ", "MC", "ER", "ICU", "EMT", "EPA", "FDA", "HIV", "DNA", "RNA", "IPO", "ROI", "KPI", "GPA", "SAT",
		"ACT", "GRE", "MBA", "MRI", "NBA", "NFL", "MLB", "NHL", "LOL", "OMG", "BRB", "FYI", "RIP", "SOS", "AM", "PM", "AD", "BC", "CE",
		"BCE", "LA", "DC", "NY", "CA", "IBM", "BMW", "CNN", "BBC", "ABC", "NBC", "CBS", "HBO", "NSA", "TSA", "DEA", "ATF", "EIN",
		"OS", "IT", "HR", "PR", "QA", "UI", "UX", "VR", "AR", "IP", "XL", "US", "SQL", "PDF", "HDMI", "LGBTQ", "LGBTQIA", "ISBN":
		return true
	}
	return false
}

// Short words that people write in capitals for emphasis. loudWords stay in capitals, which some engines stress;
// smallWords become lower case, because many engines would spell them.
const (
	loudWords = "AN AS AT BE BY DO GO HE HM IN IS ME MM MY NO OF ON OR SO TO UP WE YE ADO AHA ALE ALL AND ANY ARC ARE ASS BOW BUS " +
		"BUT CAN DID EGG ERR FIX FOR GET GOT HAD HAS HER HIM HIS HMM HOW ITS MAY NOR NOT NOW ONE OUR PUT ROW SEX SHE SHH " +
		"SIR SKI SON TEN THE THY TON TWO USE VIA WAS WHY YOU STOP WHOA"
	smallWords = "AH AX HA HI HO IF OH OX ACE AGE AGO AID AIL AIM AIR ANT APE APT ARK ARM ART ASH ASK ATE AWE AXE AYE BAD BAG BAN " +
		"BAR BAT BAY BED BEE BEG BET BID BIG BIN BIT BOO BOX BOY BRA BUD BUG BUM BUN BUY BYE CAB CAP CAR CAT COP COW COY " +
		"CRY CUB CUE CUP CUT DAD DAM DAY DEN DEW DIE DIG DIM DIN DIP DOG DOT DRY DUE DUG DUH DYE EAR EAT EBB EEL EGO ELF " +
		"ELK ELM END ERA EVE EYE FAN FAR FAT FED FEE FEW FIG FIT FLU FLY FOE FOG FOX FRO FRY FUN FUR GAG GAP GAS GAY GOD " +
		"GUM GUN GUT GUY GYM HAM HAT HAY HEN HEY HID HIP HIT HOT HUG HUH HUM HUT ICE ICY ILL INK INN JAM JAR JAW JET JOB " +
		"JOG JOY JUG KEY KID KIN KIT LAD LAP LAW LAY LEG LET LID LIE LIP LIT LOG LOT LOW MAD MAN MAP MAT MEN MET MIX MOB " +
		"MOM MOP MUD MUG NAH NAP NEW NOD NUN NUT OAK OAR OAT ODD OFF OIL OLD OUT OWE OWL OWN PAD PAL PAN PAT PAW PAY PEA " +
		"PEN PET PIE PIG PIN PIT POP POT PRO RAG RAN RAT RAW RAY RED RIB RID RIM ROB ROD ROT RUB RUG RUM RUN SAD SAW SAY " +
		"SEA SEE SET SEW SHY SIN SIP SIT SIX SKY SLY SOB SPY SUM SUN TAG TAN TAP TAX TEA TIE TIN TIP TOE TOO TOP TOY TRY " +
		"TUB UGH VOW WAG WAR WAX WAY WEB WED WET WIG WIN WIT WOE WON WOW YAY YES YET ZOO"
)

// shortWord reports words of two and three letters that people write in capitals.
func shortWord(w string) bool { return listed(loudWords, w) || listed(smallWords, w) }

// pronounceable reports whether capitals can be an English word: with a vowel, and without letters together at the
// beginning or the end that no word has there.
func pronounceable(w string) bool {
	w = strings.ToLower(w)
	first := strings.IndexAny(w, "aeiouy")
	last := strings.LastIndexAny(w, "aeiouy")
	if first < 0 {
		return false
	}
	if w[first] == 'y' && first == 0 && !strings.ContainsAny(w, "aeiou") {
		return false
	}
	return onset(w[:first]) && coda(w[last+1:]) && !strings.Contains(w, "aa") && !strings.Contains(w, "ii") && !strings.Contains(w, "uu")
}

func onset(s string) bool {
	switch {
	case len(s) < 2:
		return true
	case len(s) > 3:
		return false
	}
	const begins = " bl br ch cl cr dr dw fl fr gh gl gn gr kh kn kl kr ll ph pl pr ps qu rh sc sh sk sl sm sn sp sq st sw th tr tw wh wr " +
		"scr shr spl spr squ str thr sch chr phr "
	return strings.Contains(begins, " "+s+" ")
}

func coda(s string) bool {
	switch {
	case len(s) < 2:
		return true
	case len(s) > 4:
		return false
	}
	const ends = " bs ck cks ct cts ch cs ds dge ff ffs ft fts gh ght ghts gs ks ld lds lf lfs lk lks ll lls lm lms lp lps ls lt lts " +
		"mb mbs mp mps ms nce nch nd nds ng ngs nk nks nn ns nt nts nth ps pt pts ph rb rbs rc rch rd rds rf rge rk rks rl rls rld " +
		"rm rms rn rns rp rps rr rs rse rst rt rts rth rths rve sh sk sks sm sms sp sps ss st sts tch th ths ts tt tts ws wl wls wn " +
		"wns xt xts zz gg dd bb ngth ngths nths lth lths lch rsh tz bt bts wd wds pth pths xth xths dth dths fth fths rtz ltz mph mphs gn gns nx nc lc wk wks dds fs rnt " +
		"dst lsh mn mns ngst cht chts hn wn wb ws rch nct nx "
	return strings.Contains(ends, " "+s+" ")
}
