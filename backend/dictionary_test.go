package backend_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend"
)

func TestCheckPronunciation(t *testing.T) {
	for _, c := range []struct {
		word, respelling, language string
		fields                     string // that are refused, with their types
	}{
		{"lemma", "lemm ah", "", ""},
		{" New \t York ", "/njuː ˈjɔːk/", "en-US", ""},
		{"7", "seven", "zh-Hant-TW", ""},
		{"½", "half", "", ""},
		{"東京", "とうきょう", "ja", ""},
		{"and/or", "and or", "", ""},
		{"x", "either/or", "", ""},
		{strings.Repeat("é", 100), strings.Repeat("é", 200), "", ""},
		{"", "x", "", "word string_too_short"},
		{" \n", "", "", "word string_too_short, respelling string_too_short"},
		{"?!", "x", "", "word value_error"},
		{strings.Repeat("é", 101), "x", "", "word string_too_long"},
		{"x", strings.Repeat("é", 201), "", "respelling string_too_long"},
		{"a\x00", "\xff", "", "word string_unicode, respelling string_unicode"},
		{"x", "/", "", "respelling value_error"},
		{"x", "//", "", "respelling value_error"},
		{"x", "/ /", "", "respelling value_error"},
		{"x", "/a", "", "respelling value_error"},
		{"x", "/a/b/", "", "respelling value_error"},
		{"x", "/ʃəˈneɪ̃l.tʃ‿ɡ'a:/", "cmn", ""},
		{"x", "/hélo/", "", "respelling value_error"},
		{"x", "/HELLO/", "", "respelling value_error"},
		{"x", "/привет/", "", "respelling value_error"},
		{"x", "/ˈ ː/", "", "respelling value_error"},
		{"x", "x", "klingon", "language value_error"},
		{"x", "x", "xx", "language value_error"},
		{"x", "x", "en-YY", "language value_error"},
		{"x", "x", "e", "language value_error"},
		{"x", "x", "not a tag", "language value_error"},
		{"x", "x", "en-" + strings.Repeat("abcdefgh-", 8) + "x", "language value_error"},
	} {
		p := backend.Pronunciation{Word: c.word, Respelling: c.respelling, Language: c.language}
		err := p.Check()
		if c.fields == "" {
			require.NoError(t, err, c)
			continue
		}
		var invalid *backend.ValidationError
		require.ErrorAs(t, err, &invalid, c)
		got := make([]string, len(invalid.Fields))
		for i, f := range invalid.Fields {
			got[i] = f.Loc[1] + " " + f.Type
		}
		require.Equal(t, c.fields, strings.Join(got, ", "), c)
	}
	p := backend.Pronunciation{Word: " New \t York ", Respelling: " x  y ", Language: " en_US "}
	require.NoError(t, p.Check())
	require.Equal(t, backend.Pronunciation{Word: "New York", Respelling: "x y", Language: "en-US"}, p)
}

// TestReadPronunciations reads files as people have them: what is good counts, and each bad line is named.
func TestReadPronunciations(t *testing.T) {
	for _, c := range []struct {
		name, format, file string
		found              string   // WORD=RESPELLING@LANGUAGE
		skipped            []string // LINE: part of the reason
	}{
		{"with names", "csv", "word,respelling,language\nlemma,lemm ah,en\n", "lemma=lemm ah@en", nil},
		{"without names", "csv", "lemma,lemm ah", "lemma=lemm ah@", nil},
		{"names in another order", "csv", "Language, Respelling ,id,WORD\r\nfr,ekol,7,école\r\n", "école=ekol@fr", nil},
		{"of a spreadsheet", "csv", "\ufeffword,respelling\r\n\"a, b\",\"say \"\"b\"\"\"\r\n\r\n", `a, b=say "b"@`, nil},
		{"bad lines", "csv", "a,1\n\n?,x\nb\nc,1,en,more\nd,2,??\n\xff,x\ne,5\n", "a=1@ e=5@", []string{
			"3: word: a word has", "4: respelling: ", "5: it has 4 columns", "6: language: ", "7: word: ",
		}},
		{"an open quotation mark spoils its own line", "csv", "a,1\nb,\"2\nc,3\nd\"d,4\n", "a=1@ c=3@", []string{
			"2: its quotation marks", "4: its quotation marks",
		}},
		{"empty", "csv", "", "", nil},
		{"names alone", "csv", "word,respelling,language", "", nil},
		{"a list", "json", `[{"word":"a","respelling":"1"},{"word":"b","respelling":"/b/","language":"en","more":1}]`, "a=1@ b=/b/@en", nil},
		{"bad entries", "json", `[5,{"word":7,"respelling":"x"},{"word":"a"},{"word":"b","respelling":"x"},null]`, "b=x@", []string{
			"1: it should be an object", "2: it should be an object", "3: respelling: ", "5: word: ",
		}},
		{"empty list", "json", `[]`, "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			found, skipped, err := backend.ReadPronunciations([]byte(c.file), c.format)
			require.NoError(t, err)
			var got []string
			for _, p := range found {
				got = append(got, fmt.Sprintf("%s=%s@%s", p.Word, p.Respelling, p.Language))
			}
			require.Equal(t, c.found, strings.Join(got, " "))
			require.NotNil(t, skipped)
			require.Len(t, skipped, len(c.skipped))
			for i, want := range c.skipped {
				line, reason, _ := strings.Cut(want, ": ")
				require.Equal(t, line, fmt.Sprint(skipped[i].Line))
				require.Contains(t, skipped[i].Reason, reason)
			}
		})
	}
	for _, file := range []string{`{"items":[]}`, `"x"`, `null`, `[`} {
		_, _, err := backend.ReadPronunciations([]byte(file), "json")
		var invalid *backend.ValidationError
		require.ErrorAs(t, err, &invalid, file)
	}
}

// TestDictionaryComesBack writes any acceptable dictionary and reads the same.
func TestDictionaryComesBack(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		all := rapid.SliceOfN(rapid.Custom(func(r *rapid.T) backend.Pronunciation {
			p := backend.Pronunciation{
				Word:       rapid.String().Draw(r, "word") + "a",
				Respelling: rapid.StringMatching(`/?[a-z ,"'\\;|=\[\]é]{1,20}/?`).Draw(r, "respelling"),
				Language:   rapid.SampledFrom([]string{"", "en", "pt-BR"}).Draw(r, "language"),
			}
			if p.Check() != nil {
				p = backend.Pronunciation{Word: "b", Respelling: "c"}
			}
			return p
		}), 0, 8).Draw(r, "dictionary")
		for _, format := range []string{"csv", "json"} {
			var file bytes.Buffer
			require.NoError(r, backend.WritePronunciations(&file, format, all))
			back, skipped, err := backend.ReadPronunciations(file.Bytes(), format)
			require.NoError(r, err)
			require.Empty(r, skipped)
			require.Equal(r, len(all), len(back))
			for i := range all {
				require.Equal(r, all[i], back[i])
			}
		}
	})
}

// FuzzReadPronunciations reads anything: every line is taken or named, and what is taken is acceptable.
func FuzzReadPronunciations(f *testing.F) {
	for _, seed := range []string{
		"word,respelling\na,b", "a,\"b\nc,d", "\ufeffa,b,c,d", `[{"word":"a","respelling":"b"},5]`, "\xff\x00,\n\r", "", "[[[", "a;b\tc",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		for _, format := range []string{"csv", "json"} {
			found, skipped, err := backend.ReadPronunciations(file, format)
			if err != nil {
				continue
			}
			for _, p := range found {
				again := p
				require.NoError(t, again.Check())
				require.Equal(t, p, again)
				require.True(t, utf8.ValidString(p.Word+p.Respelling+p.Language))
			}
			for _, s := range skipped {
				require.Positive(t, s.Line)
				require.NotEmpty(t, s.Reason)
			}
		}
	})
}

func TestDictionaryAsCSVHasNoFormulas(t *testing.T) {
	list := []backend.Pronunciation{
		{Word: "=cmd|x1", Respelling: "-2+3"},
		{Word: "+1 plus", Respelling: "@at"},
		{Word: "'tis", Respelling: "'-tis"},
		{Word: "＝full 1", Respelling: "wide"},
	}
	var out bytes.Buffer
	require.NoError(t, backend.WritePronunciations(&out, "csv", list))
	rows, err := csv.NewReader(bytes.NewReader(out.Bytes())).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 1+len(list))
	for _, row := range rows {
		for _, cell := range row {
			require.False(t, strings.IndexAny(cell, "=+-@＝＋－＠") == 0, "a spreadsheet would run %q", cell)
		}
	}
	list[0].Word = "=cmd x1" // a bar is markup in a text, so no word that is read has one
	out.Reset()
	require.NoError(t, backend.WritePronunciations(&out, "csv", list))
	read, skipped, err := backend.ReadPronunciations(out.Bytes(), "csv")
	require.NoError(t, err)
	require.Empty(t, skipped)
	require.Equal(t, list, read)
}
