// The keys of the whole page. Components bind keys while they are shown; the last binding of a key wins. `?` lists all bindings.
// Keys without Ctrl or ⌘ are ignored while the user types, and can be turned off.

import { type ReadonlySignal, signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { singleKeys } from './preference.ts';

export interface KeyBinding {
  /** Such as `j`, `Escape`, `g s` for a sequence, or `mod+k` for Ctrl or ⌘. */
  readonly keys: string;
  readonly what: string;
  readonly run: () => void;
}

export interface KeyGroup {
  readonly title: string;
  readonly bindings: readonly KeyBinding[];
}

const SEQUENCE_MS = 1_500;

const groups = signal<readonly KeyGroup[]>([]);

/** All current bindings, in the order in which they were made. */
export const boundKeys: ReadonlySignal<readonly KeyGroup[]> = groups;

/** Binds keys while the component is shown. */
export function useKeys(title: string, bindings: readonly KeyBinding[]): void {
  const latest = useRef(bindings);
  latest.current = bindings;
  const names = bindings.map(({ keys, what }) => `${keys} ${what}`).join('\n');
  useLayoutEffect(() => {
    // A layout effect, so that no key is lost once the component is shown. `run` is looked up at the key press, since it may have
    // newer values by then.
    const own: KeyGroup = {
      title,
      bindings: latest.current.map(({ keys, what }, at) => ({
        keys,
        what,
        run: () => latest.current[at]?.run(),
      })),
    };
    groups.value = [...groups.peek(), own];
    return () => {
      groups.value = groups.peek().filter((group) => group !== own);
    };
  }, [title, names]);
}

interface Steps<Item> {
  readonly items: readonly Item[];
  /** The index of the chosen item; -1 if none is. */
  readonly at: number;
  readonly choose: (item: Item, index: number) => void;
}

/** The keys that choose the next and the previous item of a list. */
export function stepKeys<Item>(
  what: string,
  { items, at, choose }: Steps<Item>,
): readonly KeyBinding[] {
  const step = (by: number) => (): void => {
    const next = Math.min(items.length - 1, Math.max(0, at + by));
    const item = items[next];
    if (item !== undefined) choose(item, next);
  };
  return [
    { keys: 'j', what: `Next ${what}`, run: step(1) },
    { keys: 'k', what: `Previous ${what}`, run: step(-1) },
  ];
}

/** Listens to the keyboard from now on. */
export function startKeys(): void {
  let first: { readonly key: string; readonly at: number } | undefined;
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || event.repeat) {
      if (!isRepeatable(event)) return;
    }
    const key = nameOf(event);
    const isAfter = first !== undefined && event.timeStamp - first.at < SEQUENCE_MS;
    const sequence = isAfter ? `${first?.key} ${key}` : undefined;
    first = undefined;
    if (!isForPage(event, key)) return;
    const binding = (sequence && bindingOf(sequence)) || bindingOf(key);
    if (binding === undefined) {
      if (startsSequence(key)) first = { key, at: event.timeStamp };
      return;
    }
    event.preventDefault();
    binding.run();
  });
}

/** Keys that repeat while they are held. */
function isRepeatable(event: KeyboardEvent): boolean {
  return event.repeat && !event.defaultPrevented && !event.isComposing && /^[jk]$/u.test(event.key);
}

function nameOf(event: KeyboardEvent): string {
  const mod = event.ctrlKey || event.metaKey ? 'mod+' : '';
  return `${mod}${event.key.length === 1 ? event.key.toLowerCase() : event.key}`;
}

function isForPage(event: KeyboardEvent, key: string): boolean {
  if (event.altKey) return false;
  if (key.startsWith('mod+')) return true;
  if (isDialogOpen() || isTyping(event.target)) return false;
  return key.length > 1 || singleKeys.peek() === 'on';
}

function bindingOf(keys: string): KeyBinding | undefined {
  return groups
    .peek()
    .flatMap(({ bindings }) => bindings)
    .findLast((binding) => binding.keys === keys);
}

function startsSequence(key: string): boolean {
  return groups
    .peek()
    .some(({ bindings }) => bindings.some(({ keys }) => keys.startsWith(`${key} `)));
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/u.test(target.tagName);
}

/** An open dialog handles keys itself. */
function isDialogOpen(): boolean {
  return document.querySelector('dialog[open]') !== null;
}
