// Lets the user try the tool search that models use: the results for a request, and the reasons for their ranking.

import { useSignal } from '@preact/signals';
import type { FoundTool } from '@plugboard/gateway/console-api';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { type Answer, get } from '../feed/request.ts';
import { counted } from '../text/numbers.ts';
import { Text } from '../text/text.tsx';
import { announce } from '../ui/announce.tsx';
import { Failure } from '../ui/failure.tsx';
import { useKeys } from '../ui/keys.ts';
import { addressOf } from '../ui/route.ts';

const TYPING_MS = 250;
const FIELD_ID = 'context-search';

export function ToolSearch(): JSX.Element {
  const query = useSignal('');
  const answer = useSignal<Answer<readonly FoundTool[]> | undefined>(undefined);
  useKeys('Context', [
    { keys: '/', what: 'Search tools', run: () => document.getElementById(FIELD_ID)?.focus() },
  ]);
  useEffect(() => {
    const leaving = new AbortController();
    const timer = setTimeout(() => void search(leaving.signal), TYPING_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [query.value]);
  const search = async (signal: AbortSignal): Promise<void> => {
    const wanted = query.peek().trim();
    if (wanted === '') {
      answer.value = undefined;
      return;
    }
    const found = await get<readonly FoundTool[]>(
      `search?query=${encodeURIComponent(wanted)}`,
      signal,
    );
    if (signal.aborted) return;
    answer.value = found;
    if (found.kind === 'ok') announce(`${counted(found.value.length, 'tool')} found.`);
  };
  return (
    <section aria-label="Search tools as a model does">
      <div class="pane-head">
        <h2>Search tools as a model does</h2>
      </div>
      <input
        id={FIELD_ID}
        type="search"
        class="field context-search"
        aria-label="What is to be done"
        placeholder="What is to be done, such as: add two numbers"
        value={query.value}
        onInput={({ currentTarget }) => {
          query.value = currentTarget.value;
        }}
      />
      {answer.value !== undefined && <SearchResults answer={answer.value} />}
    </section>
  );
}

function SearchResults({ answer }: { readonly answer: Answer<readonly FoundTool[]> }): JSX.Element {
  if (answer.kind !== 'ok') return <Failure of={answer} />;
  if (answer.value.length === 0) {
    return <p class="empty">The search finds no known tool for this.</p>;
  }
  return (
    <ol class="found" aria-label="Found tools">
      {answer.value.map((found) => (
        <li key={`${found.server}/${found.tool}`} class="found-tool">
          <p class="found-head">
            <a href={addressOf('tools', found.server, 'tool', found.tool)}>
              <Text of={`${found.server}/${found.tool}`} />
            </a>
            <span class="found-score">{score(found.score)}</span>
          </p>
          <p class="faint found-words">
            <Text of={found.description} />
          </p>
          <p class="found-why">
            words {score(found.words)}
            {found.meaning !== undefined && <>, meaning {score(found.meaning)}</>}
            {found.matched.map(({ word, fields }) => (
              <span key={word} class="found-match">
                <b>
                  <Text of={word} />
                </b>{' '}
                in {fields.join(', ')}
              </span>
            ))}
          </p>
        </li>
      ))}
    </ol>
  );
}

function score(value: number): string {
  return value.toFixed(2);
}
