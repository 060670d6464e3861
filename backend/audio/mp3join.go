package audio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/voicewright/voicewright/backend"
)

// MP3Part is a file of JoinMP3.
type MP3Part struct {
	Path  string
	Pause time.Duration // silence before it
}

// JoinedMP3 is the format and the length of a joined file, and where the audio of each part is in it.
type JoinedMP3 struct {
	Info
	Spans []Span
}

// JoinMP3 writes the frames of MP3 files, of one sample rate and number of channels, to w as one file, without decoding them. Pauses
// are silent frames, so they are rounded to frames (26.12 ms at 44.1 kHz), and not shorter than the silence that the encoder
// put between the parts; end is the pause after the last part. The result says where each part really is. The file begins with a
// frame (Info) that states its length. Errors: those of NewMP3Reader, a *FormatError of class unsupported for parts of different
// formats, those of the files, backend.ErrCancelled soon after ctx ends.
func JoinMP3(ctx context.Context, w io.WriteSeeker, parts []MP3Part, end time.Duration) (JoinedMP3, error) {
	start, err := w.Seek(0, io.SeekCurrent)
	if err != nil {
		return JoinedMP3{}, fmt.Errorf("join mp3: %w", err)
	}
	j := &mp3Joiner{w: w}
	for i, p := range parts {
		if err := j.append(ctx, p, i == 0); err != nil {
			return JoinedMP3{}, err
		}
	}
	if j.encoder == nil {
		return JoinedMP3{}, errNoAudio
	}
	if err := j.close(start, end); err != nil {
		return JoinedMP3{}, err
	}
	return j.joined, nil
}

// mp3Joiner writes one stream of frames. Positions are in samples of each channel as a decoder returns them, before it leaves out
// the silence of the encoder.
type mp3Joiner struct {
	w       io.WriteSeeker
	header  mp3Header // of the first frame
	sample  []byte    // header of the first frame
	encoder *mp3Tag   // of the first part
	offsets []int64   // where each frame begins, in bytes from the Info frame
	bytes   int64     // with the Info frame
	crc     mp3CRC    // of the audio frames
	mixed   bool      // the frames have different bit rates
	end     int64     // where the audio of the last part ends
	joined  JoinedMP3
}

// append writes the frames of a part.
func (j *mp3Joiner) append(ctx context.Context, p MP3Part, first bool) error {
	f, size, err := openMedia(p.Path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	m, err := NewMP3Reader(io.LimitReader(f, size))
	if err != nil {
		return err
	}
	if first {
		if err := j.begin(m.scan); err != nil {
			return err
		}
	} else if !m.scan.header.like(j.header) {
		return formatErrorf(ClassUnsupported, "parts at %d Hz with %d channels and at %d Hz with %d",
			j.header.rate, j.header.channels, m.Rate(), m.Channels())
	}
	if err := j.pause(p.Pause, m.scan.tag.lead()); err != nil {
		return err
	}
	at := j.position() + int64(m.scan.tag.lead())
	if err := j.copy(ctx, m.scan); err != nil {
		return err
	}
	m.end()
	j.end = max(at, j.position()-int64(m.trail))
	if tag := m.scan.tag; tag.encoder != "" && !m.scan.cut {
		j.end = max(at, j.position()+mp3DecoderDelay-int64(tag.padding))
	}
	j.joined.Spans = append(j.joined.Spans, Span{Start: at, End: j.end})
	return nil
}

// begin writes room for the Info frame.
func (j *mp3Joiner) begin(s *mp3Scanner) error {
	b, h, err := s.peek()
	if err != nil {
		return formatErrorf(ClassDamaged, "it has no frames of audio")
	}
	j.header, j.encoder = h, &s.tag
	j.sample = append([]byte(nil), b[:mp3HeaderBytes]...)
	j.joined.Info = Info{Rate: s.header.rate, Channels: s.header.channels}
	return j.write(make([]byte, len(j.info())))
}

// copy writes all frames of a file. A frame that needs data of frames that the file lacks is silent, as in the file itself.
func (j *mp3Joiner) copy(ctx context.Context, s *mp3Scanner) error {
	var held mp3Reservoir
	for {
		if err := ctx.Err(); err != nil {
			return backend.ErrCancelled.WithCause(err)
		}
		frame, h, err := s.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		frame = held.frame(frame, h)
		if err := j.frame(frame, h); err != nil {
			return err
		}
	}
}

// frame writes a frame of audio.
func (j *mp3Joiner) frame(frame []byte, h mp3Header) error {
	j.mixed = j.mixed || h.bitRate != j.header.bitRate
	j.offsets = append(j.offsets, j.bytes)
	j.crc.write(frame)
	return j.write(frame)
}

func (j *mp3Joiner) write(b []byte) error {
	n, err := j.w.Write(b)
	j.bytes += int64(n)
	if err != nil {
		return fmt.Errorf("join mp3: %w", err)
	}
	return nil
}

// position returns where the next frame begins, in samples.
func (j *mp3Joiner) position() int64 { return int64(len(j.offsets) * j.header.samples()) }

// pause writes silent frames, so that audio that comes lead samples after them begins a pause after the end of the last one.
func (j *mp3Joiner) pause(d time.Duration, lead int) error {
	if len(j.offsets) == 0 {
		lead = 0 // the silence before the first part is left out
	}
	samples := d.Seconds()*float64(j.header.rate) - float64(j.position()+int64(lead)-j.end)
	for range int(math.Round(samples / float64(j.header.samples()))) {
		if err := j.frame(j.silent(), j.header); err != nil {
			return err
		}
	}
	return nil
}

// silent returns a frame of silence.
func (j *mp3Joiner) silent() []byte {
	const noCRC, padding = 1, 2
	frame := make([]byte, j.header.size-int(j.sample[2]>>1&1))
	copy(frame, j.sample)
	frame[1] |= noCRC
	frame[2] &^= padding
	return frame
}

// close writes the last pause and the Info frame.
func (j *mp3Joiner) close(start int64, pause time.Duration) error {
	end := j.end + int64(math.Round(pause.Seconds()*float64(j.header.rate)))
	for j.position() < end {
		if err := j.frame(j.silent(), j.header); err != nil {
			return err
		}
	}
	lead := int64(j.encoder.lead())
	if lead == 0 {
		end = j.position()
	}
	padding := j.position() + mp3DecoderDelay - end
	if padding > maxMP3Padding {
		padding = maxMP3Padding
		end = j.position() + mp3DecoderDelay - padding
	}
	j.encoder.padding, j.encoder.frames = int(padding), int64(len(j.offsets))
	for i := range j.joined.Spans {
		j.joined.Spans[i].Start -= lead
		j.joined.Spans[i].End = min(j.joined.Spans[i].End, end) - lead
	}
	j.joined.Frames = end - lead
	if _, err := j.w.Seek(start, io.SeekStart); err != nil {
		return fmt.Errorf("join mp3: %w", err)
	}
	if _, err := j.w.Write(j.info()); err != nil {
		return fmt.Errorf("join mp3: %w", err)
	}
	_, err := j.w.Seek(start+j.bytes, io.SeekStart)
	if err != nil {
		return fmt.Errorf("join mp3: %w", err)
	}
	return nil
}
