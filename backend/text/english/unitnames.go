package english

// unitOf gives the unit of an abbreviation, empty names for none.
func unitOf(letters string) unit {
	if u := measureOf(letters); u.one != "" {
		return u
	}
	if u := technicalOf(letters); u.one != "" {
		return u
	}
	return unit{}
}

func more(one string) unit { return unit{one, one + "s"} }

// measureOf names lengths, weights, volumes, times and speeds.
func measureOf(letters string) unit {
	switch letters {
	case "km":
		return more("kilometer")
	case "m":
		return more("meter")
	case "cm":
		return more("centimeter")
	case "mm":
		return more("millimeter")
	case "µm", "μm":
		return more("micrometer")
	case "nm":
		return more("nanometer")
	case "mi":
		return more("mile")
	case "ft":
		return unit{"foot", "feet"}
	case "in":
		return unit{"inch", "inches"}
	case "yd", "yds":
		return more("yard")
	case "kg", "kgs":
		return more("kilogram")
	case "g":
		return more("gram")
	case "mg":
		return more("milligram")
	case "µg", "μg", "mcg":
		return more("microgram")
	case "lb", "lbs":
		return more("pound")
	}
	return kitchenOf(letters)
}

// kitchenOf names small weights, volumes, times and speeds.
func kitchenOf(letters string) unit {
	switch letters {
	case "oz":
		return more("ounce")
	case "t":
		return more("ton")
	case "l", "L":
		return more("liter")
	case "ml", "mL":
		return more("milliliter")
	case "cl", "cL":
		return more("centiliter")
	case "dl", "dL":
		return more("deciliter")
	case "gal":
		return more("gallon")
	case "tsp":
		return more("teaspoon")
	case "tbsp":
		return more("tablespoon")
	case "cc":
		return unit{"C C", "C C"}
	case "ha":
		return more("hectare")
	case "s", "sec", "secs":
		return more("second")
	case "ms":
		return more("millisecond")
	case "µs", "μs":
		return more("microsecond")
	case "ns":
		return more("nanosecond")
	case "min", "mins":
		return more("minute")
	case "h", "hr", "hrs":
		return more("hour")
	case "mph":
		return unit{"mile per hour", "miles per hour"}
	case "kph", "kmh":
		return unit{"kilometer per hour", "kilometers per hour"}
	}
	return unit{}
}

// technicalOf names units of data, electricity and the like.
func technicalOf(letters string) unit {
	switch letters {
	case "KB", "kB":
		return more("kilobyte")
	case "MB":
		return more("megabyte")
	case "GB":
		return more("gigabyte")
	case "TB":
		return more("terabyte")
	case "PB":
		return more("petabyte")
	case "KiB":
		return more("kibibyte")
	case "MiB":
		return more("mebibyte")
	case "GiB":
		return more("gibibyte")
	case "Mb", "Mbit":
		return more("megabit")
	case "Gb", "Gbit":
		return more("gigabit")
	case "kbps", "Kbps":
		return unit{"kilobit per second", "kilobits per second"}
	case "Mbps", "mbps":
		return unit{"megabit per second", "megabits per second"}
	case "Gbps", "gbps":
		return unit{"gigabit per second", "gigabits per second"}
	case "px":
		return more("pixel")
	case "pt":
		return unit{"point", "point"}
	case "dpi":
		return unit{"dot per inch", "dots per inch"}
	case "fps":
		return unit{"frame per second", "frames per second"}
	case "rpm", "RPM":
		return unit{"R P M", "R P M"}
	case "bpm", "BPM":
		return unit{"beat per minute", "beats per minute"}
	case "ppm":
		return unit{"part per million", "parts per million"}
	case "psi", "PSI":
		return unit{"P S I", "P S I"}
	case "x":
		return more("time")
	case "M":
		return unit{"million", "million"}
	case "bn":
		return unit{"billion", "billion"}
	}
	return electric(letters)
}

// electric names units of waves and power.
func electric(letters string) unit {
	hertz := func(of string) unit { return unit{of + "hertz", of + "hertz"} }
	switch letters {
	case "Hz":
		return hertz("")
	case "kHz":
		return hertz("kilo")
	case "MHz":
		return hertz("mega")
	case "GHz":
		return hertz("giga")
	case "W":
		return more("watt")
	case "mW":
		return more("milliwatt")
	case "kW":
		return more("kilowatt")
	case "MW":
		return more("megawatt")
	case "GW":
		return more("gigawatt")
	case "Wh":
		return more("watt hour")
	case "kWh":
		return more("kilowatt hour")
	case "MWh":
		return more("megawatt hour")
	}
	return currentOf(letters)
}

// currentOf names units of current, sound, energy and pressure.
func currentOf(letters string) unit {
	switch letters {
	case "V":
		return more("volt")
	case "mV":
		return more("millivolt")
	case "kV":
		return more("kilovolt")
	case "mA":
		return more("milliamp")
	case "mAh":
		return more("milliamp hour")
	case "Ω":
		return more("ohm")
	case "kΩ":
		return more("kilohm")
	case "dB":
		return more("decibel")
	case "kJ":
		return more("kilojoule")
	case "J":
		return more("joule")
	case "kcal":
		return more("kilocalorie")
	case "cal":
		return more("calorie")
	case "Pa":
		return more("pascal")
	case "hPa":
		return more("hectopascal")
	case "kPa":
		return more("kilopascal")
	case "N":
		return more("newton")
	}
	return unit{}
}
