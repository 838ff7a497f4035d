// What an auditor of pages looks at, run inside the page: [what is wrong, where] for each finding.
() => {
  const wrong = [];
  const where = (e) => `${e.tagName.toLowerCase()}${e.id ? "#" + e.id : ""}.${[...e.classList].join(".")} "${(e.textContent || "").trim().slice(0, 40)}"`;
  const shown = (e) => {
    if (!e.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) return false;
    const box = e.getBoundingClientRect();
    return box.width > 1 && box.height > 1 && !e.closest(".hush") && !e.matches(".skip");
  };
  const name = (e) => (e.getAttribute("aria-label") || e.textContent || "").trim() || [...(e.labels ?? [])].map((l) => l.textContent.trim()).join(" ");

  if (!document.documentElement.lang) wrong.push(["the page names no language", "html"]);
  if (!document.title.trim()) wrong.push(["the page has no title", "title"]);
  if (document.querySelectorAll("main").length !== 1) wrong.push(["there is not one main landmark", "main"]);
  const mains = [...document.querySelectorAll("h1")].filter(shown);
  if (mains.length !== 1) wrong.push([`there are ${mains.length} main headings`, "h1"]);
  let last = 0;
  for (const h of document.querySelectorAll("h1, h2, h3, h4")) {
    if (!shown(h)) continue;
    const level = Number(h.tagName[1]);
    if (last && level > last + 1) wrong.push(["a level of headings is left out", where(h)]);
    last = level;
  }
  const ids = new Map();
  for (const e of document.querySelectorAll("[id]")) {
    if (ids.has(e.id)) wrong.push(["an id stands twice", where(e)]);
    ids.set(e.id, e);
  }
  for (const e of document.querySelectorAll("a[href^='#']")) {
    if (!ids.has(decodeURIComponent(e.getAttribute("href").slice(1)))) wrong.push(["a link leads nowhere on this page", where(e)]);
  }
  for (const e of document.querySelectorAll("input:not([type=hidden]), select, textarea")) {
    if (!name(e)) wrong.push(["a field has no label", where(e)]);
  }
  for (const e of document.querySelectorAll("a, button, summary")) {
    if (shown(e) && !name(e)) wrong.push(["nothing tells what this does", where(e)]);
  }
  for (const e of document.querySelectorAll("button, .button, input:not([type=hidden]), select, nav a")) {
    const box = e.getBoundingClientRect();
    if (shown(e) && !e.matches(".link") && (box.width < 24 || box.height < 24)) wrong.push(["too small to hit", where(e)]);
  }
  for (const e of document.querySelectorAll("svg")) {
    if (e.getAttribute("aria-hidden") !== "true" && !e.getAttribute("aria-label")) wrong.push(["a drawing says nothing", where(e)]);
  }
  for (const e of document.querySelectorAll("table thead th")) {
    if (e.scope !== "col") wrong.push(["a column head is no head", where(e)]);
  }
  for (const e of document.querySelectorAll("[tabindex]")) {
    if (e.tabIndex > 0) wrong.push(["the order of focus is bent", where(e)]);
  }

  // Contrast, as WCAG counts it; grounds that shine through are laid over each other.
  const parse = (c) => {
    const found = c.match(/[\d.]+/g).map(Number);
    return { r: found[0], g: found[1], b: found[2], a: found.length > 3 ? found[3] : 1 };
  };
  const over = (a, b) => ({ r: a.r * a.a + b.r * (1 - a.a), g: a.g * a.a + b.g * (1 - a.a), b: a.b * a.a + b.b * (1 - a.a), a: 1 });
  const ground = (e) => {
    const layers = [];
    for (let at = e; at; at = at.parentElement) {
      const c = parse(getComputedStyle(at).backgroundColor);
      if (c.a > 0) layers.push(c);
      if (c.a === 1) break;
    }
    return layers.reduceRight((below, c) => over(c, below), { r: 255, g: 255, b: 255, a: 1 });
  };
  const light = ({ r, g, b }) => {
    const [x, y, z] = [r, g, b].map((v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const seen = new Set();
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || seen.has(e) || !shown(e)) continue;
    seen.add(e);
    const style = getComputedStyle(e);
    const below = ground(e);
    const [a, b] = [light(over(parse(style.color), below)), light(below)].sort((x, y) => y - x);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < (large ? 3 : 4.5)) wrong.push([`contrast ${ratio.toFixed(2)}`, where(e)]);
  }
  if (document.documentElement.scrollWidth > document.documentElement.clientWidth) wrong.push(["it scrolls sideways", `${document.documentElement.scrollWidth}`]);
  return wrong;
}
