package ggml

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
)

// What every model has, as whisper.cpp expects it.
const (
	magic        = 0x67676d6c // "ggml"
	audioContext = 1500       // positions of the encoder, 30 s
	textContext  = 448        // positions of the decoder
	bins         = 201        // of the spectrum: 1 + 400/2 samples of a frame
	maxLayers    = 32
	maxState     = 1280
	minTokens    = 50256 // of text in the vocabulary; the library adds the special ones
	maxToken     = 1024  // bytes of a token; the longest known has 128
	version      = 1000  // FileType is this times the version of the quantisation, plus the type
	maxVersion   = 2
)

// order is the byte order of the files.
var order = binary.LittleEndian

// Parse reads the header of a model of size bytes and checks that vocabulary and weights are complete and as the header
// demands, and that the file ends with them. Error: *FormatError.
func Parse(r io.ReaderAt, size int64) (Model, error) {
	p := &parser{r: r, size: size}
	m := p.header()
	p.filters(m)
	p.vocabulary(m)
	p.tensors(m)
	if p.err != nil {
		return Model{}, p.err
	}
	return m, nil
}

// parser reads a file from the start to the end, and stores the first error.
type parser struct {
	r    io.ReaderAt
	size int64
	at   int64
	err  error
}

func (p *parser) fail(at int64, format string, args ...any) {
	if p.err == nil {
		p.err = &FormatError{Offset: at, Reason: fmt.Sprintf(format, args...)}
	}
}

// read reads into buf; what names the part of the file.
func (p *parser) read(buf []byte, what string) bool {
	if p.err != nil {
		return false
	}
	if int64(len(buf)) > p.size-p.at {
		p.fail(p.size, "it ends within %s", what)
		return false
	}
	if n, err := p.r.ReadAt(buf, p.at); n < len(buf) {
		p.fail(p.at+int64(n), "%s cannot be read: %v", what, err)
		return false
	}
	p.at += int64(len(buf))
	return true
}

// skip moves on by n bytes, which must be there.
func (p *parser) skip(n int64, what string) {
	if p.err == nil && n > p.size-p.at {
		p.fail(p.size, "it ends within %s", what)
		return
	}
	p.at += n
}

// header reads and checks the numbers at the start.
func (p *parser) header() (m Model) {
	var raw [12 * 4]byte
	if !p.read(raw[:4], "its header") {
		return m
	}
	if order.Uint32(raw[:]) != magic {
		p.fail(0, "it is not a Whisper model in the ggml format")
		return m
	}
	if !p.read(raw[4:], "its header") {
		return m
	}
	number := func(i int) int { return int(int32(order.Uint32(raw[4*i:]))) } //nolint:gosec // the format has signed numbers
	m = Model{
		Vocabulary: number(1), AudioState: number(3), AudioHeads: number(4), AudioLayers: number(5),
		TextState: number(7), TextHeads: number(8), TextLayers: number(9), Mels: number(10), FileType: number(11) % version,
	}
	need := func(i int, ok bool, name string) {
		if !ok {
			p.fail(int64(4*i), "its header has the wrong %s %d", name, number(i))
		}
	}
	quantised := number(11) / version
	need(1, m.Vocabulary >= multilingual-1 && m.Vocabulary <= multilingual+1, "size of the vocabulary")
	need(2, number(2) == audioContext, "number of audio positions")
	need(3, m.AudioState >= 1 && m.AudioState <= maxState, "audio width")
	need(4, divides(m.AudioHeads, m.AudioState), "number of audio heads")
	need(5, m.AudioLayers >= 1 && m.AudioLayers <= maxLayers, "number of audio layers")
	need(6, number(6) == textContext, "number of text positions")
	need(7, m.TextState == m.AudioState, "text width")
	need(8, divides(m.TextHeads, m.TextState), "number of text heads")
	need(9, m.TextLayers >= 1 && m.TextLayers <= maxLayers, "number of text layers")
	need(10, m.Mels == 80 || m.Mels == 128, "number of mel bands")
	weights, known := weightTypes[m.FileType]
	need(11, known && quantised >= 0 && quantised <= maxVersion, "file type")
	need(3, !known || m.AudioState%weights.block == 0, "audio width for quantised weights")
	return m
}

func divides(heads, state int) bool { return heads >= 1 && heads <= state && state%heads == 0 }

// filters skips the mel filters, whose size must be that of the header.
func (p *parser) filters(m Model) {
	var raw [8]byte
	at := p.at
	if !p.read(raw[:], "its mel filters") {
		return
	}
	bands, width := order.Uint32(raw[:]), order.Uint32(raw[4:])
	if int64(bands) != int64(m.Mels) || width != bins {
		p.fail(at, "its mel filters are %d by %d, not %d by %d", bands, width, m.Mels, bins)
		return
	}
	p.skip(int64(m.Mels)*bins*4, "its mel filters")
}

// vocabulary reads the texts of the tokens. whisper.cpp ends the process if the token of a space is missing.
func (p *parser) vocabulary(m Model) {
	const what = "its vocabulary"
	var raw [4]byte
	at := p.at
	if !p.read(raw[:], what) {
		return
	}
	count := int64(order.Uint32(raw[:]))
	if count < minTokens || count > int64(m.Vocabulary) {
		p.fail(at, "%s has %d tokens, not %d to %d", what, count, minTokens, m.Vocabulary)
		return
	}
	text := bufio.NewReaderSize(io.NewSectionReader(p.r, p.at, p.size-p.at), 64<<10)
	space := false
	for i := range count {
		length, token := p.token(text, i)
		if p.err != nil {
			return
		}
		space = space || string(token) == " "
		p.at += 4 + int64(length)
	}
	if !space {
		p.fail(at, "%s has no token for a space", what)
	}
}

// token reads one token of the vocabulary; its bytes are valid until the next call.
func (p *parser) token(text *bufio.Reader, i int64) (length int, token []byte) {
	head, err := text.Peek(4)
	if err == nil {
		size := order.Uint32(head)
		if size > maxToken {
			p.fail(p.at, "the token %d of its vocabulary has %d bytes", i, size)
			return 0, nil
		}
		length = int(size)
		token, err = text.Peek(4 + length)
	}
	if err != nil {
		p.fail(p.size, "it ends within its vocabulary")
		return 0, nil
	}
	_, _ = text.Discard(4 + length) // it was peeked
	return length, token[4:]
}
