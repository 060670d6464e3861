"""Uses the local API with OpenAI's client for Python: openai_client.py URL MODEL AUDIO GOLDEN.

AUDIO is a file whose text the transcription model MODEL knows; GOLDEN.srt and GOLDEN.vtt are that text.
"""

import base64
import io
import json
import sys
import wave
from pathlib import Path

import openai

url, model, audio, golden = sys.argv[1:]
client = openai.OpenAI(base_url=url + "/v1", api_key="abc", max_retries=0, timeout=120)
recording = Path(audio)
srt, vtt = (Path(f"{golden}.{form}").read_text(encoding="utf-8") for form in ("srt", "vtt"))
lines = [line.strip() for line in srt.splitlines()[2::4]]
text = " ".join(lines)
starts = {"mp3": (b"ID3", b"\xff\xfb", b"\xff\xf3"), "opus": (b"OggS",), "aac": (b"\xff\xf1",), "flac": (b"fLaC",), "wav": (b"RIFF",)}


def equal(found, wanted, what):
    assert found == wanted, f"{what}: {found!r} instead of {wanted!r}"


def seconds(sound):
    with wave.open(io.BytesIO(sound)) as file:
        return file.getnframes() / file.getframerate()


def models():
    names = [m.id for m in client.models.list()]
    for name in (model, "espeak", "tts-1", "whisper-1"):
        assert name in names, f"models: no {name} in {names}"
    equal(client.models.retrieve(model).id, model, "model")


def speak(**options):
    return {"model": "tts-1", "voice": "alloy", "input": "Hello there.", **options}


def speech():
    sounds = {}
    for form in ("mp3", "opus", "aac", "flac", "wav", "pcm"):
        sounds[form] = client.audio.speech.create(**speak(response_format=form)).content
        assert sounds[form].startswith(starts.get(form, b"")), f"{form}: begins with {sounds[form][:4]!r}"
    length = seconds(sounds["wav"])
    assert length > 0.3, f"wav: {length} s"
    samples = len(sounds["pcm"]) / 2 / 24000
    assert abs(samples - length) < 0.01, f"pcm: {samples} s instead of {length} s"
    fast = client.audio.speech.create(**speak(model="espeak", response_format="wav", speed=2)).content
    assert seconds(fast) < 0.8 * length, f"speed 2: {seconds(fast)} s instead of half of {length} s"


def speech_as_events():
    options = speak(response_format="wav", stream_format="sse")
    with client.audio.speech.with_streaming_response.create(**options) as response:
        events = [json.loads(line.removeprefix("data: ")) for line in response.iter_lines() if line]
    equal(events[-1]["type"], "speech.audio.done", "last event of speech")
    sound = b"".join(base64.b64decode(e["audio"]) for e in events if e["type"] == "speech.audio.delta")
    assert seconds(sound) > 0.3, f"events: {seconds(sound)} s"


def transcribe(**options):
    return client.audio.transcriptions.create(model=model, file=recording, **options)


def transcription():
    equal(transcribe().text, text, "json")
    equal(transcribe(response_format="text").strip(), text, "text")
    equal(transcribe(response_format="srt"), srt, "srt")
    equal(transcribe(response_format="vtt"), vtt, "vtt")
    both = transcribe(response_format="verbose_json", timestamp_granularities=["segment", "word"])
    equal(both.text, text, "text of verbose_json")
    equal((both.language, both.duration), ("en", 5.0 * 2 * len(lines)), "language and duration of verbose_json")
    equal([s.text.strip() for s in both.segments], lines, "segments of verbose_json")
    equal([(s.start, s.end) for s in both.segments], [(10 * i, 10 * i + 10) for i in range(len(lines))], "times of segments")
    equal(" ".join(w.word for w in both.words), text, "words of verbose_json")
    times = [time for w in both.words for time in (w.start, w.end)]
    equal(times, sorted(times), "times of words")


def transcription_as_events():
    events = list(transcribe(stream=True))
    equal("".join(e.delta for e in events[:-1]), text, "deltas")
    equal((events[-1].type, events[-1].text), ("transcript.text.done", text), "last event of a transcription")


def translation():
    equal(client.audio.translations.create(model=model, file=recording).text, text, "translation")


def refused(error, status, code, call):
    try:
        call()
    except error as e:
        equal((e.status_code, e.code), (status, code), "error")
        assert e.message, "error: no message"
    else:
        raise AssertionError(f"{code}: nothing was refused")


def errors():
    stranger = client.with_options(api_key="wrong")
    refused(openai.AuthenticationError, 401, "unauthorized", lambda: stranger.models.list())
    refused(openai.NotFoundError, 404, "model_unknown", lambda: client.models.retrieve("nobody"))
    refused(openai.NotFoundError, 404, "model_unknown", lambda: client.audio.speech.create(**speak(model="nobody")))
    refused(openai.UnprocessableEntityError, 422, "enum", lambda: client.audio.speech.create(**speak(voice="nobody")))


for check in (models, speech, speech_as_events, transcription, transcription_as_events, translation, errors):
    check()
print(f"openai {openai.__version__} for Python: all good")
