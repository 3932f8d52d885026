// What tools cost a model, by server and by tool; how the planner of the chat treats them; and what the tool search finds.

import { useSignal } from '@preact/signals';
import type { ContextView as Context } from '@plugboard/gateway/console-api';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { useConsole } from '../store/context.ts';
import { count, counted, shortCount } from '../text/numbers.ts';
import { Text } from '../text/text.tsx';
import { IdleServers } from '../servers/idle-servers.tsx';
import { Failure } from '../ui/failure.tsx';
import { useLoaded } from '../ui/loaded.ts';
import { addressOf } from '../ui/route.ts';
import { ToolSearch } from './tool-search.tsx';

const WINDOWS = [32_000, 128_000, 200_000, 1_000_000];

const MODES: Readonly<Record<Context['mode'], string>> = {
  direct: 'sent',
  search: 'found by a search',
  code: 'used by scripts',
};

const REASONS: Readonly<Record<Context['servers'][number]['reason'], string>> = {
  'always-loaded': 'its entry says so',
  cheapest: 'that is the cheapest',
  'used-often': 'it is used often',
  'over-budget': 'there are too many to send',
  wanted: 'it was asked for',
};

export function ContextView(): JSX.Element {
  const { store } = useConsole();
  const window = useSignal(200_000);
  const { answer, reload } = useLoaded<Context>(`context?window=${window.value}`);
  const known = store.servers.value.map(({ name, tools }) => `${name} ${tools}`).join('\n');
  useEffect(() => void reload(), [known]);
  const context = answer.value;
  return (
    <div class="context">
      <ToolSearch />
      <section aria-label="What tools cost">
        <div class="pane-head">
          <h2>What tools cost</h2>
          <label class="context-window">
            Context of the model{' '}
            <select
              class="field"
              value={window.value}
              onChange={({ currentTarget }) => {
                window.value = Number(currentTarget.value);
              }}
            >
              {WINDOWS.map((each) => (
                <option key={each} value={each}>
                  {shortCount(each)} tokens
                </option>
              ))}
            </select>
          </label>
        </div>
        <IdleServers />
        {context === undefined && <div class="loading" />}
        <Failure of={context} />
        {context?.kind === 'ok' && context.value.tools.length === 0 && (
          <p class="empty">No tools are known yet. What they cost is counted once they are.</p>
        )}
        {context?.kind === 'ok' && context.value.tools.length > 0 && (
          <Costs context={context.value} />
        )}
      </section>
    </div>
  );
}

function Costs({ context }: { readonly context: Context }): JSX.Element {
  const all = context.servers.reduce((sum, { tokens }) => sum + tokens, 0);
  const sent = context.servers.reduce((sum, { sentTokens }) => sum + sentTokens, 0);
  return (
    <>
      <p class="context-sum">
        All definitions take {count(all)} tokens, {percent(all, context.window)} of the context. The
        budget is {count(context.budget)}. The chat sends {count(sent + context.surfaceTokens)}
        {context.surfaceTokens > 0 &&
          (sent === 0
            ? ': a few tools that find and use all others'
            : `, of which ${count(context.surfaceTokens)} are for tools that find the others`)}
        .
      </p>
      <div class="context-table" role="region" tabIndex={0} aria-label="Cost of each server">
        <table>
          <thead>
            <tr>
              <th scope="col">Server</th>
              <th scope="col">Tools</th>
              <th scope="col">Tokens</th>
              <th scope="col">Planner</th>
            </tr>
          </thead>
          <tbody>
            {context.servers.map((each) => (
              <tr key={each.server}>
                <th scope="row">
                  <a href={addressOf('servers', each.server)}>
                    <Text of={each.server} />
                  </a>
                </th>
                <td>{each.tools}</td>
                <td>
                  <Bar value={each.tokens} most={all} /> {count(each.tokens)}
                </td>
                <td>
                  {MODES[each.mode]}, since {REASONS[each.reason]}
                  {each.sent > 0 && each.sent < each.tools && ` (${each.sent} of them sent)`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ToolCosts tools={context.tools} />
    </>
  );
}

const MOST_TOOLS = 300;

function ToolCosts({ tools }: Pick<Context, 'tools'>): JSX.Element {
  const most = tools[0]?.tokens ?? 1;
  return (
    <details class="context-tools">
      <summary>{counted(tools.length, 'tool')}, the most expensive first</summary>
      <div class="context-table" role="region" tabIndex={0} aria-label="Cost of each tool">
        <table>
          <thead>
            <tr>
              <th scope="col">Tool</th>
              <th scope="col">Tokens</th>
              <th scope="col">Used in</th>
              <th scope="col">Sent</th>
            </tr>
          </thead>
          <tbody>
            {tools.slice(0, MOST_TOOLS).map(({ server, tool, tokens, chance, isSent }) => (
              <tr key={`${server}/${tool}`}>
                <th scope="row">
                  <a href={addressOf('tools', server, 'tool', tool)}>
                    <Text of={`${server}/${tool}`} />
                  </a>
                </th>
                <td>
                  <Bar value={tokens} most={most} /> {count(tokens)}
                </td>
                <td>{percent(chance, 1)} of conversations</td>
                <td>{isSent ? 'yes' : 'when searched for'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function Bar({ value, most }: { readonly value: number; readonly most: number }): JSX.Element {
  return (
    <meter class="context-bar" min={0} max={Math.max(1, most)} value={value} aria-hidden="true" />
  );
}

function percent(value: number, of: number): string {
  const share = of === 0 ? 0 : (100 * value) / of;
  return `${share < 10 ? share.toFixed(1) : Math.round(share)} %`;
}
