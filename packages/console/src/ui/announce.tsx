// Announcements for screen readers: new approvals and questions, their answers, failures. A failure that has no place of its own
// on the page is also shown for a while.

import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { Text } from '../text/text.tsx';
import { Icon } from './icon.tsx';

const SHOWN_MS = 10_000;

const announcement = signal({ text: '', count: 0 });
const shownFailure = signal('');
let hiding: ReturnType<typeof setTimeout> | undefined;

export function announce(text: string): void {
  const { text: before, count } = announcement.peek();
  // A repeated text has to differ, or screen readers do not announce it again.
  announcement.value = { text: before === text ? `${text}\u00A0` : text, count: count + 1 };
}

/** Announces a failure and shows it. */
export function announceFailure(text: string): void {
  announce(text);
  shownFailure.value = text;
  clearTimeout(hiding);
  hiding = setTimeout(hide, SHOWN_MS);
}

function hide(): void {
  shownFailure.value = '';
}

/**
 * The live region. A dialog needs one of its own, since the rest of the page is hidden from screen readers while it is open. It
 * does not repeat earlier announcements.
 */
export function LiveRegion(): JSX.Element {
  const since = useMemo(() => announcement.peek().count, []);
  const { text, count } = announcement.value;
  return (
    <div class="unseen" role="status" aria-live="polite">
      {count > since ? text : ''}
    </div>
  );
}

export function Announcer(): JSX.Element {
  return (
    <>
      <LiveRegion />
      {shownFailure.value !== '' && (
        <section class="notice toast tone-bad" aria-label="What went wrong">
          <Icon name="alert" />
          <span class="notice-text">
            <Text of={shownFailure.value} />
          </span>
          <button type="button" class="icon-button" aria-label="Hide this" onClick={hide}>
            <Icon name="cross" />
          </button>
        </section>
      )}
    </>
  );
}
