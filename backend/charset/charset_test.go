package charset_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/unicode/utf32"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/charset"
)

// Texts of a few words are the hard ones: most lists and subtitles begin with them.
func TestGuesses(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"windows-1252", "Grüße – ok"},
		{"windows-1252", "Voilà, c’est l’été."},
		{"windows-1252", "¿Qué tal, señor Núñez?"},
		{"windows-1252", "Não há coração sem emoção."},
		{"windows-1252", "Perché no? È già più tardi."},
		{"windows-1252", "Blåbær på øya, sa Åse."},
		{"windows-1252", "Caf\u00e9"},
		{"windows-1252", "“Quoted” it’s fine"},
		{"windows-1252", "Straße"},
		{"windows-1252", "Der Preis: 5 €"},
		{"macintosh", "Café “quoted” it’s"},
		{"macintosh", "Größe und Länge für Bücher"},
		{"ISO-8859-2", "Zażółć gęślą jaźń."},
		{"windows-1250", "Zażółć gęślą jaźń."},
		{"windows-1250", "Příliš žluťoučký kůň úpěl ďábelské ódy."},
		{"ISO-8859-2", "Příliš žluťoučký kůň"},
		{"windows-1250", "Árvíztűrő tükörfúrógép"},
		{"windows-1251", "Привет, мир. Это книга."},
		{"windows-1251", "Привет"},
		{"windows-1251", "нет"},
		{"windows-1251", "Це українська книга, її читають."},
		{"KOI8-R", "Привет, мир. Это книга."},
		{"KOI8-R", "привет всем"},
		{"IBM866", "Привет, мир. Это книга."},
		{"ISO-8859-5", "Привет, мир. Это книга."},
		{"x-mac-cyrillic", "Привет, мир. Это книга."},
		{"windows-1253", "Καλημέρα κόσμε"},
		{"ISO-8859-7", "Άγιος και Ώρα"},
		{"windows-1254", "Şimdi ağaçların altında ışık var."},
		{"windows-1255", "שלום עולם"},
		{"windows-1256", "مرحبا بالعالم"},
		{"windows-874", "สวัสดีชาวโลก"},
		{"Shift_JIS", "吾輩は猫である。名前はまだ無い。"},
		{"Shift_JIS", "こんにちは"},
		{"EUC-JP", "吾輩は猫である。名前はまだ無い。"},
		{"GBK", "你好，世界。这是一本书。"},
		{"GBK", "他说：“我不知道。”"},
		{"Big5", "你好，世界。這是一本書。"},
		{"windows-1252", "ß"},
		{"windows-1252", "Smørrebrød og Ærø"},
		{"windows-1252", "Cœur, sœur, œuf"},
		{"windows-1252", "DIE GRÖSSE DER BÄUME"},
		{"windows-1252", "¡Adiós!"},
		{"windows-1252", "Það er gott að sjá þig."},
		{"windows-1250", "Łódź"},
		{"windows-1250", "Nem tudom, hogy miért."},
		{"windows-1254", "Güneş doğdu, çocuklar dışarı çıktı."},
		{"KOI8-U", "Привіт, світе! Як справи?"},
		{"Big5", "中國"},
		{"EUC-JP", "こんにちは"},
		{"windows-1252", "10° und 5 £"},
		{"windows-1252", "Der Mann sagte: „Ja.“"},
		{"windows-1252", "« Oui », dit-il – déjà…"},
		{"windows-1252", "Señor"},
		{"windows-1252", "São Paulo"},
		{"windows-1252", "Œuvre complète d’Émile Zola"},
		{"windows-1250", "Cześć, jak się masz?"},
		{"windows-1250", "„Dziękuję” – powiedziała Łucja."},
		{"ISO-8859-2", "Cześć, jak się masz?"},
		{"windows-1250", "Ještě jsem neviděl takový dům."},
		{"windows-1250", "Đorđe je čuo kišu."},
		{"IBM852", "Zażółć gęślą jaźń."},
		{"IBM850", "Größe und Länge für Bücher"},
		{"windows-1251", "Так, каже вона, їй це подобається."},
		{"windows-1251", "Как дела?"},
		{"windows-1251", "ПРИВЕТ, МИР"},
		{"windows-1251", "Где ты?"},
		{"KOI8-R", "Как дела?"},
		{"IBM866", "Как дела?"},
		{"windows-1257", "Ąžuolas ir šaltinis, ačiū."},
		{"GBK", "中国"},
		{"Shift_JIS", "東京タワー"},
		{"EUC-KR", "감사합니다"},
		{"EUC-KR", "안녕하세요. 저는 학생입니다."},
	} {
		raw := encode(t, c.name, c.text)
		got, err := charset.Decode(raw, "", "")
		if err != nil || got.Text != c.text {
			t.Errorf("%s: %q was read as %s: %q, %v", c.name, c.text, got.Name, got.Text, err)
			continue
		}
		if !got.Guessed {
			t.Errorf("%s: %q is a guess", c.name, c.text)
		}
	}
}

func encode(t *testing.T, name, text string) []byte {
	t.Helper()
	raw, err := encoder(t, name).Bytes([]byte(text))
	require.NoError(t, err, "%s in %s", text, name)
	return raw
}

func encoder(t *testing.T, name string) *encoding.Encoder {
	t.Helper()
	switch name {
	case "UTF-32LE":
		return utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM).NewEncoder()
	case "UTF-32BE":
		return utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM).NewEncoder()
	}
	e, err := ianaindex.IANA.Encoding(name)
	if err != nil {
		e, err = htmlindex.Get(name)
	}
	require.NoError(t, err, name)
	return e.NewEncoder()
}

func TestUnicode(t *testing.T) {
	for _, text := range []string{"Hello there.\n", "1\n00:00:01,000 --> 00:00:02,000\nПривет!\n", "Grüße – ok", "吾輩は猫である。\n名前はまだ無い。\n"} {
		for _, name := range []string{"UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE", "UTF-8"} {
			for _, mark := range []string{"", "\ufeff"} {
				got, err := charset.Decode(encode(t, name, mark+text), "", "")
				require.NoError(t, err, "%s %q", name, mark+text)
				require.Equal(t, text, got.Text, name)
				require.Equal(t, name, got.Name, text)
				require.Zero(t, got.Bad)
			}
		}
	}
}

func TestDeclared(t *testing.T) {
	for _, c := range []struct{ in, declared, text string }{
		{"windows-1251", "windows-1251", "Привет"},
		{"windows-1251", " CP1251 ", "Привет"},
		{"UTF-8", "iso-8859-1", "Größe"}, // a declaration that was forgotten
		{"Shift_JIS", "x-sjis", "吾輩は猫である"},
		{"GBK", "gb2312", "联通"},
		{"ISO-8859-2", "latin2", "Łódź"},
		{"windows-1252", "utf-8", "Größe ist schön"},
		{"windows-1251", "utf-16", "Привет"},
		{"windows-1251", "nonsense", "Привет"},
	} {
		got, err := charset.Decode(encode(t, c.in, c.text), "", c.declared)
		require.NoError(t, err)
		require.Equal(t, c.text, got.Text, "%s declared as %s", c.in, c.declared)
	}
}

func TestDeclarations(t *testing.T) {
	for document, want := range map[string]string{
		"<?xml version='1.0' encoding='windows-1251'?><p>":                            "windows-1251",
		"\xef\xbb\xbf<?xml version=\"1.0\" encoding = \"UTF-8\" standalone=\"yes\"?>": "UTF-8",
		"<html><head><meta charset=koi8-r><title>":                                    "koi8-r",
		`<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=ISO-8859-2">`:    "ISO-8859-2",
		`<meta name="a" content="b"><meta charset="shift_jis"/>`:                      "shift_jis",
		"<p>encoding=\"a\"</p>": "", "": "",
	} {
		require.Equal(t, want, charset.Declared([]byte(document)), document)
	}
}

func TestNamed(t *testing.T) {
	got, err := charset.Decode([]byte("Gr\xfc\xdfe"), "windows-1251", "utf-8")
	require.NoError(t, err)
	require.Equal(t, charset.Text{Text: "GrьЯe", Name: "windows-1251"}, got)
	for name, want := range map[string]string{
		"utf8": "UTF-8", "Latin1": "windows-1252", "cp1251": "windows-1251", "SJIS": "Shift_JIS", "macroman": "macintosh", "cp850": "IBM850",
		"UTF-16": "UTF-16LE", "koi8-r": "KOI8-R", "gb18030": "GB18030", "utf-32be": "UTF-32BE", "iso-8859-15": "ISO-8859-15",
	} {
		known, err := charset.Check(name)
		require.NoError(t, err, name)
		require.Equal(t, want, known)
	}
	_, err = charset.Decode([]byte("a"), "klingon", "")
	var invalid *backend.ValidationError
	require.ErrorAs(t, err, &invalid)
	require.Contains(t, invalid.Fields[0].Msg, "windows-1251")
	require.Equal(t, []string{"body", "encoding"}, invalid.Fields[0].Loc)
	for _, name := range []string{"x-user-defined", "replacement", "iso-2022-kr", "\xff"} {
		_, err := charset.Check(name)
		require.Error(t, err, name)
	}
}

func TestBadBytes(t *testing.T) {
	for raw, want := range map[string]string{
		"“Café” – it’s \xff fine":                          "“Café” – it’s \ufffd fine",
		"Grüße aus Köln, schöne Tage und " + "Stra\xc3":    "Grüße aus Köln, schöne Tage und Stra\ufffd",
		"\xef\xbb\xbfThe words of a file \xff with a mark": "The words of a file \ufffd with a mark",
	} {
		got, err := charset.Decode([]byte(raw), "", "")
		require.NoError(t, err)
		require.Equal(t, want, got.Text)
		require.Equal(t, 1, got.Bad)
		require.Equal(t, "UTF-8", got.Name)
	}
	for _, raw := range []string{"a\x00b", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00", "\xff\xfeA", "\xef\xbb\xbf\xff\xff"} {
		_, err := charset.Decode([]byte(raw), "", "")
		require.ErrorIs(t, err, charset.ErrNoText, "%q", raw)
	}
	got, err := charset.Decode([]byte("Filled up.\x00\x00\x00"), "", "")
	require.NoError(t, err)
	require.Equal(t, "Filled up.", got.Text)
}

// The words that decide may stand far behind the start of a file.
func TestLateWords(t *testing.T) {
	text := strings.Repeat("00:00:01,000 --> 00:00:02,000\n", 20_000) + "Привет, мир.\n"
	got, err := charset.Decode(encode(t, "windows-1251", text), "", "")
	require.NoError(t, err)
	require.Equal(t, text, got.Text)
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("Gr\xfc\xdfe"), "", "utf-8")
	f.Add([]byte("\xff\xfea\x00"), "latin1", "")
	f.Fuzz(func(t *testing.T, raw []byte, name, declared string) {
		got, err := charset.Decode(raw, name, declared)
		if err == nil && strings.ContainsRune(got.Text, 0) {
			t.Error("a text has no zeros")
		}
	})
}
