// Servers that ask questions, over every transport and in both eras, each behind a host.

import type { Json, JsonObject, Scope } from '@plugboard/base';
import {
  type Era,
  isLong,
  scriptedServer,
  startScriptedHttp,
  startScriptedSse,
  startScriptedWs,
} from '@plugboard/testkit';
import type { CallOutcome, Host, HostEvent, HostOptions } from '../../src/host/index.ts';
import { givenHost } from './given-host.ts';

export interface AskingCell {
  readonly name: string;
  readonly era: Era;
  /** An entry for a server that has the tool `ask`; the scope ends it. */
  readonly entry: (scope: Scope) => Promise<object>;
}

const ERAS: readonly Era[] = ['legacy', 'modern'];
const asks = true;

export const askingCells: readonly AskingCell[] = [
  ...ERAS.map((era) => ({
    name: `stdio, ${era}`,
    era,
    entry: () => Promise.resolve({ ...scriptedServer({ asks, eras: [era] }), protocol: era }),
  })),
  ...ERAS.map((era) => ({
    name: `http, ${era}`,
    era,
    entry: async (scope: Scope) => {
      const { url } = scope.use(await startScriptedHttp({ asks, eras: [era] }));
      return { type: 'http', url, protocol: era };
    },
  })),
  ...ERAS.map((era) => ({
    name: `ws, ${era}`,
    era,
    entry: async (scope: Scope) => {
      const { url } = scope.use(await startScriptedWs({ asks, eras: [era] }));
      return { type: 'ws', url, protocol: era };
    },
  })),
  {
    name: 'http+sse, legacy',
    era: 'legacy',
    entry: async (scope) => {
      const { url } = scope.use(await startScriptedSse({ asks, eras: ['legacy'] }));
      return { type: 'sse', url };
    },
  },
];

/** Each transport and each era once; in a long run all of them. */
export const someAskingCells: readonly AskingCell[] = askingCells.filter(
  ({ name }) => isLong || !['stdio, modern', 'http, legacy', 'ws, legacy'].includes(name),
);

export interface AskingHost {
  readonly host: Host;
  readonly declined: readonly HostEvent[];
  /** The answer that the server received. */
  readonly ask: (questions: readonly JsonObject[], more?: JsonObject) => Promise<Json | undefined>;
  readonly call: (questions: readonly JsonObject[], more?: JsonObject) => Promise<CallOutcome>;
}

export async function askingHost(
  { entry }: AskingCell,
  scope: Scope,
  options: HostOptions,
): Promise<AskingHost> {
  const host = await givenHost(scope, { asker: await entry(scope) }, options);
  const declined: HostEvent[] = [];
  scope.use(host.on((event) => event.kind === 'question-declined' && declined.push(event)));
  const call: AskingHost['call'] = (questions, more = {}) =>
    host.call({ server: 'asker', tool: 'ask' }, { questions, ...more });
  return {
    host,
    declined,
    call,
    async ask(questions, more) {
      const outcome = await call(questions, more);
      const [part] = outcome.kind === 'result' ? outcome.parts : [];
      if (part?.kind !== 'text') throw new Error(JSON.stringify(outcome));
      return JSON.parse(part.text) as Json;
    },
  };
}

export function form(message: string, properties: JsonObject, required: readonly string[] = []) {
  const requestedSchema = { type: 'object', properties, required } as const;
  return { mode: 'form', message, requestedSchema } as const;
}

/** Legacy servers give each page an id; modern ones do not. */
export function page(era: Era, url: string, id = 'visit'): JsonObject {
  const params = { mode: 'url', message: 'Please sign in there', url };
  return era === 'legacy' ? { ...params, elicitationId: id } : params;
}
