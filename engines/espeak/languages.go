package espeak

import (
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
)

// known are the voices of espeak-ng 1.51. An installation may lack some, which find reports.
const known = ` af am an ar as az ba be bg bn bpy bs ca cmn cmn-latn-pinyin cs cv cy da de el en-029 ` +
	`en-gb en-gb-scotland en-gb-x-gbclan en-gb-x-gbcwmd en-gb-x-rp en-us en-us-nyc eo es es-419 et eu fa fa-latn fi fr-be ` +
	`fr-ch fr-fr ga gd gn grc gu hak haw he hi hr ht hu hy hyw ia id io is it ja jbo ka kk kl kn ko kok ku ky la lb lfn ` +
	`lt ltg lv mi mk ml mr ms mt my nb nci ne nl nog om or pa pap piqd pl pt pt-br py qdb qu quc qya ro ru ru-lv sd shn ` +
	`si sjn sk sl smj sq sr sv sw ta te th tk tn tr tt ug uk ur uz vi vi-vn-x-central vi-vn-x-south yue `

// usualVoices are the voices of tags that are none themselves, or for which another voice fits better.
var usualVoices = map[string]string{
	"en": "en-us", "en-ca": "en-us", "en-ph": "en-us", "en-pr": "en-us",
	"en-au": "en-gb", "en-nz": "en-gb", "en-ie": "en-gb", "en-in": "en-gb", "en-za": "en-gb", "en-sg": "en-gb",
	"en-hk": "en-gb", "en-mt": "en-gb", "en-ke": "en-gb", "en-ng": "en-gb",
	"en-jm": "en-029", "en-tt": "en-029", "en-bb": "en-029", "en-bs": "en-029",
	"es-ar": "es-419", "es-bo": "es-419", "es-cl": "es-419", "es-co": "es-419", "es-cr": "es-419", "es-cu": "es-419",
	"es-do": "es-419", "es-ec": "es-419", "es-gt": "es-419", "es-hn": "es-419", "es-mx": "es-419", "es-ni": "es-419",
	"es-pa": "es-419", "es-pe": "es-419", "es-pr": "es-419", "es-py": "es-419", "es-sv": "es-419", "es-us": "es-419",
	"es-uy": "es-419", "es-ve": "es-419",
	"fr": "fr-fr",
	"zh": "cmn", "zh-cn": "cmn", "zh-sg": "cmn", "zh-tw": "cmn", "zh-hans": "cmn", "zh-hant": "cmn", "zh-cmn": "cmn",
	"cmn-hans": "cmn", "cmn-hant": "cmn",
	"zh-hk": "yue", "zh-mo": "yue", "zh-hant-hk": "yue", "zh-yue": "yue",
	"no": "nb", "nn": "nb",
	"iw": "he",
	"in": "id",
	"mo": "ro",
	"sh": "hr", "hbs": "hr",
	"chr": "chr-US-Qaaa-x-west",

	"en-us-x-nyc": "en-us-nyc",
	"tlh-piqd":    "piqd",
}

// VoiceFor returns the espeak-ng voice of a BCP 47 language tag: its own voice where there is one (pt-BR: pt-br), else
// the usual one of the language (en: en-us, en-AU: en-gb, es-MX: es-419, fr-CA: fr-fr, zh: cmn, zh-HK: yue). Case and
// underscores do not matter. ok is false when espeak-ng 1.51 has no voice of the language.
func VoiceFor(tag string) (voice string, ok bool) {
	tag = strings.ToLower(strings.ReplaceAll(strings.TrimSpace(tag), "_", "-"))
	if tag == "" || strings.ContainsAny(tag, " \t\n") {
		return "", false
	}
	for {
		if v, ok := usualVoices[tag]; ok {
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

// otherTags are the voices whose names are tags of something else: piqd is the script of Klingon.
var otherTags = map[string]string{"piqd": "tlh-Piqd"}

// canonical returns the language of a voice as a BCP 47 tag: en-US for en-us, fa-Latn for fa-latn. What cannot stand in a tag, such as
// nyc of en-us-nyc, becomes private use: en-US-x-nyc.
func canonical(id string) string {
	if tag, ok := otherTags[id]; ok {
		return tag
	}
	parts := strings.Split(id, "-")
	tag := inCase(parts)
	for i := len(parts) - 1; i > 0; i-- {
		if _, ok := backend.CanonicalLanguage(tag); ok {
			break
		}
		tag = inCase(slices.Insert(slices.Clone(parts), i, "x"))
	}
	return tag
}

// inCase returns the tag of subtags, with the case of BCP 47.
func inCase(subtags []string) string {
	parts := slices.Clone(subtags)
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
