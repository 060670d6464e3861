package english

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// fraction reads 1/2, 24/7 and scores such as 8/10 that stand alone.
func (n *normalizer) fraction() bool {
	top := n.digits(n.at)
	if n.byteAt(top) != '/' || !digit(n.byteAt(top+1)) {
		return false
	}
	end := n.digits(top + 1)
	if n.byteAt(end) == '/' && digit(n.byteAt(end+1)) {
		return false
	}
	words := n.over(n.s[n.at:top], n.s[top+1:end])
	if n.fractionDate(top, end) {
		return true
	}
	n.quantity(numeral{whole: share(n.s[n.at:top], n.s[top+1:end]), end: end}, words)
	return true
}

// share gives half for a part of one thing.
func share(top, bottom string) string {
	a, _ := strconv.Atoi(top)
	if b, err := strconv.Atoi(bottom); err == nil && a < b {
		return half
	}
	return "2"
}

// over reads one number over another.
func (n *normalizer) over(top, bottom string) string {
	switch top + "/" + bottom {
	case "24/7":
		return "twenty-four seven"
	case "9/11":
		return "nine eleven"
	case "50/50", "20/20":
		return Cardinal(top) + " " + Cardinal(bottom)
	}
	a, errA := strconv.Atoi(top)
	b, errB := strconv.Atoi(bottom)
	switch {
	case errA != nil || errB != nil || top[0] == '0' || bottom[0] == '0':
		return Cardinal(top) + " over " + Cardinal(bottom)
	case len(top) == 4 && len(bottom) == 2:
		return Year(top) + " to " + twoDigits(bottom)
	case a == b && b > 1, a > 1 && (b == 10 || b == 100):
		return Cardinal(top) + " out of " + Cardinal(bottom)
	case b <= 20 && b > 1, b == 32, b == 64, b == 100, b == 1000:
		return part(a, b)
	}
	return Cardinal(top) + " over " + Cardinal(bottom)
}

// part reads a fraction: one half, two thirds, three quarters.
func part(a, b int) string {
	name := Ordinal(strconv.Itoa(b))
	switch b {
	case 2:
		name = "half"
		if a != 1 {
			name = "halve"
		}
	case 4:
		name = "quarter"
	}
	if a != 1 {
		name = plural(name)
	}
	return Cardinal(strconv.Itoa(a)) + " " + name
}

// mixed reads the fraction behind a whole number: 3 3/4, 3¾, 1-1/2. end is q.end where there is none.
func (n *normalizer) mixed(q numeral) (words string, end int) {
	if q.part != "" {
		return "", q.end
	}
	i := n.spaces(q.end)
	if n.byteAt(q.end) == '-' {
		i = q.end + 1
	}
	a, b, end := n.vulgar(i)
	if end == 0 {
		top := n.digits(i)
		if end = n.digits(top + 1); i == q.end || top == i || n.byteAt(top) != '/' || end == top+1 || n.byteAt(end) == '/' {
			return "", q.end
		}
		a, _ = strconv.Atoi(n.s[i:top])
		b, _ = strconv.Atoi(n.s[top+1 : end])
		if a == 0 || b <= a || b > 100 || !n.ends(end) {
			return "", q.end
		}
	}
	if a > 1 {
		return " and " + part(a, b), end
	}
	name := strings.TrimPrefix(part(a, b), "one ")
	article := "a "
	if b == 8 || b == 11 || b == 18 {
		article = "an "
	}
	return " and " + article + name, end
}

// vulgar reads a fraction that is one character; end is 0 where there is none.
func (n *normalizer) vulgar(i int) (a, b, end int) {
	r, size := utf8.DecodeRuneInString(n.s[min(i, len(n.s)):])
	const signs = "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞⅑⅒"
	place := 0
	for _, sign := range signs {
		if sign == r {
			pair := [...][2]int{
				{1, 2},
				{1, 3},
				{2, 3},
				{1, 4},
				{3, 4},
				{1, 5},
				{2, 5},
				{3, 5},
				{4, 5},
				{1, 6},
				{5, 6},
				{1, 8},
				{3, 8},
				{5, 8},
				{7, 8},
				{1, 9},
				{1, 10},
			}[place]
			return pair[0], pair[1], i + size
		}
		place++
	}
	return 0, 0, 0
}
