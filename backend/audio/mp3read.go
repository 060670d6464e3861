package audio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	mp3 "github.com/hajimehoshi/go-mp3"

	"github.com/voicewright/voicewright/backend"
)

// MP3Reader reads the samples of an MP3 file (MPEG 1 and 2, Layer III) piece by piece, with flat memory and without ffmpeg. The
// silence that the encoder put before and after the audio is left out where the file states it, as ffmpeg does. A damaged frame
// is silence, and a file that is cut off is read as far as it goes.
type MP3Reader struct {
	scan    *mp3Scanner
	decoder *mp3.Decoder // nil at the start and after a damaged frame
	frame   bytes.Reader // the source of decoder: one frame
	padded  paddedMP3
	held    mp3Reservoir
	decoded int64 // frames that could be decoded

	pcm   []byte    // of one frame: 16 bits, two channels
	ready []float32 // decoded samples, of which the last trail frames may be silence of the encoder
	lead  int       // frames of silence that come first
	trail int
	ended bool
}

// pcmFrameBytes is the size of a sample of go-mp3: two channels of 16 bits, also for mono.
const pcmFrameBytes = 4

// NewMP3Reader reads tags and header of an MP3 file. Errors: a *FormatError of class not_mp3 for another file, of class
// unsupported for MPEG 2.5; that of r.
func NewMP3Reader(r io.Reader) (*MP3Reader, error) {
	scan, err := newMP3Scanner(r)
	if err != nil {
		return nil, err
	}
	if scan.header.version == 25 {
		return nil, formatErrorf(ClassUnsupported, "MP3 at %d Hz (MPEG 2.5)", scan.header.rate)
	}
	return &MP3Reader{
		scan: scan, lead: scan.tag.lead(), trail: scan.tag.trail(),
		pcm: make([]byte, scan.header.samples()*pcmFrameBytes),
	}, nil
}

// Rate returns the sample rate in Hz.
func (m *MP3Reader) Rate() int { return m.scan.header.rate }

// Channels returns the number of interleaved channels, 1 or 2.
func (m *MP3Reader) Channels() int { return m.scan.header.channels }

// Read fills dst with interleaved samples, whole frames only, and returns their number, at the end 0 and io.EOF. dst must be large
// enough for a frame. Errors: a *FormatError of class damaged for a file in which no frame can be decoded, that of the file.
func (m *MP3Reader) Read(dst []float32) (int, error) {
	size := len(dst) / m.Channels() * m.Channels()
	if size == 0 {
		return 0, errors.New("read mp3: no room for a frame")
	}
	for m.available() == 0 && !m.ended {
		if err := m.fill(); err != nil {
			return 0, err
		}
	}
	n := copy(dst[:size], m.ready[:m.available()])
	m.ready = m.ready[:copy(m.ready, m.ready[n:])]
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// available returns how many samples can be returned.
func (m *MP3Reader) available() int { return max(0, len(m.ready)-m.trail*m.Channels()) }

// fill decodes the next frame, if there is one.
func (m *MP3Reader) fill() error {
	frame, h, err := m.scan.next()
	if errors.Is(err, io.EOF) {
		m.end()
		if m.decoded == 0 {
			return formatErrorf(ClassDamaged, "no part of it can be decoded")
		}
		return nil
	}
	if err != nil {
		return err
	}
	if err := m.decode(frame, h); err != nil {
		clear(m.pcm)
		m.decoder, m.held = nil, mp3Reservoir{}
	} else {
		m.decoded++
	}
	m.keep()
	return nil
}

// end ends the audio. A file that was cut off lacks the silence at its end.
func (m *MP3Reader) end() {
	m.ended = true
	if m.scan.cut {
		m.trail = 0
	}
}

// decode decodes a frame into m.pcm. A frame that needs data of lost frames is silence, because go-mp3 would decode noise.
func (m *MP3Reader) decode(frame []byte, h mp3Header) error {
	if h.version == 2 && h.rate == 22_050 {
		frame = m.padded.rewrite(frame, h)
	} else {
		frame = m.held.frame(frame, h)
	}
	m.frame.Reset(frame)
	return backend.Contain(func() (err error) {
		if m.decoder == nil {
			if m.decoder, err = mp3.NewDecoder(struct{ io.Reader }{&m.frame}); err != nil {
				return fmt.Errorf("decode mp3: %w", err)
			}
		}
		if _, err := io.ReadFull(m.decoder, m.pcm); err != nil {
			return fmt.Errorf("decode mp3: %w", err)
		}
		return nil
	})
}

// keep appends the decoded samples, without the silence of the encoder at the start.
func (m *MP3Reader) keep() {
	drop := min(m.lead, len(m.pcm)/pcmFrameBytes)
	m.lead -= drop
	for pcm := m.pcm[drop*pcmFrameBytes:]; len(pcm) > 0; pcm = pcm[pcmFrameBytes:] {
		for c := range m.Channels() {
			m.ready = append(m.ready, float32(int16(binary.LittleEndian.Uint16(pcm[2*c:])))/(1<<15))
		}
	}
}

// ProbeMP3 returns the format and the length of an MP3 file that begins at the current position of r, as NewMP3Reader reads it. It
// reads all frame headers, as the length that a file states may be wrong. Errors are those of NewMP3Reader.
func ProbeMP3(r io.Reader) (Info, error) {
	m, err := NewMP3Reader(r)
	if err != nil {
		return Info{}, err
	}
	for {
		_, _, err := m.scan.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return Info{}, err
		}
	}
	m.end()
	length := m.scan.frames*int64(m.scan.header.samples()) - int64(m.lead) - int64(m.trail)
	return Info{Rate: m.Rate(), Channels: m.Channels(), Frames: max(0, length)}, nil
}

// Probe returns the format and the length of a WAV or MP3 file that begins at the current position of r. It changes the position.
// Errors are those of NewWAVReader and NewMP3Reader.
func Probe(r io.ReadSeeker) (Info, error) {
	start, err := r.Seek(0, io.SeekCurrent)
	if err != nil {
		return Info{}, fmt.Errorf("probe audio: %w", err)
	}
	info, err := ProbeWAV(r)
	if !isClass(err, ClassNotWAV, ClassUnsupported) {
		return info, err
	}
	if _, err := r.Seek(start, io.SeekStart); err != nil {
		return Info{}, fmt.Errorf("probe audio: %w", err)
	}
	return ProbeMP3(r)
}
