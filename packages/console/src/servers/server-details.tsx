// One server: its problem and the remedy, its actions, tools and log.

import type { ServerDetail, ServerView } from '@plugboard/gateway/console-api';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { useConsole } from '../store/context.ts';
import { counted, shortCount } from '../text/numbers.ts';
import { Text } from '../text/text.tsx';
import { Fact } from '../ui/fact.tsx';
import { Failure } from '../ui/failure.tsx';
import { Icon } from '../ui/icon.tsx';
import { useLoaded } from '../ui/loaded.ts';
import { EraBadge, Mark, SERVER_LOOKS } from '../ui/mark.tsx';
import { addressOf } from '../ui/route.ts';
import { ACTIONS, ServerActions, SIGN_OUT } from './server-actions.tsx';
import { ServerDoctor } from './server-doctor.tsx';
import { ServerLog } from './server-log.tsx';
import { ServerNotice } from './server-notice.tsx';
import { ServerTools } from './server-tools.tsx';
import { ServerTrust } from './server-trust.tsx';

const TABS = [
  { name: 'tools', title: 'Tools', isForAll: true },
  { name: 'log', title: 'Log', isForAll: false },
  { name: 'doctor', title: 'Doctor', isForAll: false },
] as const;

interface ServerDetailsProps {
  readonly server: ServerView;
  readonly tab: string | undefined;
}

export function ServerDetails({ server, tab: named }: ServerDetailsProps): JSX.Element {
  const { answer, reload } = useLoaded<ServerDetail>(`servers/${encodeURIComponent(server.name)}`);
  // With the state, tools and decisions may have changed.
  useEffect(() => void reload(), [server.state, server.tools, server.quarantined]);
  const detail = answer.value;
  const { isAdministrator } = useConsole().store;
  const tab = named ?? (isAdministrator ? firstTab(server) : 'tools');
  const signedIn = detail?.kind === 'ok' ? detail.value.signedIn : undefined;
  const actions = [...ACTIONS[server.state], ...(signedIn === undefined ? [] : [SIGN_OUT])];
  return (
    <>
      <div class="pane-head">
        <a class="icon-button back" href="#/servers" aria-label="Close the details">
          <Icon name="back" />
        </a>
        <h2>
          <Text of={server.name} />
        </h2>
        <Mark look={SERVER_LOOKS[server.state]} />
        <span class="spacer" />
        <ServerActions server={server} actions={actions} onDone={() => void reload()} />
      </div>
      <ServerNotice server={server} />
      {detail?.kind === 'ok' && detail.value.trust !== undefined && (
        <ServerTrust server={server} trust={detail.value.trust} />
      )}
      <Facts server={server} signedIn={signedIn} />
      <nav class="tabs" aria-label="Parts of the server">
        {TABS.filter(({ isForAll }) => isForAll || isAdministrator).map(({ name, title }) => (
          <a
            key={name}
            href={addressOf('servers', server.name, name)}
            aria-current={name === tab ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      {detail === undefined && <div class="loading" />}
      <Failure of={detail} />
      {detail?.kind === 'ok' && tab === 'log' && (
        <ServerLog server={server.name} log={detail.value.log} />
      )}
      {tab === 'doctor' && <ServerDoctor server={server} />}
      {detail?.kind === 'ok' && tab === 'tools' && <ServerTools detail={detail.value} />}
    </>
  );
}

/** A failed server opens with its doctor, which finds the reason. */
function firstTab({ state, tools }: ServerView): (typeof TABS)[number]['name'] {
  return state === 'failed' && tools === 0 ? 'doctor' : 'tools';
}

function Facts({
  server,
  signedIn,
}: {
  readonly server: ServerView;
  readonly signedIn: ServerDetail['signedIn'];
}): JSX.Element {
  const { title, version, era } = server;
  const name = [title, version].filter((each) => each !== undefined).join(' ');
  return (
    <dl class="facts">
      {name !== '' && (
        <Fact name="Calls itself">
          <Text of={name} />
        </Fact>
      )}
      {era !== undefined && (
        <Fact name="Protocol">
          <EraBadge era={era} /> {server.protocolVersion}
        </Fact>
      )}
      <Fact name="Transport">
        <Text of={server.transport} />
      </Fact>
      {server.tools + server.quarantined > 0 && (
        <Fact name="Definitions">
          {counted(server.tools, 'tool')}, {shortCount(server.tokens)} tokens
          {server.quarantined > 0 && (
            <>
              , <a href={addressOf('definitions')}>{server.quarantined} kept back</a>
            </>
          )}
        </Fact>
      )}
      {signedIn !== undefined && (
        <Fact name="Signed in">
          <Text of={`${signedIn.account} at ${signedIn.issuer}`} />
        </Fact>
      )}
      <Fact name="Configured in">
        <Text of={server.source} />
      </Fact>
    </dl>
  );
}
