export interface HighlightPart {
  text: string;
  hit: boolean;
}

const entities: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };

/** Splits the server's escaped text with <mark> around hits into plain pieces; none of it is ever parsed as HTML. */
export function splitHighlight(html: string): HighlightPart[] {
  const plain = (part: string) => part.replace(/&(lt|gt|amp);/g, (entity) => entities[entity] ?? entity);
  return html
    .split(/(<mark>[^<]*<\/mark>)/)
    .filter(Boolean)
    .map((part) => {
      const hit = /^<mark>([^<]*)<\/mark>$/.exec(part);
      return hit ? { text: plain(hit[1] ?? ""), hit: true } : { text: plain(part), hit: false };
    });
}

export function Highlight({ html }: { html: string }) {
  return splitHighlight(html).map((part, i) =>
    part.hit ? <mark key={i}>{part.text}</mark> : <span key={i}>{part.text}</span>,
  );
}
