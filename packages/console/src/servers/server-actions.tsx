// What can be done to a server: buttons, and what went wrong with the last of them.

import { useSignal } from '@preact/signals';
import type { ServerAction, ServerView } from '@plugboard/gateway/console-api';
import type { JSX } from 'preact';
import { post, reasonOf } from '../feed/request.ts';
import { useConsole } from '../store/context.ts';
import { Text } from '../text/text.tsx';
import { announce } from '../ui/announce.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';

export interface Action {
  readonly title: string;
  readonly icon: IconName;
  readonly action: ServerAction;
}

const CONNECT: Action = { title: 'Connect', icon: 'plug', action: { kind: 'connect' } };
const RESTART: Action = { title: 'Restart', icon: 'restart', action: { kind: 'restart' } };
const ENABLE: Action = { title: 'Enable', icon: 'power', action: { kind: 'enable' } };
const DISABLE: Action = { title: 'Disable', icon: 'power', action: { kind: 'disable' } };
const SIGN_IN: Action = { title: 'Sign in', icon: 'lock', action: { kind: 'sign-in' } };

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

interface ServerActionsProps {
  readonly server: ServerView;
  readonly actions: readonly Action[];
}

/** For administrators: what is done to a server concerns all who use it. */
export function ServerActions({ server, actions }: ServerActionsProps): JSX.Element | null {
  const { store } = useConsole();
  const isBusy = useSignal(false);
  const failure = useSignal('');
  if (store.gateway.value?.isAdministrator !== true) return null;
  const act = async ({ title, action }: Action): Promise<void> => {
    isBusy.value = true;
    const answer = await post<unknown>(`servers/${encodeURIComponent(server.name)}`, action);
    isBusy.value = false;
    failure.value = answer.kind === 'ok' ? '' : reasonOf(answer);
    announce(answer.kind === 'ok' ? `${title}: done.` : `${title}: ${failure.value}`);
  };
  return (
    <div class="actions">
      {actions.map((each) => (
        <button
          key={each.title}
          type="button"
          class="button"
          disabled={isBusy.value}
          onClick={() => void act(each)}
        >
          <Icon name={each.icon} />
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
