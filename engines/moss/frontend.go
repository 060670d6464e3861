package moss

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/tokens"
)

// maxTokenizer is the largest tokenizer file that is read, in bytes; the published one has 471 kB.
const maxTokenizer = 32 << 20

// longestPiece is the most text ids of one piece, the default of the makers.
const longestPiece = 75

// frontend divides text into pieces and turns them into ids.
type frontend struct{ tokenizer *tokens.SentencePiece }

// readFrontend reads the tokenizer. Errors are backend.CodeModelCorrupt naming the file.
func readFrontend(files engines.Files, m meta) (*frontend, error) {
	path := files[RoleTokenizer]
	raw, err := onnx.ReadSmall(path, maxTokenizer)
	if err != nil {
		return nil, err
	}
	tokenizer, err := tokens.ReadSentencePiece(raw)
	if err != nil {
		return nil, onnx.Corrupt(path, "is damaged or of another kind").WithCause(err)
	}
	if n := tokenizer.Size(); n > int(m.Config.Words) {
		return nil, onnx.Corrupt(path, fmt.Sprintf("has %d pieces, more than the %d words of the model", n, m.Config.Words))
	}
	return &frontend{tokenizer: tokenizer}, nil
}

// piece is a part of a text that is spoken in one go.
type piece struct {
	ids   []int32
	pause float64 // seconds of silence after it if more follows
}

// pieces returns the pieces of a text, prepared as the makers do by default: their graphs were tried with such texts. Pieces
// without a letter or digit are left out.
func (f *frontend) pieces(text string) []piece {
	var out []piece
	for _, part := range f.splitter(longestPiece).split(normalize(text)) {
		if speakable(part) {
			out = append(out, piece{ids: f.ids(part), pause: pauseAfter(part)})
		}
	}
	return out
}

func speakable(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// splitter returns what splits a text into parts of at most so many ids.
func (f *frontend) splitter(limit int) splitter {
	return splitter{limit: limit, count: func(text string) int { return len(f.tokenizer.Encode(text)) }}
}

// ids returns the ids of a text.
func (f *frontend) ids(text string) []int32 {
	ids := f.tokenizer.Encode(text)
	out := make([]int32, len(ids))
	for i, id := range ids {
		out[i] = int32(id)
	}
	return out
}
