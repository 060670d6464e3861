// Package devices decides on which device a model is loaded: by the setting, by the free memory of GPUs, which the loaded models share,
// and by how fast models were measured on this machine.
package devices

import (
	"cmp"
	"log/slog"
	"strings"
	"sync"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

// Options configure Devices.
type Options struct {
	Memory func(device string) (total, free int64, ok bool) // of a GPU such as cuda:0, in bytes; ok is false where it is unknown
	Speeds string                                           // the file of the measured speeds; empty: they are forgotten
	Moved  func(model string)                               // a loaded model moved to the CPU; may be nil
	Log    *slog.Logger
}

// Devices has the places of the loaded models. It is safe for concurrent use. The methods of nil do nothing.
type Devices struct {
	o      Options
	speeds speeds

	mu     sync.Mutex
	placed map[string]*placed // by model
}

// placed is a model that is loaded or being loaded.
type placed struct {
	requested string // by the setting
	device    string // on which memory is reserved
	reserved  int64
	why       *backend.Failure // why it is on the CPU
}

// New reads the speeds. A file that cannot be read is logged and replaced later.
func New(o Options) *Devices {
	d := &Devices{o: o, placed: map[string]*placed{}}
	if err := d.speeds.read(o.Speeds); err != nil {
		o.Log.Warn("the measured speeds of models cannot be read and are measured again", "error", err)
	}
	return d
}

// Choose sets the device of a load in o, and how much of a GPU's memory the model may use: o.Device is the setting before. usual is the
// device that auto means where another was not measured to be faster, need the memory of the model in bytes, 0 if unknown.
func (d *Devices) Choose(o *engines.Options, usual string, need int64) {
	if d == nil {
		return
	}
	model, wanted := o.Model, cmp.Or(o.Device, engines.Auto)
	p := &placed{requested: wanted}
	if wanted == engines.Auto {
		wanted = d.speeds.fastest(model, cmp.Or(usual, engines.CPU))
	}
	o.Device, o.Moved = wanted, func(why *backend.Error) { d.moved(model, p, why) }
	device := wanted
	if !strings.Contains(device, ":") {
		device += ":0"
	}
	var m memory
	if wanted != engines.CPU && d.o.Memory != nil {
		m.total, m.free, m.known = d.o.Memory(device) // which may take a while
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.placed[model] = p
	if wanted == engines.CPU {
		return
	}
	limit, why := d.reserve(device, m, need)
	if why != nil {
		o.Device = engines.CPU
		p.why = why.Failure()
		d.log(model, why)
		return
	}
	o.Memory, p.device, p.reserved = limit, device, limit
}

// The memory of a GPU that models may use, and what its libraries take besides.
const (
	usable   = 0.9
	overhead = 500_000_000
)

// memory is that of a GPU, in bytes.
type memory struct {
	total, free int64
	known       bool
}

// reserve returns how much memory of a GPU a model may use, 0 for no limit: half of what is left, so that another one fits too, but at
// least what it needs. It never frees that of other models: two that take turns on a GPU would be slower than on the CPU.
func (d *Devices) reserve(device string, m memory, need int64) (int64, *backend.Error) {
	if !m.known {
		return 0, nil
	}
	left := int64(usable * float64(m.total))
	for _, p := range d.placed {
		if p.device == device {
			left -= p.reserved
		}
	}
	left = max(min(left, m.free), 0)
	if need += overhead; need > left {
		return 0, engines.ErrGPUMemory(device, need, left)
	}
	return max(need, left/2), nil
}

// moved notes that a model left its GPU, which auto chooses for it no more before the model was fast there again.
func (d *Devices) moved(model string, p *placed, why *backend.Error) {
	d.mu.Lock()
	d.speeds.forget(model, p.device)
	p.device, p.reserved, p.why = "", 0, why.Failure()
	d.log(model, why)
	d.mu.Unlock()
	if d.o.Moved != nil {
		d.o.Moved(model)
	}
}

func (d *Devices) log(model string, why *backend.Error) {
	d.o.Log.Warn("a model runs on the CPU in place of a GPU", "model", model, "device", why.Params["device"],
		"reason", why.Params["reason"], "detail", why.Detail)
}

// State returns the device that the setting asked for when a model was loaded, and why it is on the CPU in place of a GPU; nil if it is
// where it should be.
func (d *Devices) State(model string) (requested string, why *backend.Failure) {
	if d == nil {
		return "", nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if p := d.placed[model]; p != nil {
		return p.requested, p.why
	}
	return "", nil
}

// Unloaded frees what was reserved for a model, and stores its speeds.
func (d *Devices) Unloaded(model string) {
	if d == nil {
		return
	}
	d.mu.Lock()
	delete(d.placed, model)
	d.mu.Unlock()
	if err := d.speeds.write(); err != nil {
		d.o.Log.Warn("the measured speeds of models cannot be stored", "error", err)
	}
}

// Measured records how fast a model was on a device, in seconds of work per second of audio.
func (d *Devices) Measured(model, device string, rtf float64) {
	if d != nil {
		d.speeds.record(model, device, rtf)
	}
}
