package kokoro

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/engines/onnx"
)

// maxTokenizer is the largest tokenizer file that is read, in bytes; the published one has 3,497.
const maxTokenizer = 1 << 20

// padSymbol is the symbol before and after every batch; its id is 0.
const padSymbol = '$'

// vocabulary holds the id of each symbol that the model knows.
type vocabulary map[rune]int64

// readVocabulary reads and checks tokenizer.json (model.vocab). Errors are backend.CodeModelCorrupt naming file and key.
func readVocabulary(path string) (vocabulary, error) {
	raw, err := onnx.ReadSmall(path, maxTokenizer)
	if err != nil {
		return nil, err
	}
	return parseVocabulary(path, raw)
}

// parseVocabulary decodes and checks a tokenizer file; path names it in errors.
func parseVocabulary(path string, raw []byte) (vocabulary, error) {
	var file struct {
		Model struct {
			Vocab map[string]int64 `json:"vocab"`
		} `json:"model"`
	}
	if err := onnx.ParseJSON(path, raw, &file); err != nil {
		return nil, err
	}
	if len(file.Model.Vocab) == 0 {
		return nil, onnx.Corrupt(path, "has no symbols in model.vocab")
	}
	if err := onnx.CheckLimits(path, onnx.Limit{Field: "model.vocab", Value: len(file.Model.Vocab), Max: onnx.MaxSymbols}); err != nil {
		return nil, err
	}
	out := make(vocabulary, len(file.Model.Vocab))
	for symbol, id := range file.Model.Vocab {
		r, size := utf8.DecodeRuneInString(symbol)
		if size == 0 || size != len(symbol) || id < 0 || id > onnx.MaxSymbolID {
			return nil, onnx.Corrupt(path, fmt.Sprintf("has a wrong symbol in model.vocab: %q is %d", symbol, id))
		}
		out[r] = id
	}
	if id, ok := out[padSymbol]; !ok || id != 0 {
		return nil, onnx.Corrupt(path, "lacks the pad symbol $ with id 0 in model.vocab")
	}
	for r := range out {
		if sounds(r) {
			return out, nil
		}
	}
	return nil, onnx.Corrupt(path, "has no phoneme in model.vocab")
}

// known returns the phonemes without the symbols that the model does not know.
func (v vocabulary) known(phonemes string) string {
	return strings.Map(func(r rune) rune {
		if _, ok := v[r]; ok || unicode.IsSpace(r) {
			return r
		}
		return -1
	}, phonemes)
}

// ids returns the input of the graph for a batch, the pads around it, and the symbols to which the ids between the pads
// belong. Unknown symbols are left out.
func (v vocabulary) ids(batch string) (ids []int64, symbols []rune) {
	ids = append(ids, v[padSymbol])
	for _, r := range batch {
		if id, ok := v[r]; ok {
			ids, symbols = append(ids, id), append(symbols, r)
		}
	}
	return append(ids, v[padSymbol]), symbols
}

// stresses are letters to Unicode that make no sound by themselves.
const stresses = "ˈˌː"

// sounds reports whether a symbol is a sound, not a mark, a stress or a space.
func sounds(r rune) bool { return unicode.IsLetter(r) && !strings.ContainsRune(stresses, r) }

// speakable reports whether phonemes have at least one sound.
func speakable(phonemes string) bool { return strings.IndexFunc(phonemes, sounds) >= 0 }
