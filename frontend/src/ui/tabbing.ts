let tabbing = false;

function onKeyDown(event: KeyboardEvent): void {
  tabbing = event.key === "Tab";
}

function stop(event: Event): void {
  if (event.type !== "blur" || event.target === window) tabbing = false;
}

window.addEventListener("keydown", onKeyDown, true);
for (const name of ["keyup", "pointerdown", "blur"]) window.addEventListener(name, stop, true);

/** Reports whether the focus is being moved by the Tab key, and not by a click or a script. */
export const isTabbing = (): boolean => tabbing;
