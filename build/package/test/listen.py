"""Measures a WAV file with 16 bits: prints seconds, peak and level, and ends with 1 where that is no speech."""

import array
import math
import sys
import wave

with wave.open(sys.argv[1]) as file:
    assert file.getsampwidth() == 2, "it does not have 16 bits"
    rate = file.getframerate() * file.getnchannels()
    samples = array.array("h", file.readframes(file.getnframes()))
seconds = len(samples) / rate
peak = max(map(abs, samples), default=0) / 32768
level = math.sqrt(sum(s * s for s in samples) / max(len(samples), 1)) / 32768
decibels = 20 * math.log10(max(level, 1e-9))
print(f"{seconds:.2f} s at {rate} Hz, peak {peak:.2f}, level {decibels:.1f} dB")
if seconds < 0.5 or not 0.05 < peak <= 1 or decibels < -45:
    sys.exit("that is no speech")
