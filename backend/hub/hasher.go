package hub

import (
	"github.com/voicewright/voicewright/backend"
)

// hasher hashes blocks in order while others are read.
type hasher struct {
	free, full chan []byte
	done       chan struct{}
}

const (
	blocks    = 6
	blockSize = 512 << 10 // bytes read at once
)

func startHasher(d *digest) *hasher {
	h := &hasher{free: make(chan []byte, blocks), full: make(chan []byte, blocks), done: make(chan struct{})}
	for range blocks {
		h.free <- make([]byte, blockSize)
	}
	go func() {
		defer close(h.done)
		for block := range h.full {
			_ = backend.Contain(func() error { // a failed digest becomes a wrong checksum
				_, err := d.Write(block)
				return err
			})
			h.free <- block[:blockSize]
		}
	}()
	return h
}

// wait blocks until all blocks are hashed.
func (h *hasher) wait() {
	var all [blocks][]byte
	for i := range all {
		all[i] = <-h.free
	}
	for _, block := range all {
		h.free <- block
	}
}

func (h *hasher) close() {
	close(h.full)
	<-h.done
}
