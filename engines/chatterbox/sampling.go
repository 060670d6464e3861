package chatterbox

import (
	"cmp"
	"math"
	"slices"
)

// sampling says how a token is chosen from the scores of the language model.
type sampling struct {
	greedy      bool
	temperature float32
	topK        int     // candidates; 0: all
	topP        float64 // share of the probability that candidates have together; 1: all
	minP        float64 // least probability of a candidate, relative to the likeliest; 0: any
	penalty     float32 // of tokens that were chosen before; 1: none
	guidance    float32 // how far the scores move away from those without a text; 0: not at all
	penaltyLast bool    // the penalty follows temperature, top k and top p, and the start token has none after the first step
}

// The defaults of the makers (tts_turbo.py, mtl_tts.py).
var (
	turboSampling        = sampling{temperature: 0.8, topK: 1000, topP: 0.95, penalty: 1.2, penaltyLast: true}
	multilingualSampling = sampling{temperature: 0.8, topP: 1, minP: 0.05, penalty: 1.2, guidance: 0.5}
)

// scored is a token with its score, which later steps replace by its probability.
type scored struct {
	id    int
	score float32
}

// chooser chooses tokens. Its memory is as large as the vocabulary and made once.
type chooser struct {
	sampling
	chosen []int    // different tokens that were chosen, in their order
	seen   []bool   // by token: is in chosen
	all    []scored // candidates in the order of their ids
	sorted []scored // candidates in the order of their scores
	rank   []float32
}

func newChooser(s sampling, vocabulary int) *chooser {
	c := &chooser{
		sampling: s, chosen: make([]int, 0, maxTokens+1), seen: make([]bool, vocabulary),
		all: make([]scored, 0, vocabulary), sorted: make([]scored, 0, vocabulary), rank: make([]float32, vocabulary),
	}
	c.add(startToken)
	return c
}

// add notes a token that was chosen.
func (c *chooser) add(token int) {
	if !c.seen[token] {
		c.seen[token] = true
		c.chosen = append(c.chosen, token)
	}
}

// forget takes a token from those that were chosen.
func (c *chooser) forget(token int) {
	c.seen[token] = false
	c.chosen = slices.DeleteFunc(c.chosen, func(t int) bool { return t == token })
}

// punished returns the score of a token that was chosen before.
func (c *chooser) punished(score float32) float32 {
	if score < 0 {
		return score * c.penalty
	}
	return score / c.penalty
}

// choose returns the next token for scores, which it changes, and a number from 0 to below 1.
func (c *chooser) choose(scores []float32, u float64) int {
	token := c.pick(scores, u)
	if c.penaltyLast && !c.greedy && len(c.chosen) == 1 && c.chosen[0] == startToken {
		c.forget(startToken)
	}
	c.add(token)
	return token
}

func (c *chooser) pick(scores []float32, u float64) int {
	if c.greedy || !c.penaltyLast {
		for _, id := range c.chosen {
			scores[id] = c.punished(scores[id])
		}
	}
	if c.greedy {
		return largest(scores)
	}
	for i := range scores {
		scores[i] /= c.temperature
	}
	c.candidates(scores)
	if c.topP < 1 {
		c.likeliest()
	}
	if c.penaltyLast {
		for i, s := range c.all {
			if c.seen[s.id] {
				c.all[i].score = c.punished(s.score)
			}
		}
	}
	return draw(c.all, u)
}

// largest returns the first of the largest scores.
func largest(scores []float32) int {
	best := 0
	for i, s := range scores {
		if s > scores[best] {
			best = i
		}
	}
	return best
}

// candidates makes c.all the tokens that top k and min p leave.
func (c *chooser) candidates(scores []float32) {
	least := float32(math.Inf(-1))
	if c.topK > 0 && c.topK < len(scores) {
		copy(c.rank, scores)
		least = nthLargest(c.rank[:len(scores)], c.topK)
	}
	if c.minP > 0 {
		least = max(least, scores[largest(scores)]+float32(math.Log(min(c.minP, 1))))
	}
	c.all = c.all[:0]
	for id, s := range scores {
		if s >= least {
			c.all = append(c.all, scored{id, s})
		}
	}
}

// likeliest leaves in c.all the tokens of top p: the least likely ones go while they have at most 1 - top p together.
func (c *chooser) likeliest() {
	c.sorted = append(c.sorted[:0], c.all...)
	slices.SortFunc(c.sorted, byScore)
	total, top := 0.0, c.sorted[len(c.sorted)-1].score
	for _, s := range c.sorted {
		total += math.Exp(float64(s.score - top))
	}
	sum, first := 0.0, 0
	for ; first < len(c.sorted)-1; first++ {
		if sum += math.Exp(float64(c.sorted[first].score - top)); sum > (1-c.topP)*total {
			break
		}
	}
	least, kept := c.sorted[first], c.all[:0]
	for _, s := range c.all {
		if byScore(s, least) >= 0 {
			kept = append(kept, s)
		}
	}
	c.all = kept
}

// byScore orders tokens by their scores, equal ones by their ids.
func byScore(a, b scored) int {
	if a.score != b.score {
		return cmp.Compare(a.score, b.score)
	}
	return a.id - b.id
}

// draw returns the token at which the sum of the probabilities, in the order of the ids, exceeds u.
func draw(all []scored, u float64) int {
	top := all[0].score
	for _, s := range all {
		top = max(top, s.score)
	}
	total := 0.0
	for _, s := range all {
		total += math.Exp(float64(s.score - top))
	}
	sum := 0.0
	for _, s := range all {
		if sum += math.Exp(float64(s.score - top)); sum > u*total {
			return s.id
		}
	}
	return all[len(all)-1].id
}

// nthLargest returns the nth largest value, n from 1, and changes the order of values (quickselect).
func nthLargest(values []float32, n int) float32 {
	low, high, at := 0, len(values)-1, n-1
	for low < high {
		pivot, i, j := values[(low+high)/2], low, high
		for i <= j {
			for values[i] > pivot {
				i++
			}
			for values[j] < pivot {
				j--
			}
			if i <= j {
				values[i], values[j] = values[j], values[i]
				i++
				j--
			}
		}
		switch {
		case at <= j:
			high = j
		case at >= i:
			low = i
		default:
			return values[at]
		}
	}
	return values[at]
}
