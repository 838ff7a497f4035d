// What the page does beyond its links and forms: drop and watch, keys, times. All of it works without, but slower.
// Words from outside are only ever set as text.

const $ = (selector, root = document) => root.querySelector(selector);
const TONES = {
  SPAM: "spam", scam: "spam", not_credible: "spam", HAM: "ham", not_scam: "ham", credible: "ham",
  UNCERTAIN: "uncertain", suspicious: "uncertain", unclear: "uncertain",
};

// For whoever measures: the moment after what was just changed is on the screen.
function painted(what) {
  requestAnimationFrame(() => setTimeout(() => performance.mark(what)));
}

// ---- watching the panel -------------------------------------------------------------------------------------------

function arrived(list, step) {
  const item = $("#arrival").content.cloneNode(true).firstElementChild;
  $(".actor", item).textContent = step.actor;
  $(".says", item).textContent = step.status === "done" ? step.says : `${step.status}: ${step.says}`;
  if (typeof step.score === "number") {
    $(".score", item).textContent = step.score.toFixed(2);
    item.classList.add(step.score >= 0.7 ? "spam" : step.score <= 0.3 ? "ham" : "uncertain");
  }
  list.append(item);
}

// Follows a case to its end; calls `decided` with the verdict or `failed` with the reason.
function follow(id, live, decided, failed) {
  const list = $(".arriving", live);
  const state = $("[data-state]", live);
  list.replaceChildren();
  state.textContent = "The case is kept. The agents appear here as they finish.";
  state.classList.add("waiting");
  const source = new EventSource(`/cases/${encodeURIComponent(id)}/steps`);
  const seen = new Set();
  source.addEventListener("step", (event) => {
    if (seen.has(event.lastEventId)) return;
    seen.add(event.lastEventId);
    state.textContent = "The agents are looking.";
    arrived(list, JSON.parse(event.data));
  });
  const end = (then) => (event) => {
    source.close();
    state.classList.remove("waiting");
    then(JSON.parse(event.data));
  };
  source.addEventListener("verdict", end(decided));
  source.addEventListener("failed", end(failed));
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) failed({ error: "The service does not answer any more. The case is kept; load this page again in a moment." });
    else state.textContent = "The connection was lost; trying again.";
  };
}

// The whole case as the server draws it, without loading the page again. Scripts in it would not run, and there are none.
async function show(id, into) {
  const answer = await fetch(`/cases/${encodeURIComponent(id)}?part=article`);
  if (!answer.ok) return;
  const drawn = new DOMParser().parseFromString(await answer.text(), "text/html");
  const article = $("article", drawn);
  if (!article) return;
  into.replaceChildren(article);
  ready(into);
  painted("drawn");
}

// ---- the form -----------------------------------------------------------------------------------------------------

function checking(form) {
  const live = $("#live");
  const result = $("#case");

  const troubled = (why) => {
    form.classList.remove("busy");
    const drawn = $("#trouble").content.cloneNode(true);
    $(".why", drawn).textContent = why;
    $("#refusal").replaceChildren(drawn);
    $("#refusal").scrollIntoView({ block: "nearest" });
    result.replaceChildren();
    live.hidden = true;
    document.body.classList.remove("watching");
  };

  const decided = (id) => async (line) => {
    const drawn = $("#ruling").content.cloneNode(true).firstElementChild;
    drawn.classList.add(TONES[line.answer] ?? "uncertain");
    $(".badge", drawn).textContent = line.badge;
    $(".headline", drawn).textContent = line.summary;
    result.replaceChildren(drawn);
    painted("answered");
    live.classList.add("decided");
    $("[data-title]", live).textContent = "The panel has decided";
    $("[data-state]", live).textContent = `in ${line.elapsed_ms.toFixed(0)} ms`;
    form.classList.remove("busy");
    form.reset();
    history.pushState({ id }, "", `/cases/${id}`);
    document.title = `${line.badge} · malafide`;
    await show(id, result);
    $(".headline", result)?.focus({ preventScroll: true });
  };

  const send = async (file) => {
    const data = new FormData(form);
    if (file) data.set("file", file, file.name);
    const sent = data.get("file");
    if (!(sent && sent.size) && !String(data.get("text")).trim()) {
      troubled("There is nothing to check yet: paste a message or choose a file.");
      return $("#text").focus();
    }
    if (sent && sent.size > Number(form.dataset.most)) return troubled(`${sent.name} is larger than what is read here.`);
    if (sent && sent.size) data.delete("text");
    performance.mark("dropped");
    form.classList.add("busy");
    $("#latest")?.remove();
    $("#refusal").replaceChildren();
    result.replaceChildren();
    $(".arriving", live).replaceChildren();
    $("[data-title]", live).textContent = `The panel is looking at ${sent && sent.size ? sent.name : "the message"}`;
    $("[data-state]", live).textContent = "Sending.";
    $("[data-state]", live).classList.add("waiting");
    live.hidden = false;
    live.classList.remove("decided");
    document.body.classList.add("watching");
    scrollTo(0, 0);
    try {
      const answer = await fetch(form.action, { method: "POST", body: data, headers: { Accept: "application/json", "X-CSRF-Token": String(data.get("csrf")) } });
      const told = await answer.json();
      if (!answer.ok) return troubled(told.error ?? "It was refused.");
      follow(told.id, live, decided(told.id), (why) => troubled(why.error));
    } catch {
      troubled("The service does not answer. Is it still running?");
    }
  };

  form.addEventListener("submit", (event) => { event.preventDefault(); send(); });
  $("#file", form).addEventListener("change", (event) => { if (event.target.files.length) send(); });
  let depth = 0;
  const files = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  addEventListener("dragenter", (event) => { if (files(event)) { depth += 1; form.classList.add("over"); } });
  addEventListener("dragleave", (event) => { if (files(event) && (depth -= 1) <= 0) { depth = 0; form.classList.remove("over"); } });
  addEventListener("dragover", (event) => { if (files(event)) event.preventDefault(); });
  addEventListener("drop", (event) => {
    if (!files(event)) return;
    event.preventDefault();
    depth = 0;
    form.classList.remove("over");
    if (event.dataTransfer.files.length) send(event.dataTransfer.files[0]);
  });
  addEventListener("popstate", () => location.reload());
}

// ---- keys ---------------------------------------------------------------------------------------------------------

const PLACES = { c: "/", q: "/queue", h: "/history", d: "/dashboard", k: "/knowledge", a: "/about" };
let going = false;
let at = -1;

function step(by) {
  const marks = [...document.querySelectorAll("a.mark")];
  if (!marks.length) return;
  at = (at + by + marks.length) % marks.length;
  marks[at].focus();
  marks[at].scrollIntoView({ block: "center" });
}

function typing(target) {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || typing(event.target) || $("dialog[open]")) return;
  const key = event.key;
  if (going) {
    going = false;
    if (PLACES[key]) { event.preventDefault(); location.assign(PLACES[key]); }
    return;
  }
  if (key === "?") { $("#help").showModal(); return; }
  if (key === "g") { going = true; setTimeout(() => { going = false; }, 1500); return; }
  if (key === "n" || key === "p") { step(key === "n" ? 1 : -1); return; }
  if (key === "/" && $("input[type=search]")) { event.preventDefault(); $("input[type=search]").focus(); return; }
  const found = /^[a-z]$/.test(key) && $(`[data-key="${key}"]`);
  if (!found) return;
  event.preventDefault();
  if (found instanceof HTMLFormElement) found.requestSubmit();
  else found.click();
});

// One decision is one click: a second one, of a hasty finger, would decide about the next case.
addEventListener("submit", (event) => {
  if (event.defaultPrevented || !(event.target instanceof HTMLFormElement) || event.target.method !== "post") return;
  if (event.target.dataset.sent) event.preventDefault();
  event.target.dataset.sent = "1";
});
addEventListener("pageshow", () => { for (const form of document.forms) delete form.dataset.sent; });

// ---- whatever is on the page --------------------------------------------------------------------------------------

function ready(root) {
  for (const time of root.querySelectorAll("time[datetime]")) {
    const when = new Date(time.dateTime);
    if (Number.isNaN(when.valueOf())) continue;
    time.title = time.textContent;
    time.textContent = when.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  }
}

ready(document);
for (const button of document.querySelectorAll("[data-help]")) {
  button.hidden = false;
  button.addEventListener("click", () => $("#help").showModal());
}
if ($("#check")) checking($("#check"));
const waiting = $("[data-follow]");
if (waiting) follow(waiting.dataset.follow, waiting, () => location.reload(), () => location.reload());
