"""Fills a library through the API and prints, as schemathesis.toml, the values with which parameters of paths name what is in it.

Usage: seed.py URL TOKEN
"""
import json
import sys
import urllib.request

url, token = sys.argv[1:]


def send(method, path, body=None, content_type="application/json"):
    headers = {"Authorization": "Bearer " + token, "Content-Type": content_type}
    with urllib.request.urlopen(urllib.request.Request(url + path, body, headers, method=method)) as response:
        return json.loads(response.read() or "null")


def call(method, path, body=None):
    return send(method, path, None if body is None else json.dumps(body).encode())


def upload(path, name, content):
    """Sends a form with one file."""
    head = f'--line\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
    return send("POST", path, head.encode() + content + b"\r\n--line--\r\n", "multipart/form-data; boundary=line")


def several(count, make):
    """The ids of what make(n) returns: several, as requests also delete."""
    return [make(n)["id"] for n in range(count)]


profiles = several(6, lambda n: call("POST", "/profiles", {"name": f"Voice {n}", "language": "en"}))
text = "One. Two and a half.\n\nThree."
spoken = [call("POST", "/generate", {"profile_id": profiles[0], "text": f"{n}. {text}", "seed": n}) for n in range(6)]
drafts = several(6, lambda n: call("POST", "/drafts", {"name": f"Draft {n}", "content": {"text": text}}))
words = several(6, lambda n: call("POST", "/pronunciations", {"word": f"word{n}", "respelling": "wurd", "language": "en"}))
turns = [{"profile_id": profiles[0], "text": "Hello."}, {"profile_id": profiles[1], "text": "Good day."}]
scripts = several(4, lambda n: call("POST", "/script", {"turns": turns, "title": f"Script {n}"}))
transcripts = several(4, lambda n: call("POST", "/transcriptions", {"generation_id": spoken[n]["id"], "model_name": "tones"}))
book_text = "# Chapter 1\n\nFirst words.\n\nMore words.\n\n# Chapter 2\n\nLast words.\n"
books = [upload("/books", f"book{n}.md", book_text.encode()) for n in range(3)]
chapters = [chapter["id"] for book in books for chapter in book["chapters"]]

values = {
    "profile_id": profiles,
    "generation_id": [g["id"] for g in spoken],
    "draft_id": drafts,
    "pronunciation_id": words,
    "script_id": scripts,
    "transcript_id": transcripts,
    "book_id": [b["id"] for b in books],
    "chapter_id": chapters,
    "name": ["tones", "piper-tone", "whisper-tiny"],
    "id": [g["id"] for g in spoken],
}
for name, known in values.items():
    print(f"[dictionaries.{name}]\nvalues = {json.dumps(known)}\n")
print("[parameters]")
for name in values:
    print(f'"path.{name}" = {{ dictionary = "{name}", probability = 0.7 }}')
