// Where the page is: a view and what is looked at in it, kept in the fragment of the address, so that it can be
// bookmarked, goes back and forth with the browser's buttons, and needs nothing of the server.

import { type ReadonlySignal, signal } from '@preact/signals';

export interface Route {
  /** The name of a view, or nothing for the first. */
  readonly view: string;
  readonly path: readonly string[];
}

const current = signal<Route>({ view: '', path: [] });

export const route: ReadonlySignal<Route> = current;

/** Follows the address from now on. */
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
    // Typed by hand, with a stray percent sign.
    return part;
  }
}
