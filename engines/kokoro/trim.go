package kokoro

// The frames on which silence is measured (librosa, effects.trim as kokoro-onnx 0.6.1 uses it).
const (
	trimHop    = 512
	trimFrame  = 4 * trimHop
	trimFloor  = 1e-10 // of the mean square; what is below counts as this
	trimFactor = 1e-6  // 60 dB below the loudest frame
)

// trim returns the part [from, to) of samples between silence at both ends: the frames that are less than 60 dB below the
// loudest one. Frames are centred on multiples of 512 samples, with zeros around the sound.
func trim(samples []float32) (from, to int) {
	blocks := make([]float64, len(samples)/trimHop+1)
	for i := range blocks {
		for _, v := range samples[i*trimHop : min((i+1)*trimHop, len(samples))] {
			blocks[i] += float64(v) * float64(v)
		}
	}
	power := func(frame int) float64 {
		sum := 0.0
		for _, b := range blocks[max(frame-2, 0):min(frame+2, len(blocks))] {
			sum += b
		}
		return max(sum/trimFrame, trimFloor)
	}
	limit := 0.0
	for i := range blocks {
		limit = max(limit, power(i)*trimFactor)
	}
	first, last := 0, len(blocks)-1
	for first < last && power(first) <= limit {
		first++
	}
	for last > first && power(last) <= limit {
		last--
	}
	return first * trimHop, min((last+1)*trimHop, len(samples))
}
