// What can be done to a server: buttons, and what went wrong with the last of them.

import { useSignal } from '@preact/signals';
import type { ServerAction, ServerDetail, ServerView } from '@plugboard/gateway/console-api';
import type { JSX } from 'preact';
import { type Answer, get, post, reasonOf } from '../feed/request.ts';
import { useConsole } from '../store/context.ts';
import { counted } from '../text/numbers.ts';
import { Text } from '../text/text.tsx';
import { visible } from '../text/visible.ts';
import { announce } from '../ui/announce.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { SERVER_LOOKS } from '../ui/mark.tsx';

export interface Action {
  readonly title: string;
  readonly icon: IconName;
  readonly action: ServerAction;
  /** What the person most likely came for. */
  readonly isMain?: boolean;
}

const CONNECT: Action = {
  title: 'Connect',
  icon: 'plug',
  action: { kind: 'connect' },
  isMain: true,
};
const RESTART: Action = { title: 'Restart', icon: 'restart', action: { kind: 'restart' } };
const ENABLE: Action = { title: 'Enable', icon: 'power', action: { kind: 'enable' }, isMain: true };
const DISABLE: Action = { title: 'Disable', icon: 'power', action: { kind: 'disable' } };
const SIGN_IN: Action = {
  title: 'Sign in',
  icon: 'lock',
  action: { kind: 'sign-in' },
  isMain: true,
};
export const SIGN_OUT: Action = { title: 'Sign out', icon: 'lock', action: { kind: 'sign-out' } };

/** One that waits for approval is approved where what would start is shown. */
export const ACTIONS: Readonly<Record<ServerView['state'], readonly Action[]>> = {
  idle: [CONNECT, DISABLE],
  connecting: [RESTART, DISABLE],
  ready: [RESTART, DISABLE],
  'needs-auth': [SIGN_IN, DISABLE],
  failed: [RESTART, DISABLE],
  waiting: [RESTART, DISABLE],
  untrusted: [DISABLE],
  blocked: [],
  disabled: [ENABLE],
};

const READY = SERVER_LOOKS.ready.word;
const STARTING: ReadonlySet<ServerAction['kind']> = new Set(['connect', 'restart']);

/** Does it, and says aloud what came of it. */
export async function act(server: string, action: Action): Promise<Answer<unknown>> {
  const { answer, outcome } = await attempt(server, action);
  announce(`${action.title} ${visible(server)}: ${outcome}.`);
  return answer;
}

/** Those that were not needed so far. How each goes is seen in its state; aloud, one sentence is about all of them. */
export async function connectAll(servers: readonly ServerView[]): Promise<void> {
  const idle = servers.filter(({ state }) => state === 'idle');
  const attempts = await Promise.all(
    idle.map(async ({ name }) => ({ name, ...(await attempt(name, CONNECT)) })),
  );
  const others = attempts.filter(({ outcome }) => outcome !== READY);
  const ready = `${attempts.length - others.length} of ${counted(attempts.length, 'server')} ready`;
  const rest = others.map(({ name, outcome }) => `${visible(name)}: ${outcome}`);
  announce(`${[ready, ...rest].join('; ')}.`);
}

interface Attempt {
  readonly answer: Answer<unknown>;
  readonly outcome: string;
}

async function attempt(server: string, { action }: Action): Promise<Attempt> {
  const path = `servers/${encodeURIComponent(server)}`;
  const answer = await post<unknown>(path, action);
  if (answer.kind !== 'ok') return { answer, outcome: asPart(reasonOf(answer)) };
  if (!STARTING.has(action.kind)) return { answer, outcome: 'done' };
  // That it was tried does not say that it worked: whether the server can be used is in its state.
  const now = await get<ServerDetail>(path);
  const isKnown = now.kind === 'ok';
  return { answer, outcome: isKnown ? SERVER_LOOKS[now.value.state].word : asPart(reasonOf(now)) };
}

function asPart(sentence: string): string {
  return sentence.replace(/\.$/, '');
}

interface ServerActionsProps {
  readonly server: ServerView;
  readonly actions: readonly Action[];
  readonly onDone?: () => void;
}

/** For administrators: what is done to a server concerns all who use it. */
export function ServerActions({ server, actions, onDone }: ServerActionsProps): JSX.Element | null {
  const { store } = useConsole();
  const busy = useSignal<string | undefined>(undefined);
  const failure = useSignal('');
  if (store.gateway.value?.isAdministrator !== true) return null;
  const run = async (action: Action): Promise<void> => {
    busy.value = action.title;
    const answer = await act(server.name, action);
    busy.value = undefined;
    failure.value = answer.kind === 'ok' ? '' : reasonOf(answer);
    onDone?.();
  };
  return (
    <div class="actions">
      {actions.map((each) => (
        <button
          key={each.title}
          type="button"
          class={`button ${each.isMain === true ? 'button-main' : ''}`}
          disabled={busy.value !== undefined}
          onClick={() => void run(each)}
        >
          <Icon name={busy.value === each.title ? 'spin' : each.icon} />
          {each.title}
        </button>
      ))}
      {failure.value !== '' && (
        <p class="actions-failure tone-bad">
          <Text of={failure.value} />
        </p>
      )}
    </div>
  );
}
