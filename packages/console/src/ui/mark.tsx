// States as an icon and a word, so that they never differ only in colour.

import type { CallState, ServerView } from '@plugboard/gateway/console-api';
import type { JSX } from 'preact';
import { Icon, type IconName } from './icon.tsx';

type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'calm';

export interface Look {
  readonly tone: Tone;
  readonly icon: IconName;
  readonly word: string;
}

export const SERVER_LOOKS: Readonly<Record<ServerView['state'], Look>> = {
  idle: { tone: 'calm', icon: 'idle', word: 'idle' },
  connecting: { tone: 'busy', icon: 'spin', word: 'connecting' },
  ready: { tone: 'good', icon: 'check', word: 'ready' },
  'needs-auth': { tone: 'warn', icon: 'lock', word: 'needs sign-in' },
  failed: { tone: 'bad', icon: 'alert', word: 'failed' },
  waiting: { tone: 'bad', icon: 'clock', word: 'retrying' },
  untrusted: { tone: 'warn', icon: 'shield', word: 'not trusted' },
  blocked: { tone: 'warn', icon: 'blocked', word: 'blocked' },
  disabled: { tone: 'calm', icon: 'pause', word: 'disabled' },
};

export const CALL_LOOKS: Readonly<Record<CallState, Look>> = {
  running: { tone: 'busy', icon: 'spin', word: 'running' },
  ok: { tone: 'good', icon: 'check', word: 'ok' },
  'tool-error': { tone: 'bad', icon: 'alert', word: 'tool error' },
  error: { tone: 'bad', icon: 'cross', word: 'error' },
  denied: { tone: 'warn', icon: 'blocked', word: 'denied' },
  cancelled: { tone: 'calm', icon: 'cross', word: 'cancelled' },
};

interface MarkProps {
  readonly look: Look;
  readonly title?: string;
}

export function Mark({ look, title }: MarkProps): JSX.Element {
  return (
    <span class={`mark tone-${look.tone}`} title={title}>
      <Icon name={look.icon} />
      <span class="mark-word">{look.word}</span>
    </span>
  );
}

/** The era of the protocol on a hop. */
export function EraBadge({ era }: { readonly era: 'legacy' | 'modern' | undefined }): JSX.Element {
  if (era === undefined) return <span class="faint">–</span>;
  const title = era === 'modern' ? 'The protocol of 2026-07-28' : 'The protocol up to 2025-11-25';
  return (
    <span class={`era era-${era}`} title={title}>
      {era}
    </span>
  );
}
