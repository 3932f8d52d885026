// What a person who does not see the page has to hear at once: what began to wait, what was answered, what went wrong. What went wrong
// with something that has no place of its own on the page is seen for a while, too.

import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { Text } from '../text/text.tsx';
import { Icon } from './icon.tsx';

const SEEN_MS = 10_000;

const said = signal({ text: '', count: 0 });
const seen = signal('');
let hiding: ReturnType<typeof setTimeout> | undefined;

export function announce(text: string): void {
  const { text: before, count } = said.peek();
  // The same words twice in a row are news twice.
  said.value = { text: before === text ? `${text}\u00A0` : text, count: count + 1 };
}

/** Says it aloud, and shows it. */
export function complain(text: string): void {
  announce(text);
  seen.value = text;
  clearTimeout(hiding);
  hiding = setTimeout(hide, SEEN_MS);
}

function hide(): void {
  seen.value = '';
}

/**
 * Where it is said. A dialog needs a place of its own: the browser takes the rest of the page away from readers while it is open. What
 * was said before it opened is not said again.
 */
export function Said(): JSX.Element {
  const since = useMemo(() => said.peek().count, []);
  const { text, count } = said.value;
  return (
    <div class="unseen" role="status" aria-live="polite">
      {count > since ? text : ''}
    </div>
  );
}

export function Announcer(): JSX.Element {
  return (
    <>
      <Said />
      {seen.value !== '' && (
        <section class="notice toast tone-bad" aria-label="What went wrong">
          <Icon name="alert" />
          <span class="notice-text">
            <Text of={seen.value} />
          </span>
          <button type="button" class="icon-button" aria-label="Hide this" onClick={hide}>
            <Icon name="cross" />
          </button>
        </section>
      )}
    </>
  );
}
