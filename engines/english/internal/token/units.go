package token

// unit is the name of a unit, for one and for more.
type unit struct{ one, many string }

func regular(one string) unit { return unit{one, one + "s"} }

// units are the units behind a number.
var units = map[string]unit{
	"kg": regular("kilogram"), "kgs": regular("kilogram"), "mg": regular("milligram"), "lb": regular("pound"), "lbs": regular("pound"),
	"oz": regular("ounce"),
	"km": regular("kilometer"), "kms": regular("kilometer"), "cm": regular("centimeter"), "mm": regular("millimeter"),
	"ft": {"foot", "feet"}, "mi": regular("mile"),
	"ml": regular("milliliter"), "mL": regular("milliliter"),
	"hr": regular("hour"), "hrs": regular("hour"), "ms": regular("millisecond"), "mph": {"miles per hour", "miles per hour"},
	"Hz": {"hertz", "hertz"}, "kHz": {"kilohertz", "kilohertz"}, "MHz": {"megahertz", "megahertz"}, "GHz": {"gigahertz", "gigahertz"},
	"KB": regular("kilobyte"), "kB": regular("kilobyte"), "MB": regular("megabyte"), "GB": regular("gigabyte"), "TB": regular("terabyte"),
	"kW": regular("kilowatt"),
}

// unitName returns the name of a unit behind a number, empty for none. glued is set when no space is between them; only
// then is g a unit.
func unitName(letters, amount string, glued bool) string {
	u := units[letters]
	if letters == "g" && glued {
		u = regular("gram")
	}
	if amount == "1" {
		return u.one
	}
	return u.many
}

// Plural returns the form of a unit that goes with an amount.
func Plural(unit, amount string) string {
	if amount == "1" || unit == "pence" {
		return unit
	}
	return unit + "s"
}

// Coins returns the words for a currency sign and for its hundredth, empty for other signs.
func Coins(sign string) (unit, hundredth string) {
	switch sign {
	case "$":
		return "dollar", "cent"
	case "£":
		return "pound", "pence"
	case "€":
		return "euro", "cent"
	}
	return "", ""
}
