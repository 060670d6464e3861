package audio

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"

	"github.com/voicewright/voicewright/backend"
)

// copyWAV copies a WAV file and adds tags after its samples as a LIST chunk of type INFO. Files whose length
// does not fit into 32-bit sizes are copied as they are.
func copyWAV(ctx context.Context, src, dst string, tags []tag) (err error) {
	in, err := os.Open(src)
	if err != nil {
		return fmt.Errorf("copy wav: %w", err)
	}
	defer func() { _ = in.Close() }()
	h, err := readWAVHeader(bufio.NewReader(in))
	if err != nil {
		return err
	}
	info, err := in.Stat()
	if err != nil {
		return fmt.Errorf("copy wav: %w", err)
	}
	out, err := os.Create(dst)
	if err != nil {
		return fmt.Errorf("copy wav: %w", err)
	}
	defer func() {
		if e := out.Close(); e != nil && err == nil {
			err = fmt.Errorf("copy wav: %w", e)
		}
	}()
	data := info.Size() - h.dataAt
	if h.dataBytes >= 0 {
		data = min(data, h.dataBytes)
	}
	list := infoChunk(tags)
	whole := h.dataAt + padded(data) + int64(len(list))
	if len(list) == 0 || whole > unknownSize {
		return copySection(ctx, out, in, info.Size())
	}
	if err := copySection(ctx, out, in, h.dataAt+data); err != nil {
		return err
	}
	if _, err := out.Write(append(make([]byte, padded(data)-data), list...)); err != nil {
		return fmt.Errorf("copy wav: %w", err)
	}
	return patchSizes(out, uint32(whole-8), h.dataAt-4, uint32(data))
}

// patchSizes writes the sizes of the file and of its samples into a WAV file.
func patchSizes(w io.WriterAt, riff uint32, dataSizeAt int64, data uint32) error {
	if _, err := w.WriteAt(binary.LittleEndian.AppendUint32([]byte("RIFF"), riff), 0); err != nil {
		return fmt.Errorf("copy wav: %w", err)
	}
	if _, err := w.WriteAt(binary.LittleEndian.AppendUint32(nil, data), dataSizeAt); err != nil {
		return fmt.Errorf("copy wav: %w", err)
	}
	return nil
}

func copySection(ctx context.Context, w io.Writer, r io.ReaderAt, size int64) error {
	const block = 4 << 20
	for at := int64(0); at < size; at += block {
		if err := ctx.Err(); err != nil {
			return backend.ErrCancelled.WithCause(err)
		}
		if _, err := io.Copy(w, io.NewSectionReader(r, at, min(block, size-at))); err != nil {
			return fmt.Errorf("copy wav: %w", err)
		}
	}
	return nil
}

// InfoChunk returns the tags as a LIST chunk of type INFO, which belongs after the samples of a WAV file; nil if RIFF has no
// name for any of them. Error: a tag with an invalid name.
func InfoChunk(meta map[string]string) ([]byte, error) {
	tags, err := cleanTags(meta)
	return infoChunk(tags), err
}

// infoChunk returns a LIST chunk of the tags that RIFF has a name for, nil if there are none.
func infoChunk(tags []tag) []byte {
	names := map[string]string{
		"title": "INAM", "artist": "IART", "album": "IPRD", "comment": "ICMT", "date": "ICRD", "genre": "IGNR",
	}
	body := []byte("INFO")
	for _, t := range tags {
		id, ok := names[t.key]
		if !ok {
			continue
		}
		text := append([]byte(t.value), 0)
		body = binary.LittleEndian.AppendUint32(append(body, id...), uint32(len(text)))
		body = append(body, text...)
		if len(text)%2 == 1 {
			body = append(body, 0)
		}
	}
	if len(body) == len("INFO") {
		return nil
	}
	return append(binary.LittleEndian.AppendUint32([]byte("LIST"), uint32(len(body))), body...)
}
