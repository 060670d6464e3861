package speech

import "github.com/voicewright/voicewright/engines"

// freeShare is the share of the memory that has to stay free.
const freeShare = 0.15

// workers returns how many sentences of a job are synthesized in parallel: as many as the engine supports, which with the
// threads of each use all cores of this process, and fewer where memory is short, since each may need as much as the model.
// It is a rule and not measured: in every quiet measurement the same setting was the fastest, and a busy moment is not
// representative. The number of threads is the engine's and the same for all jobs, as it can change the samples.
func (s *Service) workers(loaded *engines.Loaded) int {
	limit := max(loaded.Info().Concurrency, 1)
	total, free, ok := s.o.Memory()
	if !ok || loaded.Memory <= 0 {
		return limit
	}
	spare := free - int64(freeShare*float64(total))
	return int(min(int64(limit), 1+max(spare, 0)/loaded.Memory))
}
