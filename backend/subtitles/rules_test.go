package subtitles_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/subtitles"
)

// whole returns the text of a cue in one line, with the words that were cut in it whole again.
func whole(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\u00ad\n", ""), "\u00ad", "")
}

// languages are texts of one long sentence each: with and without spaces, from right to left, and with words that fit in no line.
var languages = map[string]string{
	"german":  "Das Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz und die Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft standen am Ende",
	"address": "See https://example.com/a/very/long/path/that/goes/on/and/on?with=questions&more=answers#and-a-fragment-of-it and then " + strings.Repeat("x", 200) + " end",
	"arabic":  strings.Repeat("كان الولد يمشي في الشارع الطويل، ثم توقف أمام البيت القديم ", 3),
	"hebrew":  strings.Repeat("הילד הלך ברחוב הארוך ואז עצר מול הבית הישן, ", 4),
	"chinese": strings.Repeat("我们昨天在公园里看到了很多不同颜色的花，", 6),
	"japanese": strings.Repeat("木曜日の停戦会談は昨日と同じく何の進展もないまま終わりました、", 5) +
		"インターネットコミュニケーションテクノロジーエンジニアリングサービス",
	"korean":  strings.Repeat("우리는 어제 공원에서 여러 가지 색의 꽃을 보았습니다 ", 5),
	"thai":    strings.Repeat("เมื่อวานนี้เราไปที่สวนสาธารณะและเห็นดอกไม้หลากสีจำนวนมากที่สวยงาม", 4),
	"lao":     strings.Repeat("ມື້ວານນີ້ພວກເຮົາໄປສວນສາທາລະນະແລະເຫັນດອກໄມ້ຫຼາຍສີ", 4),
	"khmer":   strings.Repeat("ម្សិលមិញយើងបានទៅសួនច្បារហើយឃើញផ្កាជាច្រើនពណ៌", 4),
	"burmese": strings.Repeat("မနေ့ကကျွန်တော်တို့ပန်းခြံသို့သွားပြီးပန်းများစွာကိုတွေ့ခဲ့သည်", 4),
	"tibetan": strings.Repeat("ང་ཚོ་ཁ་སང་གླིང་ཁར་ཕྱིན་ནས་མེ་ཏོག་མང་པོ་མཐོང་བྱུང་", 4),
	"hindi":   strings.Repeat("कल हम बगीचे में गए और हमने बहुत से रंगीन फूल देखे ", 5),
	"mixed":   strings.Repeat("Der Satz mit 木曜日の停戦会談は、昨日と同じく何の進展もない und noch mehr Wörtern danach ", 3),
}

// A long sentence of any language, with and without times of words, is cut into cues of two lines, and none of its characters is
// lost or moved. Marks stay with their letters.
func TestCuesOfLanguages(t *testing.T) {
	for name, s := range languages {
		for _, timed := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s %v", name, timed), func(t *testing.T) {
				seg := backend.Segment{End: float64(utf8.RuneCountInString(s)) / 15, Text: " " + s}
				if timed {
					seg.Words = []backend.HeardWord{{Word: s, End: seg.End}}
				}
				cues := subtitles.Cues([]backend.Segment{seg}, seg.End, false)
				require.Greater(t, len(cues), 1)
				var got strings.Builder
				for _, c := range cues {
					got.WriteString(without(whole(c.Text)))
					requireReadable(t, c)
					for line := range strings.SplitSeq(c.Text, "\n") {
						first, _ := utf8.DecodeRuneInString(line)
						require.NotContains(t, "ะาำๆະາຳ", string(first), "%q", line)
						require.NotContains(t, "เแโใไເແໂໃໄ", lastLetter(line), "%q", line)
					}
					if timed {
						require.LessOrEqual(t, (c.End - c.Start).Seconds(), 7.001, "%q", c.Text)
						require.GreaterOrEqual(t, (c.End - c.Start).Seconds(), 0.999, "%q", c.Text)
					}
				}
				require.Equal(t, without(s), got.String())
			})
		}
	}
}

func lastLetter(s string) string {
	r, _ := utf8.DecodeLastRuneInString(s)
	return string(r)
}

// A word is cut only where it fits in no line, and an address after one of its signs.
func TestWordsThatFitInNoLine(t *testing.T) {
	require.Equal(t, []string{
		"0.00-6.00 See|https://example.com/a-path-of-42-chars-xyz", // 42 characters
	}, cuesOf(6, segment(0, 6, "See https://example.com/a-path-of-42-chars-xyz")))
	require.Equal(t, []string{
		"0.00-6.00 https://example.com/a/longer-\u00ad|path-than-fits/in-a-line",
	}, cuesOf(6, segment(0, 6, "https://example.com/a/longer-path-than-fits/in-a-line")))
}

// No cue goes over a pause of a second or more, within a segment or between two, however short the texts beside it are.
func TestNoCueGoesOverAPause(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var segments []backend.Segment
		var pauses [][2]float64
		at := 0.0
		for range rapid.IntRange(1, 8).Draw(t, "segments") {
			seg := backend.Segment{Start: at}
			for i := range rapid.IntRange(1, 8).Draw(t, "words") {
				length := rapid.Float64Range(0, 0.6).Draw(t, "length")
				pause := rapid.SampledFrom([]float64{0, 0.1, 0.99, 1, 1.5, 4}).Draw(t, "pause")
				word := rapid.SampledFrom([]string{"yes", "no,", "Perhaps.", "understandable"}).Draw(t, "word")
				if i > 0 {
					seg.Text += " "
				}
				seg.Text += word
				seg.Words = append(seg.Words, backend.HeardWord{Word: word, Start: at, End: at + length})
				seg.End = at + length
				if pause >= 1 {
					pauses = append(pauses, [2]float64{seg.End, seg.End + pause})
				}
				at = seg.End + pause
			}
			segments = append(segments, seg)
		}
		for _, c := range subtitles.Cues(segments, at, false) {
			for _, p := range pauses {
				if c.Start.Seconds() < p[0]-0.002 {
					require.Less(t, c.End.Seconds(), p[1]+0.002, "%q over %v", c.Text, p)
				}
			}
		}
		requireNoWordsAcross(t, segments, at)
	})
}

// requireNoWordsAcross requires that words on both sides of a pause are in different cues.
func requireNoWordsAcross(t require.TestingT, segments []backend.Segment, length float64) {
	var cues []int // of each word
	for i, c := range subtitles.Cues(segments, length, false) {
		for range strings.Fields(c.Text) {
			cues = append(cues, i)
		}
	}
	var words []backend.HeardWord
	for _, s := range segments {
		words = append(words, s.Words...)
	}
	require.Len(t, cues, len(words))
	for i := range words[1:] {
		if words[i+1].Start-words[i].End >= 1 {
			require.NotEqual(t, cues[i], cues[i+1], "%q and %q", words[i].Word, words[i+1].Word)
		}
	}
}

// Without times of words, segments on both sides of a pause stay apart, however short they are.
func TestShortSegmentsBesideAPause(t *testing.T) {
	require.Equal(t, []string{"0.00-1.00 Well.", "2.10-3.10 Yes."}, cuesOf(4, segment(0, 0.1, "Well."), segment(2.1, 2.2, "Yes.")))
	require.Equal(t, []string{"0.00-1.00 Well.", "1.00-2.00 Yes."}, cuesOf(4, segment(0, 0, "Well."), segment(1, 1.1, "Yes.")))
}

// A text in brackets within a sentence has no line of its own, which readers would take for the description of a noise.
func TestBracketsAreNotAlone(t *testing.T) {
	for _, c := range subtitles.Cues([]backend.Segment{segment(0, 12, "They went to the old harbour of the town (which was closed on that day) and "+
		"waited (for more than four hours, as he said) until the boat came in.")}, 12, false) {
		for line := range strings.SplitSeq(c.Text, "\n") {
			require.False(t, strings.HasPrefix(line, "(") && strings.HasSuffix(line, ")"), "%q", line)
		}
	}
}

// Long names of speakers are part of the lines.
func TestNamesFitInLines(t *testing.T) {
	s := segment(0, 5, " Hello to all of you.")
	s.Speaker = "The Right Honourable " + strings.Repeat("Bartholomew ", 6)
	cues := subtitles.Cues([]backend.Segment{s}, 5, true)
	var got []string
	for _, c := range cues {
		requireReadable(t, c)
		got = append(got, strings.Fields(c.Text)...)
	}
	require.Equal(t, strings.Fields(strings.TrimSpace(s.Speaker)+": Hello to all of you."), got)
}

// BenchmarkCues lays out one segment of 60,000 words.
func BenchmarkCues(b *testing.B) {
	var s strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&s, "word%d ", i)
	}
	segments := []backend.Segment{segment(0, 20_000, s.String())}
	for b.Loop() {
		subtitles.Cues(segments, 20_000, false)
	}
}
