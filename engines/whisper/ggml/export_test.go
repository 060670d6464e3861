package ggml

// Expected returns the dimensions and the size of the tensors of a model, for tests that write one.
func (m Model) Expected() map[string]Tensor {
	out := map[string]Tensor{}
	for name, t := range m.expected() {
		out[name] = Tensor{t.dims, t.kind.number, t.size()}
	}
	return out
}

// Tensor is what a file has of a tensor.
type Tensor struct {
	Dims [3]int
	Kind uint32
	Size int64
}
