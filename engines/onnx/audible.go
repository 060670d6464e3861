package onnx

// Audible emits the sound of a piece of text as it is made, but holds silence at its beginning back until something is heard, so
// that a broken model emits nothing.
type Audible struct {
	Stage string // the work that makes the sound, as errors call it
	Emit  func(samples []float32) error

	held  []float32
	begun bool
}

// Write emits samples, or holds them back. They must not change afterwards.
func (a *Audible) Write(samples []float32) error {
	if !a.begun {
		a.begun = CheckAudible(a.Stage, samples) == nil
		samples = append(a.held, samples...)
		if a.held = samples; !a.begun {
			return nil
		}
		a.held = nil
	}
	return a.Emit(samples)
}

// Close ends the piece. Error: backend.CodeEngineFailed if nothing was heard.
func (a *Audible) Close() error {
	if a.begun {
		return nil
	}
	return CheckAudible(a.Stage, a.held)
}
