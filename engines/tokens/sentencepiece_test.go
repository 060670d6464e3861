package tokens

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/enginetest"
)

// spKit is what the Python package sentencepiece returned.
type spKit struct {
	Strings []kitText          `json:"strings"`
	Models  map[string]spModel `json:"models"`
}

type spModel struct {
	File       string         `json:"file"`
	VocabSize  int            `json:"vocab_size"`
	UnkID      int            `json:"unk_id"`
	BosID      int            `json:"bos_id"`
	EosID      int            `json:"eos_id"`
	PadID      int            `json:"pad_id"`
	RoundTrips int            `json:"lossless_round_trips"`
	Encode     [][]int        `json:"encode"`
	Pieces     [][]string     `json:"pieces"`
	Normalized []*string      `json:"normalized"`
	Decode     []string       `json:"decode"`
	DecodeOnly []spDecoded    `json:"decode_only"`
	BosEos     []spWithBosEos `json:"bos_eos"`
}

type spDecoded struct {
	IDs  []int  `json:"ids"`
	Text string `json:"text"`
}

type spWithBosEos struct {
	Text   string `json:"text"`
	AddBos bool   `json:"add_bos"`
	AddEos bool   `json:"add_eos"`
	IDs    []int  `json:"ids"`
}

// partsOf returns the pieces of a text.
func partsOf(s *SentencePiece, text string) []string {
	parts := []string{}
	s.pieces(text, func(part string, _ int32) { parts = append(parts, part) })
	return parts
}

func TestSentencePieceMatchesTheKit(t *testing.T) {
	enginetest.Parity(t)
	k := readJSON[spKit](t, kit(t, "sentencepiece", "cases.json"))
	require.NotEmpty(t, k.Models)
	require.NotEmpty(t, k.Strings)
	for name, want := range k.Models {
		t.Run(name, func(t *testing.T) {
			s := openSentencePiece(t, kit(t, "sentencepiece", want.File))
			assert.Equal(t, want.VocabSize, s.Size())
			assert.Equal(t, Reserved{want.UnkID, want.BosID, want.EosID, want.PadID}, s.Reserved())
			require.Len(t, want.Encode, len(k.Strings))
			checkStrings(t, s, want, k.Strings)
			for _, c := range want.DecodeOnly {
				assert.Equal(t, c.Text, s.Decode(c.IDs), "%v", c.IDs)
			}
			for _, c := range want.BosEos {
				ids := s.Encode(c.Text)
				if c.AddBos {
					ids = append([]int{s.Reserved().Begin}, ids...)
				}
				if c.AddEos {
					ids = append(ids, s.Reserved().End)
				}
				assert.Equal(t, c.IDs, ids, "%q", c.Text)
			}
			t.Logf("%d texts, %d decoded ids, %d with begin and end", len(k.Strings), len(want.DecodeOnly), len(want.BosEos))
		})
	}
	t.Logf("%d models x %d texts", len(k.Models), len(k.Strings))
}

func checkStrings(t *testing.T, s *SentencePiece, want spModel, texts []kitText) {
	t.Helper()
	roundTrips := 0
	for i, c := range texts {
		text := c.bytes(t)
		ids := s.Encode(text)
		assert.Equal(t, want.Encode[i], append([]int{}, ids...), "%q", text)
		assert.Equal(t, want.Decode[i], s.Decode(ids), "%q", text)
		if want.Pieces[i] != nil {
			assert.Equal(t, want.Pieces[i], partsOf(s, text), "%q", text)
		}
		if want.Normalized[i] != nil {
			assert.Equal(t, *want.Normalized[i], s.normalizer.normalize(text), "%q", text)
		}
		if s.Decode(ids) == text {
			roundTrips++
		}
	}
	assert.Equal(t, want.RoundTrips, roundTrips)
}

// Where two ways are equally good, the rounding of sums decides, so it must be that of the library.
func TestTiesAreBrokenAsTheLibraryDoes(t *testing.T) {
	s := openSentencePiece(t, kit(t, "sentencepiece", "models", "unigram_identity.model"))
	assert.Equal(t, []int{265, 69, 6, 73, 271, 271, 73, 265, 237, 193, 182}, s.Encode("<@@@aa@ 中"))
	assert.Equal(t, []int{265, 8, 273, 8, 379, 273, 4, 333, 265, 6, 333, 6, 73, 4, 271, 271},
		s.Encode("中文字e中文字the<laugh>ing▁@@ing@@@<laugh>aa"))
}
