package models

import (
	"fmt"
	"strings"

	"github.com/voicewright/voicewright/backend"
)

// tightShare is the share of the free memory up to which a model fits easily.
const tightShare = 0.7

// fits returns whether a model fits into the free memory.
func fits(md *model, total, free int64, known bool) backend.Fits {
	need := int64(md.variant.MemoryMB) * 1_000_000
	switch {
	case !known || need == 0:
		return backend.FitsUnknown
	case need > total:
		return backend.FitsNo
	case md.slot != nil || float64(need) <= tightShare*float64(free):
		return backend.FitsYes
	default:
		return backend.FitsTight
	}
}

// makeMemory frees memory for a model by unloading idle ones, the longest unused first. With force it returns nil also when the
// model does not fit. Errors: out_of_memory with the loaded models.
func (m *loader) makeMemory(md *model, force bool) error {
	need := int64(md.variant.MemoryMB) * 1_000_000
	for {
		total, free, known := m.o.Memory()
		if !known || need == 0 || need <= free {
			return nil
		}
		if idle, s := m.retireOldest(); idle != nil {
			m.freeMemory(idle, s)
			continue
		}
		if force {
			return nil
		}
		return m.errOutOfMemory(md, need, free, total)
	}
}

// retireOldest retires the longest unused of the idle models; it returns nil when there is none.
func (m *loader) retireOldest() (*model, *slot) {
	m.mu.Lock()
	defer m.unlock()
	var oldest *model
	for _, md := range m.order {
		if md.isIdle() && (oldest == nil || md.lastUsed.Before(oldest.lastUsed)) {
			oldest = md
		}
	}
	if oldest == nil {
		return nil, nil
	}
	m.retire(oldest)
	return oldest, oldest.slot
}

func (m *loader) errOutOfMemory(md *model, need, free, total int64) error {
	m.mu.Lock()
	defer m.unlock()
	var loaded []string
	sizes := map[string]int{}
	for _, other := range m.order {
		if other.state == backend.ModelLoaded {
			size := other.memory()
			loaded = append(loaded, fmt.Sprintf("%s (%d MB)", other.entry.Name, size))
			sizes[other.entry.Name] = size
		}
	}
	remedy := "Close other programs, or choose a smaller variant of the model."
	if len(loaded) > 0 {
		remedy = "Unload " + strings.Join(loaded, " or ") + ", or choose a smaller variant of the model."
	}
	return backend.E(backend.CodeOutOfMemory,
		fmt.Sprintf("%s needs about %d MB of memory, and %d MB are free.", md.entry.DisplayName, need/1_000_000, free/1_000_000),
		remedy).With("needed_mb", need/1_000_000).With("free_mb", free/1_000_000).With("total_mb", total/1_000_000).
		With("loaded", sizes)
}

// memory returns the MB that a model takes, 0 where that is unknown; mu is held.
func (md *model) memory() int { return max(md.measured, md.variant.MemoryMB) }
