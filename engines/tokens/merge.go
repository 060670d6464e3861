package tokens

// symbol is a part of a text that byte pair encoding may join with its neighbours. The symbols of a text are a list:
// next and previous are indexes, or none.
type symbol struct {
	start, end     int // in the text
	id             int32
	previous, next int32
	joined         bool // with the symbol before it; it is no longer in the list
}

// pairing is how two neighbours join: the lowest rank first, the leftmost of equals.
type pairing struct {
	rank float64
	id   int32 // of the joined symbol
}

// candidate is a pair of neighbours in the queue of merges.
type candidate struct {
	pairing
	left, right int32
	end         int // of the right symbol when the pair was found
}

func (c candidate) before(d candidate) bool {
	return c.rank < d.rank || c.rank == d.rank && c.left < d.left
}

// merger joins the symbols of a text by byte pair encoding. The zero value with a function pair is ready.
type merger struct {
	symbols []symbol
	queue   []candidate // a heap
	pair    func(left, right symbol) (pairing, bool)
}

// add appends a symbol that joins nothing yet.
func (m *merger) add(start, end int, id int32) {
	i := int32(len(m.symbols))
	if i > 0 {
		m.symbols[i-1].next = i
	}
	m.symbols = append(m.symbols, symbol{start: start, end: end, id: id, previous: i - 1, next: none})
}

// run joins symbols until no pair is left that could be joined, and calls visit with the rest in order.
func (m *merger) run(visit func(symbol)) {
	for i := 1; i < len(m.symbols); i++ {
		m.offer(int32(i-1), int32(i))
	}
	for len(m.queue) > 0 {
		c := m.pop()
		left, right := &m.symbols[c.left], &m.symbols[c.right]
		if left.joined || right.joined || left.next != c.right || right.end != c.end {
			continue // one of them was joined with another in the meantime
		}
		left.end, left.next, left.id = right.end, right.next, c.id
		right.joined = true
		if left.next != none {
			m.symbols[left.next].previous = c.left
			m.offer(c.left, left.next)
		}
		if left.previous != none {
			m.offer(left.previous, c.left)
		}
	}
	for i := int32(0); len(m.symbols) > 0 && i != none; i = m.symbols[i].next {
		visit(m.symbols[i])
	}
	m.symbols, m.queue = m.symbols[:0], m.queue[:0]
}

// offer adds a pair of neighbours to the queue if they can be joined.
func (m *merger) offer(left, right int32) {
	if p, ok := m.pair(m.symbols[left], m.symbols[right]); ok {
		m.push(candidate{pairing: p, left: left, right: right, end: m.symbols[right].end})
	}
}

func (m *merger) push(c candidate) {
	m.queue = append(m.queue, c)
	i := len(m.queue) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !c.before(m.queue[parent]) {
			break
		}
		m.queue[i] = m.queue[parent]
		i = parent
	}
	m.queue[i] = c
}

func (m *merger) pop() candidate {
	top, last := m.queue[0], m.queue[len(m.queue)-1]
	m.queue = m.queue[:len(m.queue)-1]
	i, size := 0, len(m.queue)
	if size == 0 {
		return top
	}
	for {
		child := 2*i + 1
		if child >= size {
			break
		}
		if child+1 < size && m.queue[child+1].before(m.queue[child]) {
			child++
		}
		if !m.queue[child].before(last) {
			break
		}
		m.queue[i] = m.queue[child]
		i = child
	}
	m.queue[i] = last
	return top
}
