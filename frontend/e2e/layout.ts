/**
 * Returns the layout faults of the current page. It runs in the page, so it can use nothing from outside.
 * A control that scrolled out of view inside a list is no fault; one that is clipped, covered, or overflows is.
 */
export function faultsOfLayout(): string[] {
  const found = new Set<string>();
  const width = document.documentElement.clientWidth;
  const modal = document.querySelector('[role="dialog"]');
  const root = modal ?? document.body;
  const slack = 1.5; // pixels, for borders at half pixels

  const say = (element: Element) => {
    const words = (element.getAttribute("aria-label") ?? element.textContent ?? "")
      .trim()
      .replace(/[\u202a-\u202e]/g, "")
      .slice(0, 40);
    return `<${element.tagName.toLowerCase()}${element.className && typeof element.className === "string" ? `.${element.className.split(" ")[0] ?? ""}` : ""}> "${words}"`;
  };
  const isHidden = (element: Element) =>
    !element.checkVisibility({ visibilityProperty: true }) ||
    element.closest(".sr-only, [aria-hidden=true] [inert]") !== null;
  const clips = (element: Element) => getComputedStyle(element).overflowX !== "visible";
  const scrolls = (element: Element) => /auto|scroll/.test(getComputedStyle(element).overflowX);

  /** Returns the part of a box that its ancestors do not clip. */
  function seen(element: Element): DOMRect {
    const box = element.getBoundingClientRect();
    let [left, top, right, bottom] = [box.left, box.top, box.right, box.bottom];
    for (let up = element.parentElement; up; up = up.parentElement) {
      if (getComputedStyle(up).overflowY === "visible" && !clips(up)) continue;
      const frame = up.getBoundingClientRect();
      [left, top, right, bottom] = [
        Math.max(left, frame.left),
        Math.max(top, frame.top),
        Math.min(right, frame.right),
        Math.min(bottom, frame.bottom),
      ];
    }
    return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
  }
  const isInView = (part: DOMRect) => part.width > 2 && part.height > 2 && part.bottom > 0 && part.top < innerHeight;

  // 1. Nothing scrolls sideways except what is marked as a strip of tabs or groups.
  if (document.documentElement.scrollWidth > innerWidth)
    found.add(`the document is ${String(document.documentElement.scrollWidth)} wide in ${String(innerWidth)}`);
  for (const element of root.querySelectorAll("*")) {
    if (
      scrolls(element) &&
      element.scrollWidth > element.clientWidth + 1 &&
      !isHidden(element) &&
      !element.matches("nav, [role=tablist]") &&
      element.tagName !== "TEXTAREA"
    ) {
      found.add(`scrolls sideways by ${String(element.scrollWidth - element.clientWidth)}: ${say(element)}`);
    }
  }

  // 2. Controls: inside the window, not clipped at a side, not covered, not overlapping.
  const controls = [
    ...root.querySelectorAll(
      "a[href], button, input, select, textarea, summary, [role=slider], [role=option], [role=tab], [contenteditable=true]",
    ),
  ].filter((element) => !isHidden(element) && element.closest("[inert]") === null);
  const parts = controls
    .map((element) => ({ element, box: element.getBoundingClientRect(), part: seen(element) }))
    .filter(
      ({ part, box }) =>
        isInView(part) || (box.top < innerHeight && box.bottom > 0 && (box.right > width || box.left < 0)),
    );
  for (const { element, box, part } of parts) {
    const strip = element.closest("nav, [role=tablist]");
    if (strip && strip.scrollWidth > strip.clientWidth + 1) continue;
    if (box.left < -slack || box.right > width + slack)
      found.add(
        `outside the window (${String(Math.round(box.left))} to ${String(Math.round(box.right))} of ${String(width)}): ${say(element)}`,
      );
    else if (part.width < box.width - slack && part.height > box.height - slack)
      found.add(
        `cut at the side, ${String(Math.round(part.width))} of ${String(Math.round(box.width))}: ${say(element)}`,
      );
    if (!isInView(part)) continue;
    const top = document.elementFromPoint(part.left + part.width / 2, part.top + part.height / 2);
    const label = top?.closest("label");
    const isOwn =
      top === null ||
      element.contains(top) ||
      top.contains(element) ||
      (label !== null && label !== undefined && element.id !== "" && label.htmlFor === element.id);
    if (!isOwn && part.height > box.height - slack) found.add(`covered by ${say(top)}: ${say(element)}`);
  }
  for (let i = 0; i < parts.length; i++) {
    for (let j = i + 1; j < parts.length; j++) {
      const [a, b] = [parts[i], parts[j]];
      if (!a || !b || a.element.contains(b.element) || b.element.contains(a.element)) continue;
      const over = Math.min(a.part.right, b.part.right) - Math.max(a.part.left, b.part.left);
      const down = Math.min(a.part.bottom, b.part.bottom) - Math.max(a.part.top, b.part.top);
      if (over > 2 && down > 2)
        found.add(
          `overlaps by ${String(Math.round(over))} x ${String(Math.round(down))}: ${say(a.element)} and ${say(b.element)}`,
        );
    }
  }

  // 3. Text: complete, or with an ellipsis and an accessible name in full; rows show their content in the details.
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const holder = node.parentElement;
    if (
      !holder ||
      !node.textContent?.trim() ||
      isHidden(holder) ||
      holder.closest("option, .cm-editor, textarea, [inert], .k-sr, canvas") !== null
    )
      continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const words = range.getBoundingClientRect();
    if (words.width < 1 || words.bottom < 0 || words.top > innerHeight) continue;
    const box = holder.closest(
      "button, a[href], label, summary, h1, h2, h3, [role=tab], [role=radio], [role=option], .k-chip, .k-badge, .k-btnp > span",
    );
    for (let up: Element | null = holder; up && up !== root; up = up.parentElement) {
      const frame = up.getBoundingClientRect();
      const spills = words.left < frame.left - slack || words.right > frame.right + slack;
      if (up === box && spills && !clips(up))
        found.add(
          `spills out of its box by ${String(Math.round(Math.max(frame.left - words.left, words.right - frame.right)))}: ${say(box)}`,
        );
      if (!clips(up)) continue;
      if (!spills || scrolls(up)) break;
      const style = getComputedStyle(up);
      const short = style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
      const named = up.closest("[title], [aria-label]");
      const isContent = box === null && up.closest("[role=row], [role=listbox], li, dd, p") !== null;
      if (!short) found.add(`words cut without an ellipsis by ${say(up)}: "${node.textContent.trim().slice(0, 40)}"`);
      else if (
        !isContent &&
        (named === null ||
          !root.contains(named) ||
          named.matches("section, aside, nav, [role=dialog], [role=grid], [role=listbox], ul, ol"))
      )
        found.add(`words cut, and no title says them: ${say(up)}`);
      break;
    }
  }
  return [...found];
}
