// The current route: a view and what it shows. Kept in the fragment of the address, so it can be bookmarked, works with the
// browser's back button, and needs no server.

import { type ReadonlySignal, signal } from '@preact/signals';

export interface Route {
  /** The name of a view; empty for the first view. */
  readonly view: string;
  readonly path: readonly string[];
}

const current = signal<Route>({ view: '', path: [] });

export const route: ReadonlySignal<Route> = current;

/** Starts following the address. */
export function startRouting(): void {
  const read = (): void => {
    current.value = parseRoute(location.hash);
  };
  addEventListener('hashchange', read);
  read();
}

export function parseRoute(fragment: string): Route {
  const [view = '', ...path] = fragment.replace(/^#\/?/u, '').split('/').map(decoded);
  return { view, path: path.filter((part) => part !== '') };
}

export function addressOf(...parts: readonly string[]): string {
  return `#/${parts.map(encodeURIComponent).join('/')}`;
}

export function goTo(...parts: readonly string[]): void {
  location.hash = addressOf(...parts);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // Typed by hand, with a literal percent sign.
    return part;
  }
}
