let tabbing = false;

function onKeyDown(event: KeyboardEvent): void {
  tabbing = event.key === "Tab";
}

function stop(event: Event): void {
  if (event.type !== "blur" || event.target === window) tabbing = false;
}

window.addEventListener("keydown", onKeyDown, true);
for (const name of ["keyup", "pointerdown", "blur"]) window.addEventListener(name, stop, true);

/** Whether the focus moves by the Tab key just now, and not by a click or a script. */
export const isTabbing = (): boolean => tabbing;
