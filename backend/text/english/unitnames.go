package english

// unit is the name of a unit in singular and plural.
type unit struct{ one, many string }

// regular returns a unit whose plural ends in s.
func regular(name string) unit { return unit{name, name + "s"} }

// units are the units by their abbreviations.
var units = map[string]unit{
	// Lengths and weights
	"km": regular("kilometer"), "m": regular("meter"), "cm": regular("centimeter"), "mm": regular("millimeter"),
	"µm": regular("micrometer"), "μm": regular("micrometer"), "nm": regular("nanometer"), "mi": regular("mile"),
	"ft": {"foot", "feet"}, "in": {"inch", "inches"}, "yd": regular("yard"), "yds": regular("yard"),
	"kg": regular("kilogram"), "kgs": regular("kilogram"), "g": regular("gram"), "mg": regular("milligram"),
	"µg": regular("microgram"), "μg": regular("microgram"), "mcg": regular("microgram"), "lb": regular("pound"),
	"lbs": regular("pound"),

	// Small weights, volumes, times and speeds
	"oz": regular("ounce"), "t": regular("ton"), "l": regular("liter"), "L": regular("liter"),
	"ml": regular("milliliter"), "mL": regular("milliliter"), "cl": regular("centiliter"), "cL": regular("centiliter"),
	"dl": regular("deciliter"), "dL": regular("deciliter"), "gal": regular("gallon"), "tsp": regular("teaspoon"),
	"tbsp": regular("tablespoon"), "cc": {"C C", "C C"}, "ha": regular("hectare"), "s": regular("second"),
	"sec": regular("second"), "secs": regular("second"), "ms": regular("millisecond"), "µs": regular("microsecond"),
	"μs": regular("microsecond"), "ns": regular("nanosecond"), "min": regular("minute"), "mins": regular("minute"),
	"h": regular("hour"), "hr": regular("hour"), "hrs": regular("hour"), "mph": {"mile per hour", "miles per hour"},
	"kph": {"kilometer per hour", "kilometers per hour"}, "kmh": {"kilometer per hour", "kilometers per hour"},

	// Data, type, rates and scales
	"KB": regular("kilobyte"), "kB": regular("kilobyte"), "MB": regular("megabyte"), "GB": regular("gigabyte"),
	"TB": regular("terabyte"), "PB": regular("petabyte"), "KiB": regular("kibibyte"), "MiB": regular("mebibyte"),
	"GiB": regular("gibibyte"), "Mb": regular("megabit"), "Mbit": regular("megabit"), "Gb": regular("gigabit"),
	"Gbit": regular("gigabit"), "kbps": {"kilobit per second", "kilobits per second"},
	"Kbps": {"kilobit per second", "kilobits per second"}, "Mbps": {"megabit per second", "megabits per second"},
	"mbps": {"megabit per second", "megabits per second"}, "Gbps": {"gigabit per second", "gigabits per second"},
	"gbps": {"gigabit per second", "gigabits per second"}, "px": regular("pixel"), "pt": {"point", "point"},
	"dpi": {"dot per inch", "dots per inch"}, "fps": {"frame per second", "frames per second"},
	"rpm": {"R P M", "R P M"}, "RPM": {"R P M", "R P M"}, "bpm": {"beat per minute", "beats per minute"},
	"BPM": {"beat per minute", "beats per minute"}, "ppm": {"part per million", "parts per million"},
	"psi": {"P S I", "P S I"}, "PSI": {"P S I", "P S I"}, "x": regular("time"), "M": {"million", "million"},
	"bn": {"billion", "billion"},

	// Waves and power
	"Hz": {"hertz", "hertz"}, "kHz": {"kilohertz", "kilohertz"}, "MHz": {"megahertz", "megahertz"},
	"GHz": {"gigahertz", "gigahertz"}, "W": regular("watt"), "mW": regular("milliwatt"), "kW": regular("kilowatt"),
	"MW": regular("megawatt"), "GW": regular("gigawatt"), "Wh": regular("watt hour"), "kWh": regular("kilowatt hour"),
	"MWh": regular("megawatt hour"),

	// Current, sound, energy and pressure
	"V": regular("volt"), "mV": regular("millivolt"), "kV": regular("kilovolt"), "mA": regular("milliamp"),
	"mAh": regular("milliamp hour"), "Ω": regular("ohm"), "kΩ": regular("kilohm"), "dB": regular("decibel"),
	"kJ": regular("kilojoule"), "J": regular("joule"), "kcal": regular("kilocalorie"), "cal": regular("calorie"),
	"Pa": regular("pascal"), "hPa": regular("hectopascal"), "kPa": regular("kilopascal"), "N": regular("newton"),
}
