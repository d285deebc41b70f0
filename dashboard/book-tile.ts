// A book's face: a tile of two colours that are its own everywhere. No logos, which belong to the books.
import { html, type TemplateResult } from 'lit-html';

export function bookTile(book: string): TemplateResult {
  let hash = 7;
  for (const char of book) hash = (hash * 31 + char.charCodeAt(0)) >>> 0;
  const [one, other] = [(hash * 47) % 360, ((hash >>> 8) * 83) % 360];
  const colours = `linear-gradient(135deg, hsl(${one} 62% 46%) 50%, hsl(${other} 58% 62%) 50%)`;
  return html`<i class="tile" aria-hidden="true" .style=${`background: ${colours}`}></i>`;
}
