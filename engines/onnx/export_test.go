package onnx

// Calls returns the number of runs in progress.
func (s *Session) Calls() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.calls)
}
