// Routes for definitions that are kept back: how they differ from the accepted ones, the findings of the scanner, and the
// decision of a person. A refused definition stays kept back, and is shown as refused until it changes or the gateway ends.

import { isObject, type Json } from '@plugboard/base';
import type { Host, Quarantined } from '@plugboard/host';
import type { DefinitionAnswer, DefinitionView } from '../console-api.ts';
import {
  type ApiAnswer,
  type ApiRequest,
  DONE,
  ONLY_ADMINISTRATORS,
  refused,
  type Route,
} from './route.ts';

const MOST_ITEMS = 2000;

export function definitionRoutes(host: Host): readonly Route[] {
  const refusals = new Set<string>();
  return [
    {
      method: 'GET',
      path: '/definitions',
      answer: async () => {
        const held = host.quarantined.slice(0, MOST_ITEMS);
        const body = await Promise.all(held.map((each) => viewOf(host, each, refusals)));
        return { kind: 'json', body };
      },
    },
    {
      method: 'POST',
      path: '/definitions',
      answer: (request) => answerDefinitions(host, request, refusals),
    },
  ];
}

async function answerDefinitions(
  host: Host,
  { body, reader }: ApiRequest,
  refusals: Set<string>,
): Promise<ApiAnswer> {
  if (!reader.isAdministrator) return ONLY_ADMINISTRATORS;
  const answer = readAnswer(body);
  if (answer === undefined) return refused(400, 'This is not a valid answer');
  const wanted = new Set(answer.items.map(keyOf));
  const held = host.quarantined.filter((each) => wanted.has(keyOf(each)));
  if (held.length < wanted.size) {
    return refused(409, 'Something has changed since it was shown. Look again.');
  }
  for (const each of held) {
    if (answer.kind === 'refuse') refusals.add(keyOf(each));
    else refusals.delete(keyOf(each));
  }
  if (answer.kind === 'refuse') return DONE;
  const accepted = await host.pins.accept(held);
  if (accepted.ok) return DONE;
  return refused(409, `${accepted.error.file} could not be written (${accepted.error.kind})`);
}

async function viewOf(
  host: Host,
  held: Quarantined,
  refusals: ReadonlySet<string>,
): Promise<DefinitionView> {
  const { server, kind, name, hash, reason, findings } = held;
  const changes = await host.pins.changes(held);
  return {
    ...{ server, kind, name, hash },
    reason: reason.kind,
    acceptedAt: reason.kind === 'changed' ? reason.acceptedAt : undefined,
    renamedFrom: reason.kind === 'renamed' ? reason.from : undefined,
    changes: changes.map(({ before, after, ...change }) => ({ ...change, before, after })),
    findings: findings.map(({ path, ...finding }) => ({ ...finding, path: path.map(String) })),
    isRefused: refusals.has(keyOf(held)),
  };
}

type Item = DefinitionAnswer['items'][number];

function keyOf({ server, kind, name, hash }: Item): string {
  return JSON.stringify([server, kind, name, hash]);
}

const KINDS = ['tool', 'instructions'] as const;

function readAnswer(body: Json | undefined): DefinitionAnswer | undefined {
  if (!isObject(body)) return undefined;
  const { kind, items } = body;
  if ((kind !== 'accept' && kind !== 'refuse') || !Array.isArray(items)) return undefined;
  const read = (items as readonly Json[]).flatMap(readItem);
  return read.length > 0 && read.length === items.length ? { kind, items: read } : undefined;
}

function readItem(item: Json): readonly Item[] {
  if (!isObject(item)) return [];
  const { server, name, hash } = item;
  const kind = KINDS.find((each) => each === item['kind']);
  const isWhole =
    typeof server === 'string' && typeof name === 'string' && typeof hash === 'string';
  return kind !== undefined && isWhole ? [{ server, kind, name, hash }] : [];
}
