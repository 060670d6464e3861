const rowOf = (id: string) => document.querySelector<HTMLElement>(`[data-chapter="${CSS.escape(id)}"]`);

/** Focuses the row of a chapter. One outside the window does not exist before the list has scrolled to it. */
export function focusChapter(id: string, tries = 10): void {
  const row = rowOf(id);
  if (row) row.focus();
  else if (tries > 0) requestAnimationFrame(() => focusChapter(id, tries - 1));
}
