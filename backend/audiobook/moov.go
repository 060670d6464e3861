package audiobook

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"github.com/voicewright/voicewright/backend"
)

const (
	boxHeader = 8         // bytes: size and type
	maxIndex  = 512 << 20 // bytes of the index of a file (moov); that of a day has about 10 MB
	moveBlock = 1 << 20   // bytes of audio that are moved at a time
)

// errDamaged is about a file that ffmpeg has written in another way than it always does.
var errDamaged = errors.New("the file of ffmpeg has not the boxes that were expected")

// addMeta replaces the metadata of an MP4 file, whose index is at its end, and moves the index to the start, so that players need
// not read the whole file before they begin. The audio is moved within the file and not changed. Error: backend.ErrCancelled soon
// after ctx ends; the file is damaged after an error.
func addMeta(ctx context.Context, f *os.File, meta []byte) error {
	start, index, at, err := readIndex(f)
	if err != nil {
		return err
	}
	if at+2*int64(len(index)+len(meta)) > math.MaxUint32 {
		if index, err = widen(index); err != nil {
			return err
		}
	}
	pieces, err := replaceMeta(index, meta)
	if err != nil {
		return err
	}
	size := int64(binary.BigEndian.Uint32(pieces[0]))
	if err := shiftOffsets(index, size); err != nil {
		return err
	}
	if err := moveUp(ctx, f, start, at, size); err != nil {
		return err
	}
	if _, err := f.WriteAt(bytes.Join(pieces, nil), start); err != nil {
		return err
	}
	return f.Truncate(at + size)
}

// readIndex returns the moov box at the end of a file and where it begins, and where the first box ends.
func readIndex(f *os.File) (start int64, index []byte, at int64, err error) {
	info, err := f.Stat()
	if err != nil {
		return 0, nil, 0, err
	}
	for at < info.Size() {
		var head [16]byte
		if n, err := f.ReadAt(head[:], at); n < boxHeader {
			return 0, nil, 0, errors.Join(errDamaged, err)
		}
		size := int64(binary.BigEndian.Uint32(head[:]))
		if size == 1 {
			size = int64(min(binary.BigEndian.Uint64(head[boxHeader:]), math.MaxInt64))
		}
		if size < boxHeader || size > info.Size()-at {
			return 0, nil, 0, errDamaged
		}
		if string(head[4:8]) == "moov" && size < maxIndex && at+size == info.Size() && start > 0 {
			index = make([]byte, size)
			_, err := f.ReadAt(index, at)
			return start, index, at, err
		}
		if at == 0 {
			start = size
		}
		at += size
	}
	return 0, nil, 0, errDamaged
}

// moveUp moves the bytes [from, to) of a file up, from the last to the first.
func moveUp(ctx context.Context, f *os.File, from, to, by int64) error {
	block := make([]byte, moveBlock)
	for to > from {
		if err := ctx.Err(); err != nil {
			return backend.ErrCancelled.WithCause(err)
		}
		part := block[:min(moveBlock, to-from)]
		to -= int64(len(part))
		if _, err := io.ReadFull(io.NewSectionReader(f, to, int64(len(part))), part); err != nil {
			return fmt.Errorf("move the audio: %w", err)
		}
		if _, err := f.WriteAt(part, to+by); err != nil {
			return err
		}
	}
	return nil
}

// replaceMeta returns the pieces of a moov box with other metadata. What else the box of user data has stays, such as the chapters
// of Nero. The pieces are parts of index.
func replaceMeta(index, meta []byte) (pieces [][]byte, err error) {
	users := [][]byte{meta}
	err = eachBox(index[boxHeader:], func(kind string, child []byte) error {
		if kind != "udta" {
			pieces = append(pieces, child)
			return nil
		}
		return eachBox(child[boxHeader:], func(kind string, child []byte) error {
			if kind != "meta" {
				users = append(users, child)
			}
			return nil
		})
	})
	pieces = append(pieces, boxHead("udta", users...))
	pieces = append(pieces, users...)
	return append([][]byte{boxHead("moov", pieces...)}, pieces...), err
}

// shiftOffsets adds a number to the places of the audio that a box states.
func shiftOffsets(box []byte, by int64) error {
	return eachBox(box[boxHeader:], func(kind string, child []byte) error {
		switch kind {
		case "trak", "mdia", "minf", "stbl":
			return shiftOffsets(child, by)
		case "stco", "co64":
			table, size, err := offsets(kind, child)
			for ; len(table) >= size && err == nil; table = table[size:] {
				if size == 8 {
					binary.BigEndian.PutUint64(table, binary.BigEndian.Uint64(table)+uint64(by))
				} else {
					binary.BigEndian.PutUint32(table, binary.BigEndian.Uint32(table)+uint32(by))
				}
			}
			return err
		}
		return nil
	})
}

// widen returns a copy of a box in which places have 64 bits.
func widen(box []byte) ([]byte, error) {
	var body []byte
	err := eachBox(box[boxHeader:], func(kind string, child []byte) (err error) {
		switch kind {
		case "trak", "mdia", "minf", "stbl":
			child, err = widen(child)
		case "stco":
			table, size, failure := offsets(kind, child)
			wide := slices.Clone(child[boxHeader : boxHeader+tableHeader])
			for ; len(table) >= size && failure == nil; table = table[size:] {
				wide = binary.BigEndian.AppendUint64(wide, uint64(binary.BigEndian.Uint32(table)))
			}
			child, err = appendBox(nil, "co64", wide), failure
		}
		body = append(body, child...)
		return err
	})
	return appendBox(nil, string(box[4:boxHeader]), body), err
}

// tableHeader is what comes before the places in a box of them: version, flags and their number.
const tableHeader = 8

// offsets returns the places in a stco or co64 box, and the bytes of each.
func offsets(kind string, box []byte) (table []byte, size int, err error) {
	size = 4
	if kind == "co64" {
		size = 8
	}
	if len(box) < boxHeader+tableHeader {
		return nil, size, errDamaged
	}
	table = box[boxHeader+tableHeader:]
	if len(table) != size*int(binary.BigEndian.Uint32(box[boxHeader+4:])) {
		return nil, size, errDamaged
	}
	return table, size, nil
}

// eachBox calls f with the boxes in b, their headers included.
func eachBox(b []byte, f func(kind string, box []byte) error) error {
	for len(b) > 0 {
		if len(b) < boxHeader {
			return errDamaged
		}
		size := int(binary.BigEndian.Uint32(b))
		if size < boxHeader || size > len(b) {
			return errDamaged
		}
		if err := f(string(b[4:boxHeader]), b[:size:size]); err != nil {
			return err
		}
		b = b[size:]
	}
	return nil
}
