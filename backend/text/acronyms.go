package text

import "strings"

// capitals reads a word in capitals, with a small s behind it for more than one: as letters, or as a word.
func (n *normalizer) capitals(w string, end int) bool {
	if len(w) < 2 || !upper(w[0]) || !upper(w[1]) {
		return false
	}
	if r := n.after(end); (r == '\'' || r == '’') && end+firstSize(n.s[end:]) < len(n.s) {
		if next := n.wordAt(end + firstSize(n.s[end:])); next != "" && upper(next[0]) && next != "S" {
			return false // DON'T
		}
	}
	if war := w == "WWI" || w == "WWII" || w == "WW" && digit(n.byteAt(end)); war {
		n.say("World War"+[...]string{"", " one", " two"}[len(w)-2], end)
		return true
	}
	if n.byteAt(end) == '&' && upper(n.byteAt(end+1)) || n.byteAt(n.at-1) == '&' {
		n.say(characters(w), end)
		return true
	}
	if meant := ambiguousWord(w) || !spelledOut(w) && !said(w) && !shortWord(w); meant && len(w) <= 3 && capitals(w) &&
		pronounceable(w) && n.shouted(end) {
		n.say(strings.ToLower(w), end)
		return true
	}
	words, ok := acronym(w)
	if !ok {
		return false
	}
	n.say(words, end)
	return true
}

// ambiguousWord reports acronyms that are words as well.
func ambiguousWord(w string) bool {
	switch w {
	case "IT", "US", "AM", "AD", "SAT", "ACT", "RIP":
		return true
	}
	return false
}

// shouted reports whether a word beside this one is in capitals as a whole, so that capitals mean nothing here.
func (n *normalizer) shouted(end int) bool {
	before, _ := n.wordBefore(n.at)
	for _, w := range [...]string{before, n.wordAt(n.spaces(end))} {
		if len(w) < 2 || !capitals(w) || len(w) < 4 && !shortWord(w) {
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
	if len(stem) < 2 || !capitals(stem) || !ascii(stem) || said(stem) {
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

// shortWord reports words of two and three letters that people write in capitals.
func shortWord(w string) bool {
	switch w {
	case "NO", "OR", "IF", "SO", "TO", "UP", "GO", "MY", "ME", "WE", "HE", "BE", "DO", "IS", "ON", "IN", "OF", "AT", "BY", "AN", "AS",
		"OH", "AH", "HI",
		"NOT", "YES", "AND", "THE", "BUT", "ALL", "YOU", "ARE", "WAS", "HAS", "HAD", "ONE", "TWO", "NOW", "NEW", "OUT", "CAN", "HER",
		"HIS", "HIM", "SHE", "OUR", "ANY", "BIG", "BAD", "GET", "GOT", "LET", "MAY", "MEN", "SEE", "SAY", "WAY", "WHY", "HOW", "TOO",
		"USE", "DAY", "END", "FOR", "OFF", "OLD", "OWN", "PUT", "RUN", "SIX", "TEN", "TRY", "WAR", "WHO", "WIN", "YET", "AGO", "BAN",
		"BUY", "DID", "FAR", "FEW", "FUN", "GOD", "HEY", "HOT", "LOW", "MAD", "MAN", "NOR", "ODD", "PAY", "RED", "SAD", "SET", "SIT",
		"STOP", "TOP", "WOW", "ASK", "BOX", "CAR", "CUT", "EAT", "JOB", "KEY", "MOM", "DAD", "BOY":
		return true
	}
	return false
}

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
	const begins = " bl br ch cl cr dr dw fl fr gh gl gn gr kn kl kr ph pl pr ps qu sc sh sk sl sm sn sp st sw th tr tw wh wr " +
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
		"wns xt xts zz gg dd bb ngth ngths nths lth lths lch rsh tz "
	return strings.Contains(ends, " "+s+" ")
}
