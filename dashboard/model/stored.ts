// What the browser keeps for the viewer besides the address: the profile, pins, saved views, hidden opportunities.

export interface SavedView {
  name: string;
  /** As in the address, without `?`. */
  query: string;
}

export const VIEWS_MAX = 50;
const PINS_MAX = 200;

/** A list of texts; whatever else is stored counts as none. */
export function textsOf(stored: string | null): string[] {
  return listOf(stored)
    .filter((one): one is string => typeof one === 'string')
    .slice(-PINS_MAX);
}

export function viewsOf(stored: string | null): SavedView[] {
  return listOf(stored)
    .flatMap((one) => {
      const { name, query } = (one ?? {}) as Record<string, unknown>;
      return typeof name === 'string' && typeof query === 'string' ? [{ name, query }] : [];
    })
    .slice(0, VIEWS_MAX);
}

function listOf(stored: string | null): unknown[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(value) ? value : [];
  } catch {
    // Written by another program.
    return [];
  }
}
