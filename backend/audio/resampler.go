package audio

// resampler is Resample for audio that arrives in pieces: all results together are those of Resample for all pieces together,
// bit by bit, in memory for one piece and one filter length. It resamples one channel.
type resampler struct {
	filter  *polyphase // nil for equal rates
	emit    func([]float32) error
	held    []float32 // the input from sample first on
	out     []float32
	first   int64 // index of held[0]
	at      int64 // next output sample in the input: at + frac/up
	frac    int
	written int64 // output samples
}

// newResampler returns a resampler whose results go to emit, which must not keep them.
func newResampler(from, to int, emit func([]float32) error) *resampler {
	r := &resampler{emit: emit}
	if from != to {
		r.filter = newPolyphase(from, to)
	}
	return r
}

// write resamples one more piece as far as the filter reaches. Errors are those of emit.
func (r *resampler) write(samples []float32) error {
	if r.filter == nil {
		return r.send(samples)
	}
	r.held = append(r.held, samples...)
	end := r.first + int64(len(r.held))
	r.out = r.out[:0]
	for r.at+int64(r.filter.half) < end {
		r.step()
	}
	if drop := r.at - int64(r.filter.half) + 1 - r.first; drop > 0 {
		drop = min(drop, int64(len(r.held)))
		r.held = r.held[:copy(r.held, r.held[drop:])]
		r.first += drop
	}
	return r.send(r.out)
}

// close resamples what the filter held back. Errors are those of emit.
func (r *resampler) close() error {
	if r.filter == nil {
		return nil
	}
	r.out = r.out[:0]
	for total := r.filter.length(r.first + int64(len(r.held))); r.written < total; {
		r.step()
	}
	return r.send(r.out)
}

func (r *resampler) step() {
	r.out = append(r.out, r.filter.sample(r.held, int(r.at-r.first), r.frac))
	r.written++
	r.frac += r.filter.down
	r.at += int64(r.frac / r.filter.up)
	r.frac %= r.filter.up
}

func (r *resampler) send(samples []float32) error {
	if len(samples) == 0 {
		return nil
	}
	return r.emit(samples)
}
