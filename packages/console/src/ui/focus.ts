// Moves the focus when its element disappears, and to the item that the user selects by keys: screen readers only read what has
// the focus. Dialogs manage their own.

import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** The elements with a name for screen readers. */
const PLACES = 'dialog, article, section[aria-label], main';

/** Starts restoring the focus: to a button that was disabled while busy, or to the place around a removed element. */
export function startKeepingFocus(): void {
  let last: { readonly element: HTMLElement; readonly around: readonly HTMLElement[] } | undefined;
  const follow = (target: EventTarget | null): void => {
    if (target instanceof HTMLElement) last = { element: target, around: placesAround(target) };
  };
  addEventListener('focusin', ({ target }) => follow(target));
  const leave = ({ relatedTarget }: FocusEvent): void => {
    if (relatedTarget !== null) return follow(relatedTarget);
    // The user may have clicked on nothing. Whether the element was removed or disabled is known only after this event.
    setTimeout(() => {
      if (last !== undefined && isNowhere() && canHaveFocus(last.element)) last = undefined;
    });
  };
  // Between two elements, the focus is nowhere for a moment, and a field that loses it then draws its problem. So this listener has
  // to run before those of the field.
  addEventListener('blur', leave, { capture: true });
  const watch = new MutationObserver(() => {
    if (last === undefined || !isNowhere()) return;
    const { element, around } = last;
    if (canHaveFocus(element)) element.focus({ preventScroll: true });
    else if (!element.isConnected) {
      focusOn(around.find(({ isConnected }) => isConnected) ?? document.querySelector('main'));
    }
  });
  watch.observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['disabled'],
  });
}

function placesAround(element: HTMLElement): readonly HTMLElement[] {
  const place = element.parentElement?.closest<HTMLElement>(PLACES) ?? null;
  return place === null ? [] : [place, ...placesAround(place)];
}

function isNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

function canHaveFocus(element: HTMLElement): boolean {
  return element.isConnected && !element.matches(':disabled');
}

/** A place can only be focused by script. */
function focusOn(element: HTMLElement | null): void {
  if (element === null) return;
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

/** Focuses the element with this id once the next state is drawn. */
export function focusSoon(id: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`#${CSS.escape(id)}`)?.focus());
}

/** For a change of the view, which is like loading a page. */
export function focusMain(): void {
  focusOn(document.querySelector('main'));
}

/**
 * `list` contains the selected item, which is `aria-current`. After `follow`, the focus moves to the next selected item, so that
 * screen readers read it before a key decides about it.
 */
export function useFocusedSelection<List extends HTMLElement>(
  chosen: string | undefined,
): { readonly list: RefObject<List | null>; readonly follow: () => void } {
  const list = useRef<List>(null);
  const isFollowed = useRef(false);
  const before = useRef(chosen);
  useEffect(() => {
    if (before.current === chosen) return;
    const current = list.current?.querySelector<HTMLElement>('[aria-current="true"]') ?? null;
    if (current === null && chosen !== undefined) return;
    before.current = chosen;
    if (isFollowed.current) focusOn(current?.querySelector<HTMLElement>('.row-link') ?? current);
    isFollowed.current = false;
  });
  return {
    list,
    follow: () => {
      isFollowed.current = true;
    },
  };
}
