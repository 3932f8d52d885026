// The actions on a server: buttons, and the failure of the last action.

import { useSignal } from '@preact/signals';
import type { ServerAction, ServerDetail, ServerView } from '@plugboard/gateway/console-api';
import type { JSX } from 'preact';
import { type Answer, get, post, reasonOf } from '../feed/request.ts';
import { useConsole } from '../store/context.ts';
import { counted } from '../text/numbers.ts';
import { visible } from '../text/visible.ts';
import { announce } from '../ui/announce.tsx';
import { Failure } from '../ui/failure.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { SERVER_LOOKS } from '../ui/mark.tsx';

export interface Action {
  readonly title: string;
  readonly icon: IconName;
  readonly action: ServerAction;
  /** Whether the action is what the user most likely needs. */
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

/** An untrusted server is approved elsewhere: beside what it would start. */
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

/** Performs an action and announces its outcome. */
export async function act(server: string, action: Action): Promise<Answer<unknown>> {
  const { answer, outcome } = await attempt(server, action);
  announce(`${action.title} ${visible(server)}: ${outcome}.`);
  return answer;
}

/** Connects all idle servers and announces the outcome in one sentence. */
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
  if (answer.kind !== 'ok') return { answer, outcome: withoutFullStop(reasonOf(answer)) };
  if (!STARTING.has(action.kind)) return { answer, outcome: 'done' };
  // A successful request only means that the action was tried. Its outcome is in the state of the server.
  const now = await get<ServerDetail>(path);
  const isKnown = now.kind === 'ok';
  return {
    answer,
    outcome: isKnown ? SERVER_LOOKS[now.value.state].word : withoutFullStop(reasonOf(now)),
  };
}

function withoutFullStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}

interface ServerActionsProps {
  readonly server: ServerView;
  readonly actions: readonly Action[];
  readonly onDone?: () => void;
}

/** Only for administrators, since an action affects everyone who uses the server. */
export function ServerActions({ server, actions, onDone }: ServerActionsProps): JSX.Element | null {
  const { store } = useConsole();
  const busy = useSignal<string | undefined>(undefined);
  const last = useSignal<Answer<unknown> | undefined>(undefined);
  if (!store.isAdministrator) return null;
  const run = async (action: Action): Promise<void> => {
    busy.value = action.title;
    last.value = await act(server.name, action);
    busy.value = undefined;
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
      <Failure of={last.value} class="actions-failure tone-bad" />
    </div>
  );
}
