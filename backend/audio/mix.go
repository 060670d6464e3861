package audio

// The mean of all channels cancels a channel in opposite phase, as of a microphone that is wired wrongly. It counts as cancelled
// when its energy is below this part of what the loudest channel alone would leave in the mean, and as whole again above the
// other one, so that the choice does not change with each window.
const (
	cancelledPart = 0.3
	wholePart     = 0.6
)

const (
	mixesPerSecond = 10    // windows in which the channels are compared
	mixFades       = 10    // parts of a window in one of which the choice changes, so that it does not click
	mixFloor       = 1e-10 // of the energy, -100 dBFS: silence changes nothing
	meanOfAll      = -1    // the choice of no single channel
	louderPart     = 2     // times the energy of the chosen channel, from which another one is chosen
	mixFrames      = 100   // in the shortest window
)

// mixer makes one channel of audio that arrives in pieces: the mean of all channels or, while that is cancelled, the loudest
// one. The result does not depend on the pieces. Memory is that of a window.
type mixer struct {
	channels int
	window   int // frames
	emit     func([]float32) error
	held     []float32
	out      []float32
	choice   int
	last     int // channel that was chosen before
	started  bool
}

// newMixer returns a mixer of interleaved channels at rate Hz. emit must not keep its argument.
func newMixer(rate, channels int, emit func([]float32) error) *mixer {
	return &mixer{
		channels: channels, window: max(mixFrames, rate/mixesPerSecond), emit: emit, choice: meanOfAll, last: meanOfAll,
	}
}

// write mixes the windows that are complete. Errors are those of emit.
func (m *mixer) write(samples []float32) error {
	if m.channels == 1 {
		return m.emit(samples)
	}
	size := m.window * m.channels
	for len(samples) > 0 {
		n := min(size-len(m.held), len(samples))
		m.held, samples = append(m.held, samples[:n]...), samples[n:]
		if len(m.held) == size {
			if err := m.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// close mixes the last window, which may be shorter. Errors are those of emit.
func (m *mixer) close() error {
	if len(m.held) == 0 {
		return nil
	}
	return m.flush()
}

func (m *mixer) flush() error {
	frames := len(m.held) / m.channels
	m.out = m.out[:0]
	for i := range frames {
		m.out = append(m.out, m.mean(i))
	}
	from := m.choice
	if frames == m.window || !m.started { // the rest of the audio is too short to say more
		m.choose()
	}
	if !m.started { // there is nothing to fade from
		from, m.started = m.choice, true
	}
	if from != meanOfAll || m.choice != meanOfAll {
		fade := max(1, m.window/mixFades)
		for i := range m.out {
			part := min(float32(i+1)/float32(fade), 1)
			m.out[i] = m.sample(i, from)*(1-part) + m.sample(i, m.choice)*part
		}
	}
	m.held = m.held[:0]
	return m.emit(m.out)
}

// mean returns the mean of a frame.
func (m *mixer) mean(frame int) float32 {
	var sum float32
	for _, x := range m.held[frame*m.channels : (frame+1)*m.channels] {
		sum += x
	}
	return sum / float32(m.channels)
}

// sample returns the sample of a frame by a choice. While it fades, m.out is still the mean from there on.
func (m *mixer) sample(frame, choice int) float32 {
	if choice == meanOfAll {
		return m.out[frame]
	}
	return m.held[frame*m.channels+choice]
}

// choose makes the choice for the held window.
func (m *mixer) choose() {
	energies := make([]float64, m.channels)
	for i, x := range m.held {
		energies[i%m.channels] += float64(x) * float64(x)
	}
	var mean float64
	for _, x := range m.out {
		mean += float64(x) * float64(x)
	}
	loudest := 0
	for c, e := range energies {
		if e > energies[loudest] {
			loudest = c
		}
	}
	if energies[loudest] < mixFloor*float64(len(m.out)) {
		return
	}
	alone := energies[loudest] / float64(m.channels*m.channels) // what it would be in the mean
	switch {
	case m.choice == meanOfAll && mean >= cancelledPart*alone:
		return
	case mean >= wholePart*alone:
		m.choice = meanOfAll
		return
	case m.last == meanOfAll || energies[loudest] > louderPart*energies[m.last]:
		m.last = loudest
	}
	m.choice = m.last
}
