package speech

import (
	"context"

	"github.com/voicewright/voicewright/backend"
)

// hostedFolder is the folder of the parts of hosted generations, in folders named by these.
const hostedFolder = "hosted"

// stored counts a part of a hosted generation whose audio is stored, of total.
func (j *job) stored(total int, part backend.HostedAudio) {
	sound := hostedSeconds(part)
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.partial == nil {
		j.ran, j.partial = true, &backend.Partial{Total: total}
	}
	j.partial.Chunks++
	j.partial.Seconds = thousandths(j.partial.Seconds + sound)
}

func (s *Service) removeJournal(id string) {
	s.forgetRecalled(id)
	s.synth.removeChunks(s.synth.journalPath(id))
}

// partialOf returns what is stored of a job that has ended without being complete, after what was stored of it before.
func (s *Service) partialOf(j *job, before *backend.Partial) *backend.Partial {
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case j.discard:
		s.removeJournal(j.g.ID)
		return nil
	case j.ran:
		return j.partial
	default:
		return before
	}
}

// dropPartial removes the finished chunks of a generation that has ended. Hosted ones are paid, and removed with their
// generation only.
func (s *Service) dropPartial(ctx context.Context, id string) (backend.Generation, error) {
	g, err := s.o.Store.UpdateGeneration(ctx, id, func(g *backend.Generation) error {
		if !g.Status.Ended() || g.Partial == nil || g.Source == backend.SourceHosted {
			return errEnded
		}
		g.Partial = nil
		return nil
	})
	if err != nil {
		return g, err
	}
	s.removeJournal(id)
	s.notify(g)
	return g, nil
}

var errEnded = backend.E(backend.CodeNotInProgress, "This generation has already ended.", "There is nothing to cancel.")
