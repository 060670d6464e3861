package chatterbox

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/text"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/tokens"
)

// marks are the expression tags of Turbo and Nano (the makers' card and their tokenizer). A model has those that are in its own.
var marks = [...]string{
	"[clear throat]", "[sigh]", "[shush]", "[cough]", "[groan]", "[sniff]", "[gasp]", "[chuckle]", "[laugh]", "[angry]", "[fear]",
	"[surprised]", "[whispering]", "[advertisement]", "[dramatic]", "[narration]", "[crying]", "[happy]", "[sarcastic]",
}

// languages of Multilingual (mtl_tts.py). A model has those whose tags are in its tokenizer.
var languages = [...]string{
	"ar", "da", "de", "el", "en", "es", "fi", "fr", "he", "hi", "it", "ja", "ko", "ms", "nl", "no", "pl", "pt", "ru", "sv", "sw",
	"tr", "zh",
}

// The largest files that are read, in bytes. The published tokenizers have up to 3.6 MB, the table 2 MB.
const (
	maxTokenizer = 64 << 20
	maxTable     = 64 << 20
)

// endOfText is the token of Turbo and Nano that the embedding graph replaces by the start of speech. It stands twice after a text.
const endOfText = "<|endoftext|>"

// frontend turns text into the ids that the graphs take.
type frontend struct {
	edition   edition
	bpe       *tokens.BPE
	languages []string
	tags      []string
	end       int64   // id of endOfText; not in Multilingual
	table     cangjie // for Chinese; only in Multilingual
}

func (f *frontend) multilingual() bool { return f.edition.key == keyMultilingual }

// readFrontend reads the tokenizer of a model. Errors are backend.CodeModelCorrupt naming the file.
func readFrontend(files engines.Files, e edition) (*frontend, error) {
	path := files[RoleTokenizer]
	raw, err := onnx.ReadSmall(path, maxTokenizer)
	if err != nil {
		return nil, err
	}
	f := &frontend{edition: e}
	if f.bpe, err = tokens.ReadBPE(onnx.PlainText(raw)); err != nil {
		return nil, onnx.Corrupt(path, "cannot be used").WithCause(err)
	}
	if f.multilingual() {
		return f, f.readLanguages(files)
	}
	end, ok := f.bpe.ID(endOfText)
	if !ok {
		return nil, onnx.Corrupt(path, "has no token "+endOfText)
	}
	f.languages, f.end = []string{"en"}, int64(end)
	for _, tag := range marks {
		if ids := f.bpe.Encode(tag, false); len(ids) == 1 {
			f.tags = append(f.tags, tag)
		}
	}
	return f, nil
}

// readLanguages reads what Multilingual has besides the tokenizer. Without the table of characters it does not speak Chinese.
func (f *frontend) readLanguages(files engines.Files) error {
	if path := files[RoleCangjie]; path != "" {
		raw, err := onnx.ReadSmall(path, maxTable)
		if err != nil {
			return err
		}
		if f.table, err = readCangjie(onnx.PlainText(raw)); err != nil {
			return onnx.Corrupt(path, "cannot be used").WithCause(err)
		}
	}
	for _, tag := range languages {
		if _, ok := f.bpe.ID("[" + tag + "]"); ok && (tag != "zh" || f.table != nil) {
			f.languages = append(f.languages, tag)
		}
	}
	if len(f.languages) == 0 {
		return onnx.Corrupt(files[RoleTokenizer], "has none of the languages of "+f.edition.name)
	}
	return nil
}

// language returns the model's tag of a BCP 47 language, whose country does not matter; English for an empty one.
// Error: backend.CodeLanguageNotSupported.
func (f *frontend) language(requested string) (string, error) {
	if requested == "" {
		requested = "en"
	}
	for _, tag := range f.languages {
		if engines.SameLanguage(tag, requested) {
			return tag, nil
		}
	}
	return "", backend.E(backend.CodeLanguageNotSupported, fmt.Sprintf("The model %s does not speak %s.", f.edition.name, requested),
		"Choose one of its languages: "+strings.Join(f.languages, ", ")+".").With("language", requested)
}

// longestPiece is the most characters of one piece: 20 s of speech, half of what the language model can make. Characters of
// Chinese, Japanese and Korean take longer.
const longestPiece = 300

var longestPieces = map[string]int{"zh": 80, "ja": 100, "ko": 120}

// piece is a part of a text that is spoken at once.
type piece struct {
	ids   []int64
	pause time.Duration // after it, when another follows
}

// pieces returns the parts of a text: all of it if the model can speak it at once, else sentences, and of the longer ones clauses
// or words. Parts without anything to speak are left out.
func (f *frontend) pieces(s, language string) []piece {
	longest, ok := longestPieces[language]
	if !ok {
		longest = longestPiece
	}
	parts := []text.Piece{{Text: s}}
	if utf8.RuneCountInString(s) > longest {
		parts = text.FlatPlan(s, longest)
	}
	var out []piece
	for _, p := range parts {
		if f.speakable(p.Text) {
			out = append(out, piece{ids: f.ids(p.Text, language), pause: pauseAfter(p.Text)})
		}
	}
	return out
}

// speakable reports whether a text has a letter, a digit or an expression tag.
func (f *frontend) speakable(s string) bool {
	return text.Speakable(s) ||
		slices.ContainsFunc(f.tags, func(tag string) bool { return strings.Contains(s, tag) })
}

// pauseAfter returns the silence after a piece: a longer one after a sentence, none between two words.
func pauseAfter(s string) time.Duration {
	s = strings.TrimRightFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.In(r, unicode.Pe, unicode.Pf, unicode.Quotation_Mark)
	})
	last, _ := utf8.DecodeLastRuneInString(s)
	switch {
	case unicode.Is(unicode.Sentence_Terminal, last) || last == '…':
		return pauses().Sentence
	case unicode.Is(unicode.Terminal_Punctuation, last):
		return pauses().Clause
	}
	return 0
}

// ids returns the ids of a text with the marks around it.
func (f *frontend) ids(s, language string) []int64 {
	if f.multilingual() {
		return widen(f.bpe.Encode(prepareText(language, s, f.table), true))
	}
	return append(widen(f.bpe.Encode(punctuate(s), false)), f.end, f.end)
}

func widen(ids []int) []int64 {
	out := make([]int64, len(ids), len(ids)+2)
	for i, id := range ids {
		out[i] = int64(id)
	}
	return out
}

// The limit of the speech tokens of a text: some for pauses and expressions, and more than twice as many for each token of text as
// speech of usual speed has, which is 7 where a token is about four letters (Turbo) and 4 where it is about two.
const (
	limitOfAny          = 100
	limitOfTurbo        = 15
	limitOfMultilingual = 10
)

// limit returns the most speech tokens of a text with so many ids. A model that has not ended by then has lost its way.
func (f *frontend) limit(ids int) int {
	each := limitOfTurbo
	if f.multilingual() {
		each = limitOfMultilingual
	}
	return min(limitOfAny+each*ids, maxTokens)
}
