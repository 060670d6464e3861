package charset

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wlynxg/chardet"
)

// Found is the encoding of a file.
type Found struct {
	Name    string // empty for a file that is no text
	Guessed bool   // by what the text looks like
}

// Detect returns the encoding of a file by its byte order mark, by what it declares, and else by its bytes. sample is what Sample
// returns.
func Detect(sample []byte, declared string) Found {
	if name := byMark(sample); name != "" {
		return Found{Name: name}
	}
	if name := byZeros(sample); name != "" {
		return Found{Name: name, Guessed: true}
	}
	if bytes.IndexByte(bytes.TrimRight(sample, "\x00"), 0) >= 0 {
		return Found{}
	}
	if name := byDeclaration(sample, declared); name != "" {
		return Found{Name: name}
	}
	if escapes.Match(sample) {
		return Found{Name: "ISO-2022-JP"}
	}
	if mostlyUTF8(sample) {
		return Found{Name: UTF8}
	}
	return Found{Name: likely(sample), Guessed: true}
}

// escapes are the sequences that begin Japanese in ISO-2022-JP, which is ASCII otherwise.
var escapes = regexp.MustCompile(`\x1b(?:\$[@B]|\([JI])`)

// byMark returns the encoding of a byte order mark.
func byMark(raw []byte) string {
	switch {
	case bytes.HasPrefix(raw, []byte("\xef\xbb\xbf")):
		return UTF8
	case bytes.HasPrefix(raw, []byte("\xff\xfe\x00\x00")):
		return utf32LE
	case bytes.HasPrefix(raw, []byte("\x00\x00\xfe\xff")):
		return utf32BE
	case bytes.HasPrefix(raw, []byte("\xff\xfe")):
		return utf16LE
	case bytes.HasPrefix(raw, []byte("\xfe\xff")):
		return utf16BE
	}
	return ""
}

// byZeros returns the encoding of UTF-16 or UTF-32 without a byte order mark: characters of most scripts have zero bytes in the same
// place, and no other text has any.
func byZeros(raw []byte) string {
	raw = raw[:min(len(raw), headBytes)]
	zeros := [4]int{}
	for i, b := range raw {
		if b == 0 {
			zeros[i%4]++
		}
	}
	if zeros == [4]int{} {
		return ""
	}
	for _, name := range []string{utf32LE, utf32BE, utf16LE, utf16BE} {
		size := 2
		if strings.HasPrefix(name, "UTF-32") {
			size = 4
		}
		if len(raw)%size != 0 || len(raw) < 2*size {
			continue
		}
		if text, err := NewDecoder(name).Bytes(raw); err == nil && looksWritten(string(text)) {
			return name
		}
	}
	return ""
}

// looksWritten reports whether a text consists of letters, digits, white space and punctuation, most of a few blocks of Unicode:
// those of a wrong byte order are scattered, or rare ideographs.
func looksWritten(text string) bool {
	blocks := map[rune]bool{}
	total, ascii, ideographs, frequent := 0, 0, 0, 0
	for _, r := range text {
		if r == utf8.RuneError || unicode.IsControl(r) && !unicode.IsSpace(r) || !unicode.IsGraphic(r) && !unicode.IsSpace(r) && r != '\ufeff' {
			return false
		}
		total++
		switch {
		case r < utf8.RuneSelf:
			ascii++
		case unicode.Is(unicode.Han, r), unicode.Is(unicode.Hangul, r):
			ideographs++
			if strings.ContainsRune(frequentIdeographs+frequentSyllables, r) {
				frequent++
			}
		default:
			blocks[r>>7] = true
		}
	}
	return ascii > 0 && len(blocks) <= fewBlocks && (ideographs == 0 || total >= fewCharacters && frequent*3 >= ideographs)
}

const (
	fewBlocks     = 8 // of 128 characters each, in a text
	fewCharacters = 8 // in which ideographs may be there by chance
)

// byDeclaration returns the declared encoding where the bytes are valid in it. UTF-8 goes before an encoding of single bytes, in
// which every file is valid.
func byDeclaration(sample []byte, declared string) string {
	e, name, ok := find(declared)
	if declared == "" || !ok || strings.HasPrefix(name, "UTF-16") || strings.HasPrefix(name, "UTF-32") {
		return "" // the declaration itself could not be read in it
	}
	isUTF8 := utf8.Valid(sample) || mostlyUTF8(sample)
	if name == UTF8 {
		if isUTF8 {
			return name
		}
		return ""
	}
	if singleByte(name) {
		if isUTF8 && !ascii(sample) {
			return UTF8
		}
		return name
	}
	text, err := e.NewDecoder().Bytes(sample)
	bad := bytes.Count(text, []byte(string(utf8.RuneError)))
	if err != nil || bad*maxBad > utf8.RuneCount(text) {
		return ""
	}
	return name
}

func ascii(raw []byte) bool {
	return bytes.IndexFunc(raw, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// mostlyUTF8 reports whether a text is in UTF-8 with at most a few wrong bytes.
func mostlyUTF8(raw []byte) bool {
	good, bad := 0, 0
	for len(raw) > 0 {
		r, size := utf8.DecodeRune(raw)
		switch {
		case r == utf8.RuneError && size == 1:
			bad++
		case size > 1:
			good++
		}
		raw = raw[size:]
	}
	return bad*badInGood <= good
}

// badInGood is how many good characters of more than one byte must stand beside each wrong byte of UTF-8. In other encodings
// nearly all of them are wrong.
const badInGood = 3

const (
	headBytes   = 4 << 10   // of a sample, from the start of the file
	sampleBytes = 12 << 10  // of a sample
	scanBytes   = 256 << 20 // in which the lines of a sample are looked for
)

// Sample returns the start of a file and those of its lines that decide on its encoding: those with bytes beyond ASCII.
func Sample(r io.Reader) ([]byte, error) {
	in := bufio.NewReaderSize(io.LimitReader(r, scanBytes), headBytes)
	sample := make([]byte, headBytes)
	n, err := io.ReadFull(in, sample)
	if sample = sample[:n]; err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return sample, nil
		}
		return nil, err
	}
	sample = finishLine(in, sample)
	for {
		line, err := in.ReadSlice('\n')
		if !ascii(line) {
			sample = append(sample, line...)
		}
		if errors.Is(err, io.EOF) || len(sample) > sampleBytes {
			return sample, nil
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
	}
}

// finishLine adds the rest of the line in which a sample ends, so that no character is cut.
func finishLine(in *bufio.Reader, sample []byte) []byte {
	for {
		line, err := in.ReadSlice('\n')
		sample = append(sample, line...)
		if !errors.Is(err, bufio.ErrBufferFull) || len(sample) > sampleBytes {
			return sample
		}
	}
}

func sampleOf(raw []byte) []byte {
	sample, _ := Sample(bytes.NewReader(raw)) // bytes in memory cannot fail
	return sample
}

// likely returns the encoding in which a text looks most like what people write.
func likely(sample []byte) string {
	confidence := map[string]float64{}
	for _, r := range chardet.DetectAll(sample) {
		if _, name, ok := find(r.Charset); ok {
			confidence[name] = max(confidence[name], r.Confidence)
		}
	}
	best, highest := "windows-1252", -1e9
	for _, c := range candidates() {
		score, ok := c.plausible(sample)
		if score += trust * confidence[c.name]; ok && score > highest {
			best, highest = c.name, score
		}
	}
	return best
}

// trust is how much the detector counts beside the letters of a text: it is weak for a few words.
const trust = 0.1
