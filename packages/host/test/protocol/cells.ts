// The transports and eras in which the session contract is tested, each with a real peer.

import { Scope, systemClock } from '@plugboard/base';
import {
  type HttpScript,
  scriptedServer,
  serveInProcess,
  startScriptedHttp,
  startScriptedSse,
  startScriptedWs,
} from '@plugboard/testkit';
import { minimalEnvironment } from '../../src/platform/index.ts';
import {
  clientSession,
  type Era,
  type Launch,
  open,
  type OpenPorts,
  type ProtocolFailure,
  type Session,
} from '../../src/protocol/index.ts';

export interface Cell {
  readonly name: string;
  readonly era: Era;
  /** Starts a peer that follows the script; the scope ends it. */
  launch(script: HttpScript, scope: Scope): Promise<Launch>;
}

export const ports: OpenPorts<Session> = {
  establish: clientSession,
  clock: systemClock,
  ledger: undefined,
  client: { name: 'contract', version: '1.0.0' },
  inbound: {},
};

const ERAS: readonly Era[] = ['legacy', 'modern'];

export const cells: readonly Cell[] = [
  ...ERAS.map(stdioCell),
  ...ERAS.map(httpCell),
  sseCell('sse'),
  sseCell('http-or-sse'),
  ...ERAS.map(wsCell),
  ...ERAS.map(inProcessCell),
];

/** Cells whose peer can follow a script. */
export const scriptedCells = cells.filter(({ name }) => !name.startsWith('in process'));

export function stdioLaunch(
  entry: { readonly command: string; readonly args: readonly string[] },
  era: Era = 'legacy',
): Launch & { readonly kind: 'stdio' } {
  const env = minimalEnvironment(process.env, {});
  return { kind: 'stdio', ...entry, env, cwd: undefined, era };
}

function stdioCell(era: Era): Cell {
  return {
    name: `stdio, ${era}`,
    era,
    launch: (script) =>
      Promise.resolve(stdioLaunch(scriptedServer({ ...script, eras: [era] }), era)),
  };
}

function httpCell(era: Era): Cell {
  return {
    name: `http, ${era}`,
    era,
    async launch(script, scope) {
      const server = scope.use(await startScriptedHttp({ ...script, eras: [era] }));
      return { kind: 'http', url: server.url, headers: {}, era: 'auto' };
    },
  };
}

/** The transport is older than the modern era. */
function sseCell(kind: 'sse' | 'http-or-sse'): Cell {
  return {
    name: kind === 'sse' ? 'http+sse, legacy' : 'http+sse found by falling back, legacy',
    era: 'legacy',
    async launch(script, scope) {
      const server = scope.use(await startScriptedSse({ ...script, eras: ['legacy'] }));
      return { kind, url: server.url, headers: {}, era: 'auto' };
    },
  };
}

function wsCell(era: Era): Cell {
  return {
    name: `ws, ${era}`,
    era,
    async launch(script, scope) {
      const server = scope.use(await startScriptedWs({ ...script, eras: [era] }));
      return { kind: 'ws', url: server.url, headers: {}, era };
    },
  };
}

function inProcessCell(era: Era): Cell {
  return {
    name: `in process, ${era}`,
    era,
    launch: () =>
      Promise.resolve({
        kind: 'in-process',
        server: { connect: async (transport) => void (await serveInProcess(transport)) },
        era,
      }),
  };
}

const PATIENCE_MS = 60_000;

export async function openOrThrow(launch: Launch, scope: Scope): Promise<Session> {
  const opened = await open(launch, { signal: scope.signal, timeoutMs: PATIENCE_MS }, ports);
  if (!opened.ok) throw new Error(`could not open: ${JSON.stringify(opened.error)}`);
  scope.defer(() => opened.value.close());
  return opened.value;
}

export async function failureOf(launch: Launch, timeoutMs = PATIENCE_MS): Promise<ProtocolFailure> {
  await using scope = new Scope();
  const opened = await open(launch, { signal: scope.signal, timeoutMs }, ports);
  if (!opened.ok) return opened.error;
  await opened.value.close();
  throw new Error('opened, though it should not have');
}
