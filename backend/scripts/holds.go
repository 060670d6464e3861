package scripts

import "sync"

// holds count who works with a name, such as a script that is being generated. The zero value is ready.
type holds struct {
	mu   sync.Mutex
	held map[string]int
}

// hold adds a holder of name. The caller calls release once.
func (h *holds) hold(name string) (release func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.add(name)
	return func() { h.release(name) }
}

// claim is hold for the only holder; ok is false if there is another one.
func (h *holds) claim(name string) (release func(), ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.held[name] > 0 {
		return nil, false
	}
	h.add(name)
	return func() { h.release(name) }, true
}

func (h *holds) add(name string) {
	if h.held == nil {
		h.held = map[string]int{}
	}
	h.held[name]++
}

func (h *holds) release(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.held[name]--; h.held[name] == 0 {
		delete(h.held, name)
	}
}
