import { StyleModule as Base } from "../../../node_modules/style-mod/src/style-mod.js";

const sheets = new WeakMap<Document | ShadowRoot, Map<Base, CSSStyleSheet>>();

function sheetOf(module: Base): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(module.getRules());
  return sheet;
}

/**
 * Replaces the package style-mod, through which CodeMirror adds its styles. The original writes a <style>
 * element, which the server's policy forbids; constructed style sheets are allowed.
 */
export class StyleModule extends Base {
  static override mount(root: Document | ShadowRoot, modules: Base | readonly Base[]): void {
    const known = sheets.get(root) ?? new Map<Base, CSSStyleSheet>();
    sheets.set(root, known);
    for (const module of Array.isArray(modules) ? (modules as readonly Base[]) : [modules as Base]) {
      if (known.has(module)) continue;
      known.set(module, sheetOf(module));
    }
    // CodeMirror lists the module of the highest precedence first, so the first sheet goes last.
    const ours = new Set(known.values());
    const others = root.adoptedStyleSheets.filter((sheet) => !ours.has(sheet));
    root.adoptedStyleSheets = [...others, ...ours];
  }
}
