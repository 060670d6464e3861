package espeak

import "strings"

// known are the voices of espeak-ng 1.51. Whether an installation has them is another question; find asks it.
const known = ` af am an ar as az ba be bg bn bpy bs ca cmn cmn-latn-pinyin cs cv cy da de el en-029 ` +
	`en-gb en-gb-scotland en-gb-x-gbclan en-gb-x-gbcwmd en-gb-x-rp en-us en-us-nyc eo es es-419 et eu fa fa-latn fi fr-be ` +
	`fr-ch fr-fr ga gd gn grc gu hak haw he hi hr ht hu hy hyw ia id io is it ja jbo ka kk kl kn ko kok ku ky la lb lfn ` +
	`lt ltg lv mi mk ml mr ms mt my nb nci ne nl nog om or pa pap piqd pl pt pt-br py qdb qu quc qya ro ru ru-lv sd shn ` +
	`si sjn sk sl smj sq sr sv sw ta te th tk tn tr tt ug uk ur uz vi vi-vn-x-central vi-vn-x-south yue `

// preferred gives the voice where the tag itself is not one, or where another one fits better.
func preferred(tag string) string {
	switch tag {
	case "en", "en-ca", "en-ph", "en-pr":
		return "en-us"
	case "en-au", "en-nz", "en-ie", "en-in", "en-za", "en-sg", "en-hk", "en-mt", "en-ke", "en-ng":
		return "en-gb"
	case "en-jm", "en-tt", "en-bb", "en-bs":
		return "en-029"
	case "es-ar", "es-bo", "es-cl", "es-co", "es-cr", "es-cu", "es-do", "es-ec", "es-gt", "es-hn", "es-mx", "es-ni",
		"es-pa", "es-pe", "es-pr", "es-py", "es-sv", "es-us", "es-uy", "es-ve":
		return "es-419"
	case "fr":
		return "fr-fr"
	case "zh", "zh-cn", "zh-sg", "zh-tw", "zh-hans", "zh-hant", "zh-cmn", "cmn-hans", "cmn-hant":
		return "cmn"
	case "zh-hk", "zh-mo", "zh-hant-hk", "zh-yue":
		return "yue"
	case "no", "nn":
		return "nb"
	case "iw":
		return "he"
	case "in":
		return "id"
	case "mo":
		return "ro"
	case "sh", "hbs":
		return "hr"
	case "chr":
		return "chr-US-Qaaa-x-west"
	}
	return ""
}

// VoiceFor gives the espeak-ng voice of a BCP 47 language tag: its own voice where there is one (pt-BR: pt-br), else
// the usual one of the language (en: en-us, en-AU: en-gb, es-MX: es-419, fr-CA: fr-fr, zh: cmn, zh-HK: yue). Case and
// underscores do not matter. ok is false when espeak-ng 1.51 has no voice of the language.
func VoiceFor(tag string) (voice string, ok bool) {
	tag = strings.ToLower(strings.ReplaceAll(strings.TrimSpace(tag), "_", "-"))
	if tag == "" || strings.ContainsAny(tag, " \t\n") {
		return "", false
	}
	for {
		if v := preferred(tag); v != "" {
			return v, true
		}
		if strings.Contains(known, " "+tag+" ") {
			return tag, true
		}
		cut := strings.LastIndexByte(tag, '-')
		if cut < 0 {
			return "", false
		}
		tag = tag[:cut]
	}
}

// canonical writes a voice's ID with the case of BCP 47: en-us becomes en-US, fa-latn becomes fa-Latn.
func canonical(id string) string {
	parts := strings.Split(id, "-")
	private := false
	for i, p := range parts {
		p = strings.ToLower(p)
		switch {
		case i == 0 || private:
		case p == "x":
			private = true
		case len(p) == 2:
			p = strings.ToUpper(p)
		case len(p) == 4:
			p = strings.ToUpper(p[:1]) + p[1:]
		}
		parts[i] = p
	}
	return strings.Join(parts, "-")
}
