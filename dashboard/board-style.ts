// The board's own style sheet, the same on the page and inside the custom element. Colours follow `color-scheme`; a page
// that embeds the board overrides the --overround-* variables.

const LINE_PX = { compact: 18, normal: 24, roomy: 30 } as const;
const LINE_PX_TOUCH = 44;
/** Up to this height of a window, lines are compact. */
const COMPACT_PX = 820;

/** Height of one line of a game: for fingers, or as the density says, by default as the window has room. */
export function linePx(density: 'auto' | keyof typeof LINE_PX, isNarrow: boolean): number {
  if (matchMedia('(pointer: coarse)').matches || isNarrow) return LINE_PX_TOUCH;
  return LINE_PX[density === 'auto' ? (innerHeight <= COMPACT_PX ? 'compact' : 'normal') : density];
}

export const HEADING_PX = 28;
/** Narrower boards show no columns of books: an event opens to show them. */
export const NARROW_PX = 560;

/** Every rule is of the board alone: the page that it stands in has classes of its own. */
const STYLE = `
.board {
  --b-ground: var(--overround-ground, light-dark(#ffffff, #0e1116));
  --b-panel: var(--overround-panel, light-dark(#f3f5f8, #151a21));
  --b-edge: var(--overround-edge, light-dark(#dde2e9, #262d37));
  --b-text: var(--overround-text, light-dark(#1b222c, #d7dde5));
  --b-quiet: var(--overround-quiet, light-dark(#5a6472, #8f99a8));
  --b-up: var(--overround-up, light-dark(#0b6e42, #3ecf8e));
  --b-down: var(--overround-down, light-dark(#b3261e, #ff7b86));
  --b-best: var(--overround-best, light-dark(#d8f3e4, #183628));
  --b-accent: var(--overround-accent, light-dark(#855a00, #e5b454));
  --b-cell: 66px;
  --b-when: 68px;
  --b-name: 150px;
  --b-open: 58px;
  --b-best-width: 120px;
  --b-fair: 80px;
  --b-hold: 52px;
  position: relative;
  flex: 1;
  min-height: 0;
  overflow: auto;
  background: var(--b-ground);
  color: var(--b-text);
  font: var(--overround-font, 13px / 1.4 ui-sans-serif, system-ui, "Segoe UI", Roboto, sans-serif);
  font-variant-numeric: tabular-nums;
  scrollbar-width: thin;
  scrollbar-color: var(--b-edge) transparent;
  overscroll-behavior: contain;
}
.board:focus-visible { outline: 2px solid var(--b-accent); outline-offset: -2px; }
.board * { box-sizing: border-box; }
.board-head { position: sticky; top: 0; z-index: 3; background: var(--b-panel); color: var(--b-quiet); border-bottom: 1px solid var(--b-edge); }
.board-head .line { height: 30px; line-height: 30px; }
.board-head .cell { overflow: hidden; text-overflow: ellipsis; font-size: 11px; }
.board-head button { width: 100%; height: 100%; padding: 0; overflow: hidden; border: 0; background: none; color: inherit; font: inherit; text-align: inherit; text-overflow: ellipsis; cursor: pointer; }
.board-head button:hover { text-decoration: underline; }
.board-head [aria-sort="descending"] button::after { content: " ▾"; }
.board-head [aria-sort="ascending"] button::after { content: " ▴"; }
.board-head .pinned { background: var(--b-panel); }
.board-head .sharp { color: var(--b-accent); }
.board-head .dot { display: inline-block; width: 8px; height: 8px; margin-right: 4px; border: 1px solid var(--b-quiet); border-radius: 50%; }
.board-head .dot.fresh { background: var(--b-quiet); }
.board-head .dot.slow { background: linear-gradient(to right, var(--b-quiet) 50%, transparent 50%); }
.board-head .dot.old { border-style: dotted; }
.board-sheet { width: max-content; min-width: 100%; }
.board-body { position: relative; }
:where(.board) .block, :where(.board) .heading { position: absolute; left: 0; contain: layout style; }
:where(.board) .block { border-bottom: 1px solid var(--b-edge); cursor: pointer; min-width: 100%; }
:where(.board) .block[hidden], :where(.board) .heading[hidden] { display: none; }
:where(.board) .block:hover, :where(.board) .block:hover .pinned { background: var(--b-panel); }
:where(.board) .heading { right: 0; min-width: 100%; height: 28px; line-height: 28px; background: var(--b-panel); border-bottom: 1px solid var(--b-edge); }
:where(.board) .heading span { position: sticky; left: 0; padding-left: 8px; color: var(--b-quiet); font-size: 11px; font-weight: 600; letter-spacing: 0.06em; text-transform: uppercase; }
:where(.board) .line { display: flex; height: var(--b-line); line-height: var(--b-line); white-space: nowrap; }
:where(.board) .pinned { position: sticky; left: 0; z-index: 1; display: flex; flex: none; background: var(--b-ground); border-right: 1px solid var(--b-edge); }
:where(.board) .cell { position: relative; flex: none; width: var(--b-cell); padding: 0 4px; text-align: center; }
:where(.board) .cell i { margin-right: 4px; color: var(--b-quiet); font-style: normal; }
:where(.board) .cell i:empty { margin: 0; }
:where(.board) .cell b { font-weight: inherit; }
:where(.board) .cell.when, :where(.board) .when { width: var(--b-when); padding: 0 0 0 8px; text-align: left; color: var(--b-quiet); font-size: 11px; overflow: hidden; text-overflow: ellipsis; }
:where(.board) .when.live { color: var(--b-up); font-weight: 600; }
:where(.board) .name { width: var(--b-name); text-align: left; overflow: hidden; text-overflow: ellipsis; font-weight: 500; }
:where(.board) .name.detail { color: var(--b-quiet); font-size: 11px; font-weight: 400; }
:where(.board) .top { width: var(--b-best-width); text-align: right; font-weight: 650; color: var(--b-up); overflow: hidden; }
:where(.board) .top small { display: inline-block; width: 54px; margin-left: 4px; color: var(--b-quiet); font-weight: 400; font-size: 11px; text-align: left; }
:where(.board) .opening { width: var(--b-open); color: var(--b-quiet); font-size: 11px; text-align: right; }
:where(.board) .fair { width: var(--b-fair); color: var(--b-quiet); }
:where(.board) .hold { width: var(--b-hold); color: var(--b-quiet); }
:where(.board) .hold.arb { color: var(--b-up); font-weight: 650; }
:where(.board) .cell.best { background: var(--b-best); color: var(--b-up); font-weight: 650; }
:where(.board) .cell.excluded { color: var(--b-quiet); }
:where(.board) .cell.stale b { color: var(--b-quiet); text-decoration: underline dotted; text-underline-offset: 3px; }
:where(.board) .cell.suspended b { color: var(--b-quiet); text-decoration: line-through; }
:where(.board) .cell.rose::after, :where(.board) .cell.fell::after { content: ""; position: absolute; right: 4px; top: 50%; margin-top: -2px; border: 3px solid transparent; }
:where(.board) .cell.rose::after { border-top-width: 0; border-bottom: 5px solid var(--b-up); }
:where(.board) .cell.fell::after { border-bottom-width: 0; border-top: 5px solid var(--b-down); }
:where(.board) .cell.active { outline: 2px solid var(--b-accent); outline-offset: -2px; }
:where(.board) .cell.up { background: color-mix(in srgb, var(--b-up) 30%, transparent); }
:where(.board) .cell.down { background: color-mix(in srgb, var(--b-down) 30%, transparent); }
:where(.board) .cell:is(.up, .down), :where(.board) .cell:is(.up, .down) > :not(button) { color: var(--b-text); }
.board-empty { padding: 40px 16px; color: var(--b-quiet); text-align: center; }
.board.lost .line { filter: grayscale(1); }
.board.lost .cell { color: var(--b-quiet); background: none; }
.board.lost .cell.best { background: none; }
.board.wide-cells { --b-cell: 104px; --b-open: 92px; --b-best-width: 162px; }
@media (max-width: 1700px) { .board.wide-cells { --b-cell: 82px; --b-open: 74px; --b-when: 64px; --b-best-width: 154px; } .board.wide-cells .cell { padding: 0 2px; } .board.wide-cells .cell i { margin-right: 4px; font-size: 11px; } :where(.board) .cell.rose::after, :where(.board) .cell.fell::after { right: 1px; } }
.board.narrow { --b-when: 66px; --b-name: 1px; --b-best-width: 127px; --b-fair: 52px; --b-hold: 44px; }
.board.narrow .cell { padding: 0 4px; }
.board.narrow .when { padding-left: 8px; font-size: 11px; }
.board.narrow .board-head .line { height: 44px; line-height: 44px; }
.board.narrow .board-head .cell { font-size: 11px; }
.board.narrow .board-head .fair { padding: 0; }
.board.narrow .line { width: 100%; }
.board.narrow .board-sheet { width: 100%; }
.board.narrow .pinned { width: 100%; border-right: 0; }
.board.narrow .name { flex: 1; }
.board.narrow .block .name { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; align-self: center; font-size: 11px; line-height: 1.25; white-space: normal; }
.board.narrow .opening { display: none; }
.board.narrow .block { width: 100%; }
.board.narrow .prices { display: none; }
.board.narrow.wide-cells { --b-best-width: 147px; }
:where(.board) .prices { display: flex; }
`;

let sheet: CSSStyleSheet | undefined;

export function boardSheet(): CSSStyleSheet {
  if (sheet === undefined) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
  }
  return sheet;
}
