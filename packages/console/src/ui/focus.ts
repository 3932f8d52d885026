// Where the focus goes when what had it disappears, and that it follows what a person chooses by keys: who does not see the page hears
// only what has the focus. Dialogs keep their own.

import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** What has a name to be read, from the inside out. */
const PLACES = 'dialog, article, section[aria-label], main';

/** Gives the focus back from now on: to a button that rested while it was busy, or to the place around what is gone. */
export function startKeepingFocus(): void {
  let last: { readonly element: HTMLElement; readonly around: readonly HTMLElement[] } | undefined;
  const follow = (target: EventTarget | null): void => {
    if (target instanceof HTMLElement) last = { element: target, around: placesAround(target) };
  };
  addEventListener('focusin', ({ target }) => follow(target));
  const leave = ({ relatedTarget }: FocusEvent): void => {
    if (relatedTarget !== null) return follow(relatedTarget);
    // A person may have clicked beside everything. What disappears or rests is known only after this event.
    setTimeout(() => {
      if (last !== undefined && isNowhere() && canHaveFocus(last.element)) last = undefined;
    });
  };
  // On its way to the next element the focus is nowhere for a moment. A field that is left draws then what is wrong in it, so that this
  // has to be known before the field hears of it.
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

/** A place takes the focus only when it is given. */
function focusOn(element: HTMLElement | null): void {
  if (element === null) return;
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

/** Focuses the element with this id once the next state is drawn. */
export function focusSoon(id: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`#${CSS.escape(id)}`)?.focus());
}

/** When another view is shown, as after a page was loaded. */
export function focusMain(): void {
  focusOn(document.querySelector('main'));
}

/**
 * `list` holds what is chosen, which is `aria-current`. After `follow`, the focus goes to what is chosen next, so that it is heard
 * before a key decides about it.
 */
export function useFollowedChoice<List extends HTMLElement>(
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
