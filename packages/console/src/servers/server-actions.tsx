// What can be done to a server: buttons, and what went wrong with the last of them.

import { useSignal } from '@preact/signals';
import type { ServerAction, ServerView } from '@plugboard/gateway/console-api';
import type { JSX } from 'preact';
import { type Answer, post, reasonOf } from '../feed/request.ts';
import { useConsole } from '../store/context.ts';
import { Text } from '../text/text.tsx';
import { visible } from '../text/visible.ts';
import { announce } from '../ui/announce.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';

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

/** Does it, and says aloud how that went. */
export async function act(
  server: string,
  { title, action }: Pick<Action, 'title' | 'action'>,
): Promise<Answer<unknown>> {
  const answer = await post<unknown>(`servers/${encodeURIComponent(server)}`, action);
  const what = `${title} ${visible(server)}`;
  announce(answer.kind === 'ok' ? `${what}: done.` : `${what}: ${reasonOf(answer)}`);
  return answer;
}

/** Those that were not needed so far. How each goes is seen in its state. */
export async function connectAll(servers: readonly ServerView[]): Promise<void> {
  const idle = servers.filter(({ state }) => state === 'idle');
  await Promise.all(idle.map(({ name }) => act(name, CONNECT)));
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
