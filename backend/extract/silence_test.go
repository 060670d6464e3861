package extract_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// HTML lets the end tags of some elements out: what is behind a silent one is read.
func TestOmittedEndTags(t *testing.T) {
	for name, c := range map[string]struct {
		page, want string
		notes      []string
	}{
		"ruby":                {`<p><ruby>漢字<rt>かんじ</ruby>を読む。<p>次の段落。`, "漢字を読む。\n\n次の段落。", []string{"ruby"}},
		"ruby in parts":       {`<p><ruby>漢<rt>かん字<rt>じ</ruby>を<ruby>読<rp>（<rt>よ<rp>）</ruby>む。`, "漢を読む。", []string{"ruby"}},
		"ruby with its base":  {`<p><ruby><rb>漢<rt>かん<rb>字<rt>じ</ruby>を読む。`, "漢字を読む。", []string{"ruby"}},
		"ruby without an end": {`<p><ruby>漢字<rt>かんじ</p><p>次の段落。</p>`, "漢字\n\n次の段落。", []string{"ruby"}},
		"paragraph":           {`<p hidden>x<p>Chapter one.<p>More.`, "Chapter one.\n\nMore.", []string{"hidden"}},
		"heading behind":      {`<p hidden>x <b>y<h2>Chapter one</h2>More.`, "Chapter one\n\nMore.", []string{"hidden"}},
		"parent of paragraph": {`<section><p hidden>x</section>More.<div><p hidden>x</div>End.`, "More.\n\nEnd.", []string{"hidden"}},
		"paragraph with more": {`<p hidden>x <svg><text>a</text></svg><select><option>b</select> y</p><p>More.`, "More.", []string{"hidden"}},
		"stray end tags":      {`<p hidden>x</b></div> y</p><ul><li hidden>x</p> y<li>More.</ul>`, "More.", []string{"hidden"}},
		"item":                {`<ul><li style="display:none">x<li>Tea<li>Coffee</ul>More.`, "Tea\nCoffee\n\nMore.", []string{"hidden"}},
		"last item":           {`<ul><li>Tea<li hidden>x</ul><p>More.`, "Tea\n\nMore.", []string{"hidden"}},
		"item with a list":    {`<ul><li hidden>x<ul><li>y<li>z</ul> w<li>Tea</ul>`, "Tea", []string{"hidden"}},
		"item with all ends":  {`<ul><li hidden>x<ul><li>y</li></ul>w</li><li>Tea</li></ul>`, "Tea", []string{"hidden"}},
		"cells":               {`<table><tr><td hidden>x<td>a<th>b<tr hidden><td>y<tr><td>c<td hidden>z</table>More.`, "a, b\nc\n\nMore.", []string{"hidden"}},
		"cell with a table":   {`<table><tr><td hidden>x<table><tr><td>y</table>z<td>a</table>More.`, "a\n\nMore.", []string{"hidden"}},
		"groups of rows":      {`<table><thead hidden><tr><th>x<tbody><tr><td>a</table>More.`, "a\n\nMore.", []string{"hidden"}},
		"descriptions":        {`<dl><dt hidden>x<dd>One.<dd hidden>y<dt>Two<dd hidden>z</dl>More.`, "One.\nTwo\n\nMore.", []string{"hidden"}},
		"options":             {`<p>One.</p><option hidden>x<option>Two.<option hidden>y</p></datalist><p>More.`, "One.\n\nTwo.\n\nMore.", []string{"hidden"}},
		"end of the file":     {`<p>One.<p hidden>x`, "One.", []string{"hidden"}},
		"an end is missing":   {`<p>One.</p><div hidden>Two.<p>Three.</p>`, "One.", []string{"damaged", "hidden"}},
		"no end of a script":  {`<p>One.</p><aside epub:type="footnote"><p>Two.</p>`, "One.", []string{"damaged", "footnotes"}},
	} {
		doc := read(t, "a.html", c.page)
		require.Equal(t, c.want, doc.Text, name)
		require.Equal(t, c.notes, codes(doc.Notes), name)
	}
}

// A part of a page that is too long to read, such as an embedded picture, is not taken for the end of the page without a word.
func TestPageThatCannotBeReadToItsEnd(t *testing.T) {
	long := strings.Repeat("x", 16_000_001)
	for _, content := range []string{`<p>One.</p><img alt="" src="data:` + long + `"><p>Two.`, `<p>One.</p><!--` + long + `--><p>Two.`} {
		doc := read(t, "a.html", content)
		require.Equal(t, "One.", doc.Text)
		require.Contains(t, codes(doc.Notes), "damaged")
	}
}
