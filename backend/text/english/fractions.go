package english

import (
	"strconv"
	"strings"
)

// fraction reads 1/2, 24/7, scores such as 8/10, and 3/14 where it is a date.
func (n *amounts) fraction() bool {
	slash := n.digits(n.at)
	if n.byteAt(slash) != '/' || !digit(n.byteAt(slash+1)) {
		return false
	}
	end := n.digits(slash + 1)
	if n.byteAt(end) == '/' && digit(n.byteAt(end+1)) {
		return false
	}
	top, bottom := n.s[n.at:slash], n.s[slash+1:end]
	switch {
	case n.fractionDate(slash, end):
	case isShare(top, bottom, n.wordAt(n.spaces(end))):
		n.say(Cardinal(top)+" "+Cardinal(bottom), end)
	default:
		n.sayMeasured(overWords(top, bottom), end, belowOne(top, bottom))
	}
	return true
}

// belowOne reports whether top over bottom is a part of one thing.
func belowOne(top, bottom string) bool {
	a, _ := strconv.Atoi(top)
	b, err := strconv.Atoi(bottom)
	return err == nil && a < b
}

// overWords returns the words of one number over another.
func overWords(top, bottom string) string {
	switch top + "/" + bottom {
	case "24/7":
		return "twenty-four seven"
	case "9/11":
		return "nine eleven"
	}
	a, errA := strconv.Atoi(top)
	b, errB := strconv.Atoi(bottom)
	switch ordinary := errA == nil && errB == nil && top[0] != '0' && bottom[0] != '0'; {
	case !ordinary:
	case len(top) == 4 && len(bottom) == 2: // 1999/00
		return Year(top) + " to " + twoDigits(bottom)
	case isScore(a, b):
		return Cardinal(top) + " out of " + Cardinal(bottom)
	case hasPartName(b):
		return partWords(a, b)
	}
	return Cardinal(top) + " over " + Cardinal(bottom)
}

// isScore reports whether a over b is a score, such as 8/10 and 5/5, rather than a fraction.
func isScore(a, b int) bool { return a == b && b > 1 || a > 1 && (b == 10 || b == 100) }

// hasPartName reports whether a fraction with this denominator is read with an ordinal: two thirds, not two over thirty.
func hasPartName(b int) bool {
	return b > 1 && b <= 20 || b == 32 || b == 64 || b == 100 || b == 1000
}

// partWords returns the words of a fraction: one half, two thirds, three quarters.
func partWords(a, b int) string {
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

// mixed returns the words of the fraction after a whole number and its end, which is q.end if there is none: 3 3/4, 3¾,
// 1-1/2.
func (n *figures) mixed(q numeral) (words string, end int) {
	if q.fraction != "" {
		return "", q.end
	}
	i := n.spaces(q.end)
	if n.byteAt(q.end) == '-' {
		i = q.end + 1
	}
	a, b, end := n.vulgarFraction(i)
	if end == 0 && i > q.end {
		a, b, end = n.properFraction(i)
	}
	if end == 0 {
		return "", q.end
	}
	if a > 1 {
		return " and " + partWords(a, b), end
	}
	article := "a "
	if b == 8 || b == 11 || b == 18 {
		article = "an "
	}
	return " and " + article + strings.TrimPrefix(partWords(a, b), "one "), end
}

// properFraction returns the fraction below one that is written with digits at i, such as 3/4; end is 0 if there is none.
func (n *figures) properFraction(i int) (a, b, end int) {
	slash := n.digits(i)
	end = n.digits(slash + 1)
	if slash == i || n.byteAt(slash) != '/' || end == slash+1 || n.byteAt(end) == '/' || !n.ends(end) {
		return 0, 0, 0
	}
	a, b = number(n.s[i:slash]), number(n.s[slash+1:end])
	if a == 0 || b <= a || b > 100 {
		return 0, 0, 0
	}
	return a, b, end
}

// vulgarFractions are the fractions that are one character.
var vulgarFractions = map[rune][2]int{
	'½': {1, 2}, '⅓': {1, 3}, '⅔': {2, 3}, '¼': {1, 4}, '¾': {3, 4}, '⅕': {1, 5}, '⅖': {2, 5}, '⅗': {3, 5}, '⅘': {4, 5},
	'⅙': {1, 6}, '⅚': {5, 6}, '⅛': {1, 8}, '⅜': {3, 8}, '⅝': {5, 8}, '⅞': {7, 8}, '⅑': {1, 9}, '⅒': {1, 10},
}

// vulgarFraction returns the fraction that is one character at i; end is 0 if there is none.
func (n *figures) vulgarFraction(i int) (a, b, end int) {
	r, size := n.runeAt(i)
	if pair, ok := vulgarFractions[r]; ok {
		return pair[0], pair[1], i + size
	}
	return 0, 0, 0
}
