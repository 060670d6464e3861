/** Reports whether text can be typed into the element. */
export function isTextField(element: Element | null): element is HTMLElement {
  if (element instanceof HTMLTextAreaElement) return !element.readOnly && !element.disabled;
  if (element instanceof HTMLInputElement)
    return /^(text|search|url|email|tel|)$/.test(element.type) && !element.readOnly && !element.disabled;
  return element instanceof HTMLElement && Boolean(element.isContentEditable);
}

/** Types the text into the field at its selection, as one step that can be undone. Returns whether the field took it. */
export function insertText(field: HTMLElement, text: string): boolean {
  field.focus();
  return document.activeElement === field && document.execCommand("insertText", false, text);
}
