package engines

// freeShare is the share of the memory that has to stay free.
const freeShare = 0.15

// Workers returns how many sentences of a text are synthesized in parallel: as many as the engine supports, which with the
// threads of each use all cores of this process, and fewer where memory is short, since each may need as much as the model.
// It is a rule and not measured: in every quiet measurement the same setting was the fastest, and a busy moment is not
// representative. The number of threads is the engine's and the same for all texts, as it can change the samples. memory returns
// the bytes of the machine, ok false where they are not known.
func (l *Loaded) Workers(memory func() (total, free int64, ok bool)) int {
	limit := max(l.Info().Concurrency, 1)
	total, free, ok := memory()
	if !ok || l.Memory <= 0 {
		return limit
	}
	spare := free - int64(freeShare*float64(total))
	return int(min(int64(limit), 1+max(spare, 0)/l.Memory))
}
