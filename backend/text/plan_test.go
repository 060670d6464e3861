package text_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend/text"
)

func spoken(s string) text.Piece       { return text.Piece{Text: s} }
func pause(d time.Duration) text.Piece { return text.Piece{Pause: d} }
func shortened(s string) text.Piece    { return text.Piece{Pause: time.Minute, Asked: s} }
func long(s string, n int) string      { return strings.TrimSpace(strings.Repeat(s+" ", n)) }

func TestPlan(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		max  int
		want []text.Piece
	}{
		"nothing":            {"", 100, nil},
		"nothing to speak":   {" ... \n", 100, nil},
		"one sentence":       {" Hello there. ", 100, []text.Piece{spoken("Hello there.")}},
		"first alone":        {"One. Two. Three. Four.", 100, []text.Piece{spoken("One."), spoken("Two. Three. Four.")}},
		"wrapped":            {"One\ntwo. Three.", 100, []text.Piece{spoken("One\ntwo."), spoken("Three.")}},
		"paragraphs":         {"One\n\nTwo\n\nThree", 100, []text.Piece{spoken("One"), spoken("Two"), spoken("Three")}},
		"pauses":             {"One.[pause 0.5s]Two. Three. [pause 200ms] [pause 1]", 100, []text.Piece{spoken("One."), pause(time.Second / 2), spoken("Two. Three."), pause(time.Second / 5), pause(time.Second)}},
		"pause first":        {"[pause 2s] One. Two.", 100, []text.Piece{pause(2 * time.Second), spoken("One."), spoken("Two.")}},
		"pause in sentence":  {"One [Pause 1.5 S] two.", 100, []text.Piece{spoken("One"), pause(3 * time.Second / 2), spoken("two.")}},
		"other pauses":       {"One [pause] two [pause 1,5s] three [pause 250 ms] four [pause .5 sec] five [pause 0,5 min] six.", 100, []text.Piece{spoken("One"), pause(time.Second / 2), spoken("two"), pause(3 * time.Second / 2), spoken("three"), pause(time.Second / 4), spoken("four"), pause(time.Second / 2), spoken("five"), pause(30 * time.Second), spoken("six.")}},
		"pauses too long":    {"One [pause 61s] two [pause 1h] three <break time=\"90s\"/> four.", 100, []text.Piece{spoken("One"), shortened("[pause 61s]"), spoken("two"), shortened("[pause 1h]"), spoken("three"), shortened(`<break time="90s"/>`), spoken("four.")}},
		"pause with a sign":  {"One [pause: 2s] two [pause=2s] three [Pause : 2 s] four.", 100, []text.Piece{spoken("One"), pause(2 * time.Second), spoken("two"), pause(2 * time.Second), spoken("three"), pause(2 * time.Second), spoken("four.")}},
		"pause not closed":   {"One [pause 2s\nlater] [pause and [laughs] two.", 100, []text.Piece{spoken("One [pause 2s\nlater] [pause and [laughs] two.")}},
		"no pause":           {"One [pause -1] [pauses 1] [pause for effect] [a pause].", 100, []text.Piece{spoken("One [pause -1] [pauses 1] [pause for effect] [a pause].")}},
		"pause of nothing":   {"One [pause 0s] two, [pause 0] three[pause 0]four. [pause 0s] Five.", 100, []text.Piece{spoken("One two, three four."), pause(0), spoken("Five.")}},
		"only pauses":        {"[pause 1] ... [pause 2]", 100, []text.Piece{pause(time.Second), pause(2 * time.Second)}},
		"marks before":       {"*** One. Two.", 100, []text.Piece{spoken("*** One."), spoken("Two.")}},
		"marks between":      {"One. ***\n\nTwo.", 100, []text.Piece{spoken("One. ***"), spoken("Two.")}},
		"marks by pauses":    {"One. [pause 1] ... [pause 1] Two.", 100, []text.Piece{spoken("One. ..."), pause(time.Second), pause(time.Second), spoken("Two.")}},
		"marks before pause": {"... [pause 1] One.", 100, []text.Piece{pause(time.Second), spoken("... One.")}},
		"max is reached":     {"One. " + long("Word.", 20), 59, []text.Piece{spoken("One."), spoken(long("Word.", 10)), spoken(long("Word.", 10))}},
		"max is 50 at least": {"One. " + long("Word.", 16), 1, []text.Piece{spoken("One."), spoken(long("Word.", 8)), spoken(long("Word.", 8))}},
		"clauses":            {long("word", 7) + ", " + long("more", 8) + ".", 50, []text.Piece{spoken(long("word", 7) + ","), spoken(long("more", 8) + ".")}},
		"words":              {long("word", 15), 50, []text.Piece{spoken(long("word", 10)), spoken(long("word", 5))}},
		"one long word":      {strings.Repeat("x", 120), 50, []text.Piece{spoken(strings.Repeat("x", 50)), spoken(strings.Repeat("x", 50)), spoken(strings.Repeat("x", 20))}},
		"Chinese clauses":    {strings.Repeat("字", 30) + "，" + strings.Repeat("文", 30) + "。", 50, []text.Piece{spoken(strings.Repeat("字", 30) + "，"), spoken(strings.Repeat("文", 30) + "。")}},
		"accents stay on":    {strings.Repeat("e\u0301", 40), 51, []text.Piece{spoken(strings.Repeat("e\u0301", 25)), spoken(strings.Repeat("e\u0301", 15))}},
		"SSML breaks":        {`One.<break time="500ms"/>Two. <break time='2s' /> <break strength="strong"/><break/>`, 100, []text.Piece{spoken("One."), pause(time.Second / 2), spoken("Two."), pause(2 * time.Second), pause(3 * time.Second / 4), pause(time.Second / 2)}},
		"odd breaks":         {`One <break time="9s"></break> two <break time="x"/> <break strength="none"/> three.`, 100, []text.Piece{spoken("One"), pause(9 * time.Second), spoken(`two <break time="x"/> three.`)}},
		"SSML document":      {`<?xml version="1.0"?><speak version="1.1" xmlns="http://www.w3.org/2001/10/synthesis"><p>One</p><p>Two <emphasis level="strong">big</emphasis> things.</p><!-- a. b. --></speak>`, 100, []text.Piece{spoken("One"), spoken("Two big things.")}},
		"SSML in a word":     {`H<sub alias="two">2</sub>O <say-as interpret-as="cardinal">5</say-as> <phoneme alphabet="ipa" ph="x">tomato</phoneme>.`, 100, []text.Piece{spoken("H2O 5 tomato.")}},
		"other angles":       {"List<int> a < b, Dear <name>, <p one.", 100, []text.Piece{spoken("List<int> a < b, Dear <name>, <p one.")}},
		"marks inside":       {"See [[Dr. No! Yes|doctor no]] and [[a. B? c]]. Two.", 100, []text.Piece{spoken("See [[Dr. No! Yes|doctor no]] and [[a. B? c]]."), spoken("Two.")}},
		"respelled start":    {"One. [[Two|too]] is. Three.", 100, []text.Piece{spoken("One."), spoken("[[Two|too]] is. Three.")}},
		"markup is not cut":  {long("word", 9) + " [[one two three four five six|1 2 3]] " + long("more", 9), 50, []text.Piece{spoken(long("word", 9)), spoken("[[one two three four five six|1 2 3]] more more"), spoken(long("more", 7))}},
		"long markup alone":  {"a " + "[[" + strings.Repeat("ab ", 30) + "]]" + " b", 50, []text.Piece{spoken("a"), spoken("[[" + strings.Repeat("ab ", 30) + "]]"), spoken("b")}},
		"markup not closed":  {"One [[two. Three [pause 1 <break time=\"1s\" four.", 100, []text.Piece{spoken("One [[two."), spoken("Three [pause 1 <break time=\"1s\" four.")}},
		"expression":         {"One. [whispers] Two. Three [laughs]. Four.", 100, []text.Piece{spoken("One."), spoken("[whispers] Two. Three [laughs]. Four.")}},
		"expression first":   {"[sighs] One. Two.", 100, []text.Piece{spoken("[sighs] One."), spoken("Two.")}},
		"only expression":    {"[laughs] <sigh>", 100, []text.Piece{spoken("[laughs] <sigh>")}},
		"decimals stay":      {long("word", 8) + " 1,000,000.5 more", 50, []text.Piece{spoken(long("word", 8)), spoken("1,000,000.5 more")}},
	} {
		t.Run(name, func(t *testing.T) {
			got := text.Plan(c.text, c.max)
			for i := range got {
				got[i].Break = text.NoBreak // see TestPlanFollowsTheStructure
			}
			require.Equal(t, c.want, got)
		})
	}
}

// line returns a plan in one line: texts with what separates them, and pauses.
func line(pieces []text.Piece) string {
	var out []string
	for i, p := range pieces {
		switch {
		case p.Text == "":
			out = append(out, p.Pause.String())
		case i == 0:
			out = append(out, p.Text)
		default:
			out = append(out, "<"+p.Break.String()+">", p.Text)
		}
	}
	return strings.Join(out, " ")
}

func TestPlanFollowsTheStructure(t *testing.T) {
	for in, want := range map[string]string{
		"One. Two. Three.":                                                "One. <sentence> Two. Three.",
		"One.\n\nTwo. Three.\r\n\r\nFour.":                                "One. <paragraph> Two. Three. <paragraph> Four.",
		"One\nis long. Two\nis too.":                                      "One\nis long. <sentence> Two\nis too.",
		"Chapter 1\nA Second Witness\n\nHe came.":                         "Chapter 1 <heading> A Second Witness <heading> He came.",
		"CHAPTER XII.\n\nHe came. So.":                                    "CHAPTER XII. <heading> He came. So.",
		"Chapter One: The Door\nHe came.":                                 "Chapter One: The Door <heading> He came.",
		"It ended.\nChapter 2\nIt began.":                                 "It ended. <heading> Chapter 2 <heading> It began.",
		"He read\nChapter 2\nof the book.":                                "He read\nChapter 2\nof the book.",
		"Chapter 2 tells how\nhe came. He did.":                           "Chapter 2 tells how\nhe came. <sentence> He did.",
		"Kapitel 3\n\nEr kam.":                                            "Kapitel 3 <heading> Er kam.",
		"第一章 雨\n他来了。":                                                     "第一章 雨 <heading> 他来了。",
		"# The Door #\nHe came.":                                          "The Door <heading> He came.",
		"He came.\n\n### Later\n\nHe went.":                               "He came. <heading> Later <heading> He went.",
		"#door is a tag. Yes.":                                            "#door is a tag. <sentence> Yes.",
		"He came.\n\nThe Door\n\nHe went.":                                "He came. <heading> The Door <heading> He went.",
		"He came.\n\nDear Anna,\n\nI went.":                               "He came. <paragraph> Dear Anna, <paragraph> I went.",
		"He came.\n\nand went\n\nSo.":                                     "He came. <paragraph> and went <paragraph> So.",
		"He came.\n\n\u201cThe door\u201d\n\nSo.":                         "He came. <paragraph> \u201cThe door\u201d <paragraph> So.",
		"He came.\n\nThe End":                                             "He came. <paragraph> The End",
		"He came.\n\n* * *\n\nHe went.":                                   "He came. <scene> He went.",
		"He came.\n***\nHe went.":                                         "He came. <scene> He went.",
		"He came.\n\n---\n\nChapter 2\n\nHe went.":                        "He came. <scene> Chapter 2 <heading> He went.",
		"He came.\n\n⁂\n\nHe went.\n\n#\n\nHe slept.":                     "He came. <scene> He went. <scene> He slept.",
		"* * *\n\nHe came.\n\n* * *":                                      "He came.",
		"He came.\n\n[pause 3s]\n\nHe went.":                              "He came. 3s <paragraph> He went.",
		"He came [pause 1s] and went. So.":                                "He came 1s <sentence> and went. So.",
		"He came.\n\n...\n\nHe went.":                                     "He came. ... <paragraph> He went.",
		"He came.\n\n* * *\n\n...\n\nHe went.":                            "He came. ... <scene> He went.",
		"<h1>The Door.</h1><p>He came.</p><hr/><p>He went.<br/>Far.</p>":  "The Door. <heading> He came. <scene> He went.\n\nFar.",
		"<speak><p><s>One</s> <s>two.</s></p><p><s>Three</s></p></speak>": "One <sentence> two. <paragraph> Three",
		long("word", 12) + ", " + long("more", 8) + ".":                   long("word", 10) + " <> " + long("word", 2) + ", " + long("more", 7) + " <> more.",
		"Buy:\n1. Milk\n2. Eggs\n\nThen go.":                              "Buy: <sentence> 1. Milk <sentence> 2. Eggs <paragraph> Then go.",
		"- Call Anna\n- Go\n\nDone.":                                      "- Call Anna <sentence> - Go <paragraph> Done.",
		"He was\n12. He left\n- and slept.":                               "He was\n12. <sentence> He left\n- and slept.",
		"1. One thing\n2. Two things\n\nEnd.":                             "1. One thing <sentence> 2. Two things <paragraph> End.",
		"Buy:\n- eggs\n- milk\n  and tea\n- jam":                          "Buy: <sentence> - eggs <sentence> - milk\n  and tea <sentence> - jam",
		"* a\n* b\n\nEnd.":                                                "* a <sentence> * b <paragraph> End.",
		"To buy\n– eggs\n– milk":                                          "To buy <sentence> – eggs <sentence> – milk",
		"So\n(1) one\n(2) two":                                            "So <sentence> (1) one <sentence> (2) two",
		"He was\n12. She was 10.":                                         "He was\n12. <sentence> She was 10.",
		"I. The Beginning\n\nHe came.":                                    "I. The Beginning <heading> He came.",
		"IV. The End\n\nHe came.":                                         "IV. The End <heading> He came.",
		"Title\n=====\nHe came.":                                          "Title <heading> He came.",
		"It is done.\n====\nHe came.":                                     "It is done. <heading> He came.",
		"He came.\n\nThe Door\n---\nHe went.":                             "He came. <heading> The Door <heading> He went.",
		"He came.\n---\nHe went.":                                         "He came. <scene> He went.",
		"He came.\n\n• • •\n\nHe went.\n~~~\nHe slept.":                   "He came. <scene> He went. <scene> He slept.",
		"He came.\n\n**Bold Title**\nHe went.":                            "He came. <heading> Bold Title <heading> He went.",
		"__Bold Title__\n\nHe went.":                                      "Bold Title <heading> He went.",
		"He was\n**very**\nbold.":                                         "He was\n**very**\nbold.",
		"He came.\n\n**Stop!**\n\nHe went.":                               "He came. <paragraph> **Stop!** <paragraph> He went.",
		"[[Chapter 1\n\nDoor|x]] is a word.":                              "[[Chapter 1\n\nDoor|x]] is a word.",
	} {
		require.Equal(t, want, line(text.Plan(in, 50)), "%q", in)
	}
}

func TestFlatPlanHasNoStructure(t *testing.T) {
	require.Equal(t, []text.Piece{spoken("One."), spoken("Two.\n\n* * *\n\nThree.")}, text.FlatPlan("One.\n\nTwo.\n\n* * *\n\nThree.", 100))
}

func TestSpeakable(t *testing.T) {
	for s, want := range map[string]bool{
		"": false, " \n": false, "?!…—": false, "😀": false, "\u0301": false, "\xff": false,
		"a": true, "7": true, "字": true, "½": true, "...é": true, "٣": true,
	} {
		require.Equal(t, want, text.Speakable(s), "%q", s)
	}
}

// letters returns the letters and digits of s, in order.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return r
		}
		return -1
	}, s)
}

// dense returns s without white space.
func dense(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// checkPieces fails unless the pieces are what Plan promises. It returns their texts, each on a line.
func checkPieces(t require.TestingT, pieces []text.Piece, limit int) string {
	var all strings.Builder
	for _, p := range pieces {
		require.True(t, p.Text == "" || p.Pause == 0, "%+v", p)
		require.LessOrEqual(t, p.Pause, time.Minute)
		if !strings.Contains(p.Text, "[[") {
			require.LessOrEqual(t, utf8.RuneCountInString(p.Text), limit)
		}
		require.Equal(t, strings.TrimSpace(p.Text), p.Text)
		require.True(t, p.Text == "" || text.Speakable(p.Text), "%q", p.Text)
		all.WriteString(p.Text + "\n")
	}
	return all.String()
}

func TestPlanKeepsEveryLetter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(texts()).Draw(t, "texts")
		limit := rapid.IntRange(text.MinChunkChars, 300).Draw(t, "limit")
		marked, plain := strings.Builder{}, strings.Builder{}
		for _, p := range parts {
			p = strings.NewReplacer("[", "(", "]", ")").Replace(p)
			ms := rapid.IntRange(0, 60_000).Draw(t, "ms")
			fmt.Fprintf(&marked, "%s[pause %dms]", p, ms)
			plain.WriteString(p)
		}
		got := checkPieces(t, text.Plan(marked.String(), limit), limit)
		require.Equal(t, letters(plain.String()), letters(got))
	})
}

func TestPlanKeepsEveryMarkOfOrdinaryText(t *testing.T) {
	ordinary := []string{"Word", "a", "3.14", "Dr.", "\"Hi!\"", "(so)", "end.", "What?", "well,", "好。", "No.", "\n\n", "\n"}
	rapid.Check(t, func(t *rapid.T) {
		s := "Word " + strings.Join(rapid.SliceOf(rapid.SampledFrom(ordinary)).Draw(t, "words"), " word ")
		limit := rapid.IntRange(text.MinChunkChars, 300).Draw(t, "limit")
		require.Equal(t, dense(s), dense(checkPieces(t, text.Plan(s, limit), limit)))
	})
}

func TestPlanPauses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ms := rapid.IntRange(1, 60_000).Draw(t, "ms")
		want := []text.Piece{spoken("A"), pause(time.Duration(ms) * time.Millisecond), {Text: "b", Break: text.SentenceBreak}}
		seconds := fmt.Sprintf("%d.%03d", ms/1000, ms%1000)
		for _, markup := range []string{"[pause %dms]", "[ Pause  %d MS ]"} {
			require.Equal(t, want, text.Plan("A"+fmt.Sprintf(markup, ms)+"b", 100))
		}
		for _, markup := range []string{"[pause %s]", "[pause %ss]", "[PAUSE\t%s s]"} {
			got := text.Plan("A"+fmt.Sprintf(markup, seconds)+"b", 100)
			require.Len(t, got, 3)
			require.InDelta(t, float64(ms), float64(got[1].Pause.Microseconds())/1000, 0.01)
		}
	})
}

func FuzzPlan(f *testing.F) {
	for _, w := range words {
		f.Add("Hello "+w+" World. Next"+w, 50)
	}
	f.Add("[pause 1s][pause 0][pause 60s][pause 1e3][pause 1..2][pause .5][pause 5.][pause 999999999999999999999]", 100)
	f.Add(strings.Repeat("a, b; c: d. ", 60), 0)
	f.Add("<p>a. [[b. c|d]]</p> [laughs] <break time=\"1s\"/> [[e <s>", 50)
	f.Add(strings.Repeat("[[a b. c|d]] ", 60), 50)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		got := checkPieces(t, text.Plan(s, limit), min(max(limit, text.MinChunkChars), text.MaxChunkChars))
		if !strings.ContainsAny(s, "[<") {
			require.Equal(t, letters(s), letters(got))
		}
	})
}

func BenchmarkPlan(b *testing.B) {
	s := strings.Repeat("The quick brown fox, says Dr. Smith, jumps over\nthe lazy dog. [pause 1s] Doesn't it? ", 1000)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		text.Plan(s, 300)
	}
}

// TestReplan changes a text: what was one text stays one, wherever the sentences before it changed.
func TestReplan(t *testing.T) {
	sentence := func(i int) string { return fmt.Sprintf("This is sentence number %d of the paragraph. ", i) }
	var all []string
	for i := range 40 {
		all = append(all, sentence(i))
	}
	before := textsOf(text.Plan(strings.Join(all, ""), 300))
	fresh := func(list []string) (n int) {
		now := textsOf(text.Replan(strings.Join(list, ""), 300, before))
		require.Equal(t, strings.Join(strings.Fields(strings.Join(list, "")), " "), strings.Join(now, " "), "nothing is lost")
		for _, s := range now {
			require.LessOrEqual(t, len(s), 300)
			if !slices.Contains(before, s) {
				n++
			}
		}
		return n
	}
	require.Zero(t, fresh(all))
	require.Equal(t, 1, fresh(slices.Insert(slices.Clone(all), 0, "A new one. ")), "before all others")
	require.Equal(t, 1, fresh(append(slices.Clone(all), "A new one.")))
	changed := slices.Clone(all)
	changed[10] = "Another one. "
	require.Equal(t, 1, fresh(changed))
	require.LessOrEqual(t, fresh(slices.Insert(slices.Clone(all), 10, "A new one. ")), 2)
	require.Equal(t, 1, fresh(slices.Delete(slices.Clone(all), 10, 11)))
	require.Equal(t, text.Plan("One. Two.\n\nThree.", 300), text.Replan("One. Two.\n\nThree.", 300, []string{"Two. Three.", "Four."}))
}
