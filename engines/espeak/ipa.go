package espeak

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend/ipa"
	"github.com/voicewright/voicewright/engines/phonemes"
)

// The phonemes of IPA, each with mnemonics of espeak-ng for it, the better ones first. What a mnemonic sounds like depends on the
// voice: see newAlphabet.
const (
	consonants = `p p|b b|t t|d d|k k|ɡ g|ʔ ?|m m|ɱ m|n n|ɳ n. n|ɲ n^ n|ŋ N n|ɴ N\ N|f f|v v|θ T s|ð D z|s s|z z|ʃ S|ʒ Z|ʂ s. S|` +
		`ʐ z. Z|ç C x|ʝ J^ j|x x k|ɣ Q g|χ X x|ʁ r Q" R|ħ h|ʕ ?|h h|ɦ h|ɕ S; S|ʑ Z; Z|ɸ p\ f|β B v|ɹ r|ɻ r. r|r r R|ɾ r *|ɽ *. r|` +
		`ʀ r" r|l l|ɫ L l|ʎ l^ l|ɭ l. l|ɬ l# l|ɮ l|j j|w w|ʍ w|ɥ w|ʋ v# v|ɰ Q w|tʃ tS|dʒ dZ|ʧ tS|ʤ dZ|ts ts|dz dz|ʦ ts|ʣ dz|` +
		`tɕ tS;|dʑ dZ;|pf pF|c c k|ɟ J g|q q k|ɢ G g|ʈ t. t|ɖ d. d|ʙ b`
	vowels = `i i i: I|iː i: i|ɪ I i|e e eI e: E|eː e: eI|ɛ E e|ɛː E: E|æ a a# E|a a a# A:|aː a: A:|ɑ A A: a|ɑː A: a:|ɒ 0 O|` +
		`ɔ O O: 0 o|ɔː O: o:|o o oU o: O|oː o: oU|ʊ U u|u u u: U|uː u: u|y y y: Y u|yː y: y u:|ʏ Y I|ø Y Y: @|øː Y: Y 3:|œ W V E|` +
		`ɶ W a|ə @ V|ɚ 3 @|ɜ 3: V|ɜː 3: 3|ɝ 3: 3|ɐ a# V|ʌ V a|ɯ u- u|ɤ o- o|ɨ i" I|ʉ u" u|ɵ @. o|ɘ @ e|ɞ V|ᵻ I2 I|ᵊ @|aɪ aI|` +
		`aʊ aU|ɔɪ OI|oʊ oU|əʊ oU @U|eɪ eI|ɪə i@|eə e@|ʊə U@|ɑ̃ A~ a|ã A~ a|ɛ̃ E~ E|ẽ E~ e|ɔ̃ O~ o|õ O~ o|œ̃ W~ E~|ĩ i~ i|ũ u~ u`
	anyVowel = "@ e a" // for a vowel that a voice does not have
)

// maxWord is how many phonemes are written as one word: espeak-ng 1.51 stops at about 150.
const maxWord = 80

// maxPhoneme is the length of the longest phoneme of IPA, in code points.
const maxPhoneme = 2

// input is the phoneme input for a phoneme.
type input struct {
	mnemonic string
	vowel    bool
}

// alphabet maps the phonemes of IPA that a voice has to phoneme input.
type alphabet map[string]input

// alphabets caches the alphabets of voices.
type alphabets struct {
	mu      sync.Mutex
	byVoice map[string]alphabet
}

// of returns the alphabet of a voice. Errors: runtime_missing, engine_failed, cancelled.
func (all *alphabets) of(ctx context.Context, in *installation, voice string) (alphabet, error) {
	all.mu.Lock()
	cached, ok := all.byVoice[voice]
	all.mu.Unlock()
	if ok {
		return cached, nil
	}
	fresh, err := newAlphabet(ctx, in, voice)
	if err != nil {
		return nil, err
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.byVoice == nil {
		all.byVoice = map[string]alphabet{}
	}
	all.byVoice[voice] = fresh
	return fresh, nil
}

// newAlphabet returns the alphabet of a voice, by the IPA that espeak-ng prints for each mnemonic. It uses the first mnemonic of
// a phoneme that is printed as this phoneme, else the first that the voice has; a phoneme of two letters that the voice does
// not have is spoken letter by letter.
func newAlphabet(ctx context.Context, in *installation, voice string) (alphabet, error) {
	rows := strings.Split(consonants+"|"+vowels, "|")
	var all []string
	for _, row := range rows {
		all = append(all, strings.Fields(row)[1:]...)
	}
	all = append(all, strings.Fields(anyVowel)...)
	slices.Sort(all)
	printed, err := printedIPA(ctx, in, voice, slices.Compact(all))
	if err != nil {
		return nil, err
	}
	a := alphabet{}
	for i, row := range rows {
		fields := strings.Fields(row)
		ipa, mnemonics, vowel := fields[0], fields[1:], i > strings.Count(consonants, "|")
		if vowel {
			mnemonics = append(mnemonics, strings.Fields(anyVowel)...)
		}
		at := slices.IndexFunc(mnemonics, func(m string) bool { return printed[m] == ipa })
		if letters := strings.TrimRight(ipa, "ː\u0303"); at < 0 && utf8.RuneCountInString(letters) == 1 {
			at = slices.IndexFunc(mnemonics, func(m string) bool { return printed[m] != "" })
		}
		if at >= 0 {
			a[ipa] = input{mnemonics[at], vowel}
		}
	}
	return a, nil
}

// anchor is a phoneme that every voice has. With it a mnemonic without a sound has a line of output too.
const anchor = "k"

// printedIPA returns the IPA of mnemonics, without stress; empty for those that the voice does not have.
func printedIPA(ctx context.Context, in *installation, voice string, mnemonics []string) (map[string]string, error) {
	var lines strings.Builder
	for _, m := range mnemonics {
		fmt.Fprintf(&lines, "[[%s]] [[%s]]\n", m, anchor)
	}
	out, err := in.outputFor(ctx, lines.String(), "-q", "-v", voice, "--ipa")
	if err != nil {
		return nil, err
	}
	printed := strings.Split(strings.TrimSpace(out), "\n")
	if len(printed) != len(mnemonics) {
		return nil, errFailed(ctx, fmt.Errorf("%d lines for %d mnemonics", len(printed), len(mnemonics)))
	}
	ipa := map[string]string{}
	for i, m := range mnemonics {
		line, found := strings.CutSuffix(strings.TrimSpace(printed[i]), anchor)
		if found {
			ipa[m] = strings.TrimSpace(strings.NewReplacer("ˈ", "", "ˌ", "").Replace(line))
		}
	}
	return ipa, nil
}

// typedIPA replaces what people type for symbols of IPA, and leaves out ties and borders of syllables.
var typedIPA = strings.NewReplacer("g", "ɡ", ":", "ː", "'", "ˈ", ",", "ˌ", "͡", "", "͜", "", ".", "", "^", "")

// write returns the phoneme input for IPA. Stress goes before the vowel of its syllable. Symbols that the voice does not have are
// left out.
func (a alphabet) write(ipa string) string {
	var words []string
	for word := range strings.FieldsFuncSeq(typedIPA.Replace(ipa), func(r rune) bool { return r == ' ' || r == '|' || r == '‖' }) {
		if mnemonics := a.word([]rune(word)); mnemonics != "" {
			words = append(words, "[["+mnemonics+"]]")
		}
	}
	return strings.Join(words, " ")
}

// word returns the mnemonics of a word of IPA.
func (a alphabet) word(ipa []rune) string {
	var out strings.Builder
	stress, count := "", 0
	for at := 0; at < len(ipa); {
		phoneme, length := a.longest(ipa[at:])
		switch {
		case length == 0 && ipa[at] == 'ˈ':
			stress = "'"
		case length == 0 && ipa[at] == 'ˌ':
			stress = ","
		case length == 0 && ipa[at] == 'ː' && out.Len() > 0:
			out.WriteString(":")
		case phoneme.vowel:
			out.WriteString(stress)
			stress = ""
		}
		if length > 0 {
			if count++; count%maxWord == 0 {
				out.WriteString("]] [[")
			}
		}
		out.WriteString(phoneme.mnemonic)
		at += max(length, 1)
	}
	return out.String()
}

// longest returns the input for the longest phoneme that ipa begins with, and its length in code points; 0 for none.
func (a alphabet) longest(ipa []rune) (input, int) {
	for n := min(maxPhoneme, len(ipa)); n > 0; n-- {
		if s, ok := a[string(ipa[:n])]; ok {
			return s, n
		}
	}
	return input{}, 0
}

// input returns a text with IPA in double brackets for --stdin. Other double brackets are text.
func (e *Engine) input(ctx context.Context, text string, voice listed) (string, error) {
	if strings.HasPrefix(voice.ID, "en") {
		text = phonemes.English(text)
	}
	if !strings.Contains(text, "[[") {
		return plainText(text), nil
	}
	a, err := e.alphabets.of(ctx, &e.installation, voice.arg)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for {
		before, inside, found := strings.Cut(text, "[[")
		sounds, after, closed := strings.Cut(inside, "]]")
		if !found || !closed {
			out.WriteString(plainText(text))
			return out.String(), nil
		}
		if _, wrong := ipa.Foreign(sounds); wrong {
			before, after = text[:len(before)+len("[[")], text[len(before)+len("[["):]
			out.WriteString(plainText(before) + " ")
		} else {
			out.WriteString(plainText(before) + a.write(sounds))
		}
		text = after
	}
}
