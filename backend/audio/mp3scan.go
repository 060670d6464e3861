package audio

import (
	"bufio"
	"fmt"
	"io"
)

const (
	mp3Search   = 64 << 10 // bytes in which the first frame must begin, after the tags
	mp3Sequence = 3        // frames in a row that make a file an MP3 file
	mp3Buffer   = mp3Search + (mp3Sequence+1)*maxMP3FrameBytes
)

// mp3Scanner reads the frames of an MP3 file one by one, without ID3 and other tags. Frames of another rate or number of channels
// than the first one, incomplete frames and bytes between frames are left out.
type mp3Scanner struct {
	r      *bufio.Reader
	header mp3Header // of the first frame
	tag    mp3Tag
	frames int64 // returned so far
	cut    bool  // the file ended within a frame
}

// newMP3Scanner finds the first frame. Errors: a FormatError of class not_mp3 for another file, that of r.
func newMP3Scanner(r io.Reader) (*mp3Scanner, error) {
	s := &mp3Scanner{r: bufio.NewReaderSize(r, mp3Buffer)}
	if err := s.skipID3(); err != nil {
		return nil, err
	}
	b, err := s.r.Peek(mp3Buffer)
	if err != nil && !ended(err) {
		return nil, fmt.Errorf("read mp3: %w", err)
	}
	at, h := findMP3(b, nil, mp3Sequence, err != nil)
	if at < 0 || at > mp3Search {
		return nil, formatErrorf(ClassNotMP3, "it has no frames of MPEG audio, Layer III")
	}
	s.header = h
	if _, err := s.r.Discard(at); err != nil {
		return nil, fmt.Errorf("read mp3: %w", err)
	}
	tag, ok := parseMP3Tag(b[at:at+h.size], h)
	if !ok {
		return s, nil
	}
	s.tag = tag
	_, err = s.r.Discard(h.size)
	return s, err
}

// skipID3 skips the ID3v2 tags at the start.
func (s *mp3Scanner) skipID3() error {
	const headerBytes, footerFlag = 10, 0x10
	for {
		b, err := s.r.Peek(headerBytes)
		if err != nil && !ended(err) {
			return fmt.Errorf("read mp3: %w", err)
		}
		if len(b) < headerBytes || string(b[:3]) != "ID3" {
			return nil
		}
		size := int64(b[6]&0x7F)<<21 | int64(b[7]&0x7F)<<14 | int64(b[8]&0x7F)<<7 | int64(b[9]&0x7F) + headerBytes
		if b[5]&footerFlag != 0 {
			size += headerBytes
		}
		if _, err := io.CopyN(io.Discard, s.r, size); err != nil {
			if ended(err) {
				return formatErrorf(ClassNotMP3, "it ends in its ID3 tag")
			}
			return fmt.Errorf("read mp3: %w", err)
		}
	}
}

// next returns the next frame, which is valid until the next call; io.EOF after the last complete one.
func (s *mp3Scanner) next() ([]byte, mp3Header, error) {
	b, h, err := s.peek()
	if err != nil {
		return nil, h, err
	}
	s.frames++
	_, err = s.r.Discard(h.size)
	return b, h, err
}

// peek is next, but the frame stays.
func (s *mp3Scanner) peek() ([]byte, mp3Header, error) {
	for {
		b, err := s.r.Peek(maxMP3FrameBytes)
		if err != nil && !ended(err) {
			return nil, mp3Header{}, fmt.Errorf("read mp3: %w", err)
		}
		h, ok := parseMP3Header(b)
		if ok && h.like(s.header) {
			if len(b) < h.size {
				s.cut = true
				return nil, h, io.EOF
			}
			return b[:h.size], h, nil
		}
		if err := s.resync(); err != nil {
			return nil, mp3Header{}, err
		}
	}
}

// resync moves to the next frame that another one follows.
func (s *mp3Scanner) resync() error {
	for {
		b, err := s.r.Peek(mp3Buffer)
		if err != nil && !ended(err) {
			return fmt.Errorf("read mp3: %w", err)
		}
		if at, _ := findMP3(b, &s.header, 2, err != nil); at >= 0 {
			_, err := s.r.Discard(at)
			return err
		}
		if err != nil {
			return io.EOF
		}
		if _, err := s.r.Discard(len(b) - 2*maxMP3FrameBytes); err != nil {
			return fmt.Errorf("read mp3: %w", err)
		}
	}
}

// findMP3 returns where n frames in a row begin, of the stream of like if it is not nil, and the header of the first; -1 if
// there are none. Fewer are enough if b is the end of the file and ends with them.
func findMP3(b []byte, like *mp3Header, n int, end bool) (int, mp3Header) {
	for at := 0; at+mp3HeaderBytes <= len(b); at++ {
		if b[at] != 0xFF {
			continue
		}
		h, ok := parseMP3Header(b[at:])
		if ok && (like == nil || h.like(*like)) && mp3Follow(b, at+h.size, h, n-1, end) {
			return at, h
		}
	}
	return -1, mp3Header{}
}

// mp3Follow reports whether n frames of the stream of h begin at an offset of b.
func mp3Follow(b []byte, at int, h mp3Header, n int, end bool) bool {
	for ; n > 0; n-- {
		if at >= len(b) {
			return end && at == len(b)
		}
		next, ok := parseMP3Header(b[at:])
		if !ok || !next.like(h) {
			return false
		}
		at += next.size
	}
	return true
}
