package tokens

import (
	"strings"
	"testing"
)

// benchText returns about half a million bytes of prose in several languages, as one text.
func benchText() string {
	return strings.Repeat("The quick brown fox, it is said, jumps over 17 lazy dogs; nobody asked the dogs. "+
		"Äpfel, Öl und Übermut: das war’s für heute! Привет, как дела? 今天天气很好。 ", 3000)
}

// BenchmarkEncode encodes one long text with each tokenizer. MB/s is the throughput.
func BenchmarkEncode(b *testing.B) {
	for _, name := range []string{"pocket_english", "unigram_nmt_nfkc", "bpe_bytefallback"} {
		b.Run(name, func(b *testing.B) {
			s := openSentencePiece(b, kit(b, "sentencepiece", "models", name+".model"))
			text := benchText()
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				s.Encode(text)
			}
		})
	}
	for _, name := range []string{"bytelevel", "multilingual"} {
		b.Run(name, func(b *testing.B) {
			tokenizer := openBPE(b, name, "tokenizer.json")
			text := benchText()
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				tokenizer.Encode(text, true)
			}
		})
	}
}

// BenchmarkReadSentencePiece reads a model with a large table of characters to be replaced.
func BenchmarkReadSentencePiece(b *testing.B) {
	raw := readFile(b, kit(b, "sentencepiece", "models", "unigram_nmt_nfkc.model"))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ReadSentencePiece(raw); err != nil {
			b.Fatal(err)
		}
	}
}
