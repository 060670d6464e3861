package speech

import "github.com/voicewright/voicewright/engines"

// freeShare is the share of the memory that has to stay free.
const freeShare = 0.15

// workers returns how many sentences of a job are spoken side by side: as many as the engine takes, which with the threads of
// each fill the cores that this process may use, and fewer where memory is short, since each may take as much again as the
// model. It is a rule and not measured: in every quiet measurement the same way was the fastest, and a busy moment says
// nothing about a machine. The threads of a run are the engine's own and the same for all jobs, as they can change its samples.
func (s *Service) workers(loaded *engines.Loaded) int {
	limit := max(loaded.Info().Concurrency, 1)
	total, free, ok := s.o.Memory()
	if !ok || loaded.Memory <= 0 {
		return limit
	}
	spare := free - int64(freeShare*float64(total))
	return int(min(int64(limit), 1+max(spare, 0)/loaded.Memory))
}
