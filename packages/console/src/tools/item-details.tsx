// One tool, resource or prompt: its description, and a form to run it.

import type { RunOutcome, RunRequest, ToolView } from '@plugboard/gateway/console-api';
import type { JSX } from 'preact';
import { Text } from '../text/text.tsx';
import { Icon } from '../ui/icon.tsx';
import { addressOf } from '../ui/route.ts';
import { AppView } from './app-view.tsx';
import type { ItemKind, OfferedItem } from './offered-item.ts';
import { runOf } from './run.ts';
import { Runner } from './runner.tsx';

const WORDS: Readonly<Record<ItemKind, string>> = { tool: 'Run', resource: 'Read', prompt: 'Get' };

const HINTS: readonly { readonly name: string; readonly words: readonly [string, string] }[] = [
  { name: 'readOnlyHint', words: ['only reads', 'changes things'] },
  { name: 'destructiveHint', words: ['may destroy', 'destroys nothing'] },
  { name: 'idempotentHint', words: ['safe to repeat', 'not safe to repeat'] },
  { name: 'openWorldHint', words: ['reaches outside', 'stays inside'] },
];

export interface ItemDetailsProps {
  readonly server: string;
  readonly item: OfferedItem;
}

export function ItemDetails({ server, item }: ItemDetailsProps): JSX.Element {
  const { tool } = item;
  const run = runOf(server, item.kind, item.key);
  const ran = run.lastRun.value;
  return (
    <>
      <div class="pane-head">
        <a
          class="icon-button back"
          href={addressOf('tools', server, item.kind)}
          aria-label="Close the details"
        >
          <Icon name="back" />
        </a>
        <h2>
          <Text of={item.title ?? item.key} />
        </h2>
        {item.title !== undefined && (
          <code class="faint">
            <Text of={item.key} />
          </code>
        )}
      </div>
      <div class="item-body">
        {item.description !== undefined && (
          <p class="prose">
            <Text of={item.description} />
          </p>
        )}
        {tool !== undefined && <ToolFacts tool={tool} />}
        <Runner
          run={run}
          schema={item.schema}
          request={(value) => item.request(server, value)}
          word={WORDS[item.kind]}
          showsResult
        />
        {tool?.app !== undefined && ran?.answer.kind === 'ok' && (
          <App
            key={ran.answer.value.call}
            server={server}
            uri={tool.app}
            request={ran.request}
            outcome={ran.answer.value}
          />
        )}
        {tool !== undefined && <Schemas tool={tool} />}
      </div>
    </>
  );
}

interface AppProps {
  readonly server: string;
  readonly uri: string;
  readonly outcome: RunOutcome;
  readonly request: RunRequest;
}

function App({ server, uri, outcome, request }: AppProps): JSX.Element | null {
  if (outcome.result === undefined || request.kind !== 'tool') return null;
  return (
    <AppView server={server} uri={uri} arguments={request.arguments} result={outcome.result} />
  );
}

function ToolFacts({ tool }: { readonly tool: ToolView }): JSX.Element {
  const hints = HINTS.flatMap(({ name, words: [yes, no] }) => {
    const value = tool.annotations[name];
    return typeof value === 'boolean' ? [value ? yes : no] : [];
  });
  const decision = { allow: 'allowed', ask: 'asks first', deny: 'denied' }[tool.decision.kind];
  return (
    <p class="item-facts faint">
      <span>{tool.tokens} tokens</span>
      <span>
        {decision}: <Text of={tool.decision.reason} />
      </span>
      {hints.map((hint) => (
        <span key={hint}>says: {hint}</span>
      ))}
    </p>
  );
}

function Schemas({ tool }: { readonly tool: ToolView }): JSX.Element {
  return (
    <details class="schemas">
      <summary>Schemas</summary>
      <pre class="code" tabIndex={0} role="region" aria-label="Schema of the arguments">
        <Text of={JSON.stringify(tool.inputSchema, null, 2)} />
      </pre>
      {tool.outputSchema !== undefined && (
        <pre class="code" tabIndex={0} role="region" aria-label="Schema of the result">
          <Text of={JSON.stringify(tool.outputSchema, null, 2)} />
        </pre>
      )}
    </details>
  );
}
