package batch_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/batch"
)

// read returns all rows of a list.
func read(t *testing.T, name, list string) []batch.Row {
	t.Helper()
	r, err := batch.NewReader(name, "", strings.NewReader(list))
	require.NoError(t, err)
	var rows []batch.Row
	for {
		row, err := r.Next()
		if errors.Is(err, io.EOF) {
			return rows
		}
		require.NoError(t, err)
		rows = append(rows, row)
	}
}

// inUTF16 returns a text as spreadsheets save it in Unicode.
func inUTF16(s string) string {
	out := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(s)) {
		out = binary.LittleEndian.AppendUint16(out, unit)
	}
	return string(out)
}

func TestReadLists(t *testing.T) {
	t.Parallel()
	speed := 1.25
	want := []batch.Row{
		{Number: 1, Line: 2, Text: "Hello, world.", Name: "greeting", Voice: "espeak:en-us", Language: "en", Speed: &speed, Format: "mp3"},
		{Number: 2, Line: 3, Text: "Schöne Grüße"},
	}
	comma := "text,name,voice,language,speed,format\n\"Hello, world.\",greeting,espeak:en-us,en,1.25,MP3\nSchöne Grüße,,,,,\n"
	semicolon := "Name;TEXT; Voice ;Language;Speed;Format;note\r\ngreeting;Hello, world.;espeak:en-us;en;1,25;mp3;x\r\n;Schöne Grüße;;;;;\r\n;;;;;;\r\n"
	for name, list := range map[string]string{
		"comma": comma, "byte order mark": "\ufeff" + comma, "CRLF": strings.ReplaceAll(comma, "\n", "\r\n"),
		"semicolon": semicolon, "UTF-16": inUTF16(semicolon), "Windows-1252": strings.NewReplacer("ö", "\xf6", "ü", "\xfc", "ß", "\xdf").Replace(comma),
		"tabs": strings.ReplaceAll(inUTF16(strings.ReplaceAll(semicolon, ";", "\t")), "\xfe\xff\xfe", "\xfe"),
	} {
		require.Equal(t, want, read(t, "list.CSV", list), name)
	}
	named := read(t, "a.csv", "sep=;\ntext;name\nHello;a.MP3\n")
	require.Equal(t, []batch.Row{{Number: 1, Line: 3, Text: "Hello", Name: "a", Format: "mp3"}}, named, "the extension of a name is its format")
	require.Equal(t, "Two\nlines \"quoted\"", read(t, "a.csv", "text\n\"Two\nlines \"\"quoted\"\"\"\n")[0].Text)
	require.Equal(t, "-5 degrees", read(t, "a.csv", "text\n'-5 degrees\n")[0].Text, "as spreadsheets are written here")

	want[0].Line, want[1].Line = 1, 3
	require.Equal(t, want, read(t, "a.jsonl",
		`{"text": "Hello, world.", "Name": "greeting", "voice": "espeak:en-us", "language": "en", "speed": 1.25, "format": "mp3", "more": [1]}`+
			"\r\n\r\n"+`{"text": "Schöne Grüße", "name": null}`))
	require.Equal(t, []batch.Row{{Number: 1, Line: 1, Text: "One."}, {Number: 2, Line: 3, Text: "Two, and; more"}},
		read(t, "a.txt", "\ufeffOne.\r\n\r\n  Two, and; more  "))
}

func TestBadRowsAreNamedAndTheOthersRead(t *testing.T) {
	t.Parallel()
	rows := read(t, "a.csv", strings.Join([]string{
		"text,speed,format", "Good,1,wav", " ,1,wav", "Fast,9,wav", "Fast,quick,wav", "Odd,1,doc", "Few,1", "Many, of them,1,wav",
		`A "quote" inside,1,wav`, strings.Repeat("é", 200_001) + ",,", "Last,,", `"Open,1,wav`, "lost,1,wav",
	}, "\n"))
	problems := make([]string, len(rows))
	for i, r := range rows {
		require.Equal(t, i+1, r.Number)
		require.Equal(t, i+2, r.Line)
		problems[i] = r.Problem
	}
	for i, part := range []string{
		"", "The text is empty.", `The speed "9" must be`, `The speed "quick" must be`, `The format "doc" must be one of wav`, "2 of 3 columns",
		"4 columns, more than the 3", "quotation mark", "200,000 characters", "", "quotation mark",
	} {
		require.Contains(t, problems[i], part, i)
		require.Equal(t, part == "", problems[i] == "", i)
	}
	require.Len(t, rows, 11)

	for _, text := range []string{"...", "—", "🙂 !"} {
		row := read(t, "a.txt", text)[0]
		require.Equal(t, "no_text", row.Reason, text)
		require.Contains(t, row.Problem, "no letter or digit", text)
	}
	require.Empty(t, read(t, "a.txt", "5\n")[0].Problem)
	nul := read(t, "a.jsonl", `{"text": "a\u0000b"}`)[0]
	require.Equal(t, "not_text", nul.Reason)
	require.Empty(t, nul.Text)

	rows = read(t, "a.jsonl", `{"text": "Good"}`+"\n{\"text\": \"Torn\n[1]\nnull\n"+`{"text": ["a"]}`+"\n"+`{"name": "a"}`+"\n"+`{"text": ""}`+"\n")
	for i, part := range []string{"", "not a JSON object", "not a JSON object", "not a JSON object", "text must be a string", "no text", "empty"} {
		require.Contains(t, rows[i].Problem, part, i)
		require.Equal(t, i+1, rows[i].Line)
	}
}

func TestListsThatAreNone(t *testing.T) {
	t.Parallel()
	for list, name := range map[string]string{"": "a.csv", "name,voice\n": "b.csv", "text\n": "c.xlsx"} {
		_, err := batch.NewReader(name, "", strings.NewReader(list))
		require.Equal(t, backend.CodeUnsupportedMedia, backend.CodeOf(err), name)
	}
	r, err := batch.NewReader("a.csv", "", &endless{start: "text\n\""})
	require.NoError(t, err)
	_, err = r.Next()
	require.Equal(t, backend.CodeUnsupportedMedia, backend.CodeOf(err), "a row without an end needs no memory without an end")
	r, err = batch.NewReader("a.txt", "", &endless{})
	require.NoError(t, err)
	_, err = r.Next()
	require.Equal(t, backend.CodeUnsupportedMedia, backend.CodeOf(err))
}

func TestFilesThatAreNoText(t *testing.T) {
	t.Parallel()
	for list, name := range map[string]string{
		"\x00\x01\x02\x03PNG": "a.txt", "One.\nTwo\x00.\n": "b.txt", "text\nOne\x00\n": "a.csv", "{\"text\":\"a\x00\"}": "a.jsonl",
		strings.TrimPrefix(inUTF16("a"), "\xff\xfe"): "c.txt", // UTF-16 without its mark
		inUTF16("a\x00"): "d.txt",
	} {
		r, err := batch.NewReader(name, "", strings.NewReader(list))
		for err == nil {
			_, err = r.Next()
		}
		require.Equal(t, backend.CodeUnsupportedMedia, backend.CodeOf(err), "%s: %v", name, err)
		require.Equal(t, batch.ReasonKind, backend.AsError(err).Params["reason"], name)
	}
	_, err := batch.NewReader("a.csv", "", strings.NewReader("\x00text\n"))
	require.Equal(t, batch.ReasonKind, backend.AsError(err).Params["reason"])
}

// endless is a file that goes on after its start without a line's end.
type endless struct {
	start string
	at    int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.at < len(e.start) {
		n := copy(p, e.start[e.at:])
		e.at += n
		return n, nil
	}
	for i := range p {
		p[i] = 'a'
	}
	return len(p), nil
}

func (e *endless) Seek(int64, int) (int64, error) {
	e.at = 0
	return 0, nil
}

// A list is read in the encoding that it looks like, which may show far behind its start, or in the one that is named.
func TestEncodingsOfLists(t *testing.T) {
	t.Parallel()
	const privet, koi = "\xcf\xf0\xe8\xe2\xe5\xf2", "\xf0\xd2\xc9\xd7\xc5\xd4"
	for _, c := range []struct{ name, encoding, list, text, want string }{
		{"a.csv", "", "text;name\n" + privet + ";a\n", "Привет", "windows-1251"},
		{"a.jsonl", "", "{\"text\":\"" + privet + "\"}\n", "Привет", "windows-1251"},
		{"a.txt", "", strings.Repeat("One.\n", 30_000) + privet + "\n", "Привет", "windows-1251"},
		{"a.txt", "", "Gr\xfc\xdfe\n", "Grüße", "windows-1252"},
		{"a.txt", "", "P\x00r\x00i\x00v\x00e\x00t\x00\n\x00", "Privet", "UTF-16LE"},
		{"a.txt", "", "Grüße, schöne Bücher \xff hier\n", "Grüße, schöne Bücher \ufffd hier", "UTF-8"},
		{"a.txt", "", "\x8c\xe1\x94\x79\x82\xcd\x94\x4c\x82\xc5\x82\xa0\x82\xe9\n", "吾輩は猫である", "Shift_JIS"},
		{"a.csv", "koi8-r", "text\n" + koi + "\n", "Привет", "KOI8-R"},
	} {
		r, err := batch.NewReader(c.name, c.encoding, strings.NewReader(c.list))
		require.NoError(t, err)
		require.Equal(t, c.want, r.Encoding)
		require.Equal(t, c.encoding == "" && c.want != "UTF-8", r.Guessed, c.want)
		last := ""
		for row, err := r.Next(); err == nil; row, err = r.Next() {
			last = row.Text
		}
		require.Equal(t, c.text, last)
	}
	_, err := batch.NewReader("a.txt", "klingon", strings.NewReader("a"))
	require.ErrorContains(t, err, "klingon")
}

func TestNames(t *testing.T) {
	t.Parallel()
	names, err := batch.NewNames("", 12)
	require.NoError(t, err)
	for _, c := range []struct {
		row  batch.Row
		want string
	}{
		{batch.Row{Number: 1, Text: "Hello there, world. This goes on and on and on."}, "01-Hello there, world. This goes on and on.wav"},
		{batch.Row{Number: 2, Text: "a/b\\c:d"}, "02-a-b-c-d.wav"},
		{batch.Row{Number: 3, Name: "Intro"}, "Intro.wav"},
		{batch.Row{Number: 4, Name: "intro"}, "intro 2.wav"},
		{batch.Row{Number: 5, Name: "INTRO 2"}, "INTRO 2 2.wav"},
		{batch.Row{Number: 6, Name: "../../etc/passwd"}, "etc-passwd.wav"},
		{batch.Row{Number: 7, Name: "=CON"}, "_CON.wav"},
		{batch.Row{Number: 8, Name: "..."}, "08.wav"},
		{batch.Row{Number: 9, Name: "intro"}, "intro 3.wav"},
		{batch.Row{Number: 10, Name: strings.Repeat("é", 300)}, strings.Repeat("é", 100) + ".wav"},
		{batch.Row{Number: 11, Name: "Two\nlines\t "}, "Two lines.wav"},
	} {
		require.Equal(t, c.want, names.Next(c.row, "wav"))
	}
	names, err = batch.NewNames("{name}_{voice}_{language}", 1)
	require.NoError(t, err)
	require.Equal(t, "a_m-v_de.mp3", names.Next(batch.Row{Name: "a", Voice: "m:v", Language: "de"}, "mp3"))
	_, err = batch.NewNames("{number}", 1)
	require.ErrorContains(t, err, "{number} is not")
}

func FuzzReader(f *testing.F) {
	f.Add("a.csv", "text;name\n\"a\nb\";c\n")
	f.Add("a.jsonl", `{"text": "a", "speed": "1,5"}`)
	f.Add("a.txt", inUTF16("a\nb"))
	f.Fuzz(func(t *testing.T, name, list string) {
		r, err := batch.NewReader(name, "", strings.NewReader(list))
		if err != nil {
			return
		}
		names, err := batch.NewNames("", 1)
		require.NoError(t, err)
		for i := 1; ; i++ {
			row, err := r.Next()
			if err != nil {
				return
			}
			require.Equal(t, i, row.Number)
			require.True(t, backend.Speakable(row.Text) || row.Problem != "", "a row is spoken or has a problem")
			require.NotContains(t, row.Text, "\x00")
			require.NotContains(t, names.Next(row, "wav"), "/")
		}
	})
}

// TestFirstLinesThatCannotBeRead names the line in which the quotation marks of the names of the columns are wrong.
func TestFirstLinesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for list, line := range map[string]int{
		"te\"xt,name\nOne,a\n":                   1,
		"text,\"na\"me\nOne,a\n":                 1,
		"text,\"name\nOne,a\n":                   1,
		"\"text":                                 1,
		"sep=;\ntext;na\"me\nOne;a\n":            2,
		"\n\ntext,na\"me\nOne,a\n":               3,
		"\ufefftext,na\"me\r\nOne,a\r\n":         1,
		inUTF16("text\tna\"me\nOne\ta\n"):        1,
		"text,na\"me\rOne,a\rTwo,b\r":            1,
		"na\"me\nOne\n":                          1,
		"\"text\"x," + strings.Repeat("a", 5000): 1,
	} {
		_, err := batch.NewReader("a.csv", "", strings.NewReader(list))
		require.Equal(t, backend.CodeUnsupportedMedia, backend.CodeOf(err), "%q: %v", list, err)
		require.Equal(t, batch.ReasonQuotes, backend.AsError(err).Params["reason"], list)
		require.Equal(t, line, backend.AsError(err).Params["line"], list)
		require.Contains(t, backend.AsError(err).Detail, fmt.Sprintf("line %d", line))
		require.NotEmpty(t, backend.AsError(err).Remedy)
	}
}

// TestLineEnds reads lists whose lines end as those of old Macs, also within a cell.
func TestLineEnds(t *testing.T) {
	t.Parallel()
	want := []batch.Row{{Number: 1, Line: 2, Text: "One.", Name: "a"}, {Number: 2, Line: 3, Text: "Two\nlines", Name: "b"}}
	for _, end := range []string{"\r", "\n", "\r\n"} {
		require.Equal(t, want, read(t, "a.csv", strings.Join([]string{"text,name", "One.,a", "\"Two", "lines\",b", ""}, end)), "%q", end)
		require.Len(t, read(t, "a.txt", "One."+end+"Two."+end+end+"Three."), 3)
		require.Len(t, read(t, "a.jsonl", `{"text":"One."}`+end+`{"text":"Two."}`), 2)
	}
	require.Len(t, read(t, "a.csv", "text\nOne.\nTwo.\n"), 2, "one column")
}
