// A table for a terminal: the first column to the left, the others to the right, each as wide as its longest cell.

/** @param parts rows of one width each; an empty line is between two parts */
export function textTable(...parts: readonly (readonly (readonly string[])[])[]): string {
  const rows = parts.flat();
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  ');
  return parts.map((part) => part.map((row) => `${line(row)}\n`).join('')).join('\n');
}
