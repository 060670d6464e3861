// One small page on the local API: it speaks a text with a voice of this machine and plays it.

const tokenKey = "voicewright.token";
const byId = (id) => document.getElementById(id);

const health = byId("health");
const access = byId("access");
const studio = byId("studio");
const speakButton = byId("speak");
const stopButton = byId("stop");
const progress = byId("progress");
const player = byId("player");
const problem = byId("problem");

let server = ""; // where the local API is; empty for the server that this page came from
let running = null; // the AbortController of the generation that is being made

// Problem is an error that the person may read.
class Problem extends Error {
  constructor(status, detail, remedy) {
    super(detail);
    this.status = status;
    this.remedy = remedy ?? "";
  }
}

// takeToken moves a token from the address to the session, so that it stays in no bookmark and no history.
function takeToken() {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (!token) return false;
  sessionStorage.setItem(tokenKey, token);
  history.replaceState(null, "", location.pathname + location.search);
  return true;
}

// askWindow takes address and token from the desktop window, when the page is shown in one.
async function askWindow() {
  const bridge = window.go?.app?.Bridge;
  if (!bridge) return;
  const { url, token } = await bridge.Address();
  server = url;
  sessionStorage.setItem(tokenKey, token);
  byId("docs").addEventListener("click", (event) => {
    event.preventDefault();
    window.runtime.BrowserOpenURL(`${server}/docs`);
  });
}

// call asks the local API and gives its JSON; every failure becomes a Problem.
async function call(path, options = {}) {
  const headers = { Accept: "application/json" };
  const token = sessionStorage.getItem(tokenKey);
  if (token) headers.Authorization = `Bearer ${token}`;
  if (options.body) headers["Content-Type"] = "application/json";

  let answer;
  try {
    answer = await fetch(server + path, { ...options, headers });
  } catch (cause) {
    if (cause.name === "AbortError") throw cause;
    throw new Problem(0, "The program does not answer.", "Start it with: voicewright serve");
  }
  const body = await answer.json().catch(() => null);
  if (!answer.ok) throw toProblem(answer.status, body);
  return body;
}

// toProblem reads both shapes of an error body: a sentence, or a list of fields that are not acceptable.
function toProblem(status, body) {
  const detail = body?.detail;
  if (Array.isArray(detail)) {
    return new Problem(status, detail.map((field) => `${field.loc.at(-1)}: ${field.msg}`).join("; "));
  }
  return new Problem(status, detail ?? `The program answered with status ${status}.`, body?.remedy);
}

function show(failure) {
  if (failure.name === "AbortError") return;
  byId("problem-detail").textContent = failure.message;
  byId("problem-remedy").textContent = failure.remedy ?? "";
  problem.hidden = false;
}

async function lookForProgram() {
  try {
    const { status, version } = await call("/health");
    health.textContent = `${status === "ok" ? "Running" : status}, version ${version}`;
  } catch (failure) {
    health.textContent = "Not running";
    show(failure);
  }
}

// openStudio fills the list of voices, or asks for the token when the program wants one.
async function openStudio() {
  problem.hidden = true;
  try {
    const { items } = await call("/profiles?limit=500");
    byId("voice").replaceChildren(...items.map((profile) => new Option(profile.name, profile.id)));
    access.hidden = true;
    studio.hidden = false;
    byId("text").focus();
  } catch (failure) {
    studio.hidden = true;
    access.hidden = failure.status !== 401;
    if (failure.status !== 401 || sessionStorage.getItem(tokenKey)) show(failure);
    if (!access.hidden) byId("token").focus();
  }
}

function busy(controller) {
  running = controller;
  stopButton.hidden = !controller;
  speakButton.setAttribute("aria-disabled", String(Boolean(controller)));
}

async function speak() {
  if (running || !studio.reportValidity()) return;
  const controller = new AbortController();
  const started = performance.now();
  const seconds = () => ((performance.now() - started) / 1000).toFixed(1);
  const clock = setInterval(() => { progress.textContent = `Speaking, ${seconds()} s`; }, 200);
  busy(controller);
  problem.hidden = true;
  player.pause();
  try {
    const made = await call("/generate", {
      method: "POST",
      signal: controller.signal,
      body: JSON.stringify({ profile_id: byId("voice").value, text: byId("text").value }),
    });
    progress.textContent = `${made.duration.toFixed(1)} s of audio, made in ${seconds()} s`;
    player.src = server + made.audio_url;
    player.hidden = false;
    player.play().catch(() => {}); // a browser may want a click on the player first
  } catch (failure) {
    progress.textContent = failure.name === "AbortError" ? "Stopped" : "";
    show(failure);
  } finally {
    clearInterval(clock);
    busy(null);
  }
}

studio.addEventListener("submit", (event) => {
  event.preventDefault();
  speak();
});
studio.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) speak();
});
stopButton.addEventListener("click", () => running?.abort());
access.addEventListener("submit", (event) => {
  event.preventDefault();
  sessionStorage.setItem(tokenKey, byId("token").value.trim());
  byId("token").value = "";
  openStudio();
});
addEventListener("hashchange", () => {
  if (takeToken()) openStudio();
});

takeToken();
await askWindow();
lookForProgram();
openStudio();
