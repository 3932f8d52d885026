import type { ServerView } from '@plugboard/gateway/console-api';
import type { JSX } from 'preact';
import { count, counted, shortCount } from '../text/numbers.ts';
import { Text } from '../text/text.tsx';
import { EraBadge, Mark, SERVER_LOOKS } from '../ui/mark.tsx';
import { addressOf } from '../ui/route.ts';
import { Sparkline } from '../ui/sparkline.tsx';

interface ServerRowProps {
  readonly server: ServerView;
  readonly isSelected: boolean;
}

export function ServerRow({ server, isSelected }: ServerRowProps): JSX.Element {
  const look = SERVER_LOOKS[server.state];
  return (
    <li class={`server-row ${isSelected ? 'is-selected' : ''}`}>
      <a
        class="server-name"
        href={addressOf('servers', server.name)}
        aria-current={isSelected ? 'true' : undefined}
      >
        <Text of={server.name} />
      </a>
      <span class="server-state">
        <Mark look={look} />
      </span>
      <span class="server-era">
        <EraBadge era={server.era} />
      </span>
      <span class="server-transport">
        <Text of={server.transport} />
      </span>
      <span class="server-tools" title={`${counted(server.tokens, 'token')} for a model`}>
        {counted(server.tools, 'tool')}{' '}
        <span class="faint">{shortCount(server.tokens)} tokens</span>
      </span>
      <span class="server-calls">
        {counted(server.calls, 'call')}
        {server.failed > 0 && <span class="tone-bad"> {count(server.failed)} failed</span>}
      </span>
      <span class="server-latency">
        <Sparkline values={server.latencies} />
      </span>
      {server.problem !== undefined && (
        <span class={`server-problem tone-${look.tone}`}>
          <Text of={server.problem} />
        </span>
      )}
    </li>
  );
}
