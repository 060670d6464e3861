package recordings

import "sync/atomic"

// ring passes samples from the thread of the sound system to the goroutine that stores them. One side writes and one reads;
// neither ever waits or allocates.
type ring struct {
	samples []float32 // its length is a power of two
	written atomic.Uint64
	read    atomic.Uint64
	dropped atomic.Uint64
}

// newRing returns a ring for size samples, a power of two.
func newRing(size int) *ring { return &ring{samples: make([]float32, size)} }

// put stores samples. Samples that do not fit are dropped and counted.
func (r *ring) put(samples []float32) {
	written := r.written.Load()
	free := len(r.samples) - int(written-r.read.Load())
	if n := len(samples) - free; n > 0 {
		r.dropped.Add(uint64(n))
		samples = samples[:free]
	}
	at := int(written) & (len(r.samples) - 1)
	n := copy(r.samples[at:], samples)
	copy(r.samples, samples[n:])
	r.written.Store(written + uint64(len(samples)))
}

// take moves up to len(dst) samples to dst and returns how many.
func (r *ring) take(dst []float32) int {
	read := r.read.Load()
	n := min(len(dst), int(r.written.Load()-read))
	at := int(read) & (len(r.samples) - 1)
	first := copy(dst[:n], r.samples[at:])
	copy(dst[first:n], r.samples)
	r.read.Store(read + uint64(n))
	return n
}
