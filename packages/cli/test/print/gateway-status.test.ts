import { ok } from '@plugboard/base';
import type { ClientView, ConsoleState, ServerView } from '@plugboard/gateway/console-api';
import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { type GatewayStatus, statusDocument, statusText } from '../../src/print/gateway-status.ts';

const SERVER: ServerView = {
  name: 'one',
  title: undefined,
  version: undefined,
  transport: 'stdio',
  source: 'user',
  state: 'ready',
  problem: undefined,
  command: undefined,
  era: 'legacy',
  protocolVersion: undefined,
  tools: 3,
  tokens: 0,
  quarantined: 0,
  calls: 0,
  failed: 0,
  latencies: [],
};

const CLIENT: ClientView = {
  id: 'a',
  principal: 'user',
  name: 'cursor',
  version: '1',
  era: 'legacy',
  front: 'http',
  path: '/mcp',
  since: 0,
  lastAt: 0,
  requests: 2,
};

function statusOf(
  servers: readonly ServerView[],
  clients: readonly ClientView[] = [],
): GatewayStatus {
  const state = {
    gateway: { version: '1', since: 0, profiles: [] },
    servers,
    clients,
    waiting: [],
    traffic: { requests: 0, failed: 0, running: 0 },
  } as unknown as ConsoleState;
  const facts = {
    url: 'http://127.0.0.1:1/mcp',
    pid: 1,
    processes: 3,
    options: [],
    tokenFile: undefined,
    logFile: undefined,
    problems: [],
  };
  return { ...facts, keptBy: 'process', state: ok(state) };
}

function linesOf(servers: readonly ServerView[], clients: readonly ClientView[]): string[] {
  return textOf(statusOf(servers, clients));
}

/** The lines of the status, without alignment. */
function textOf(status: GatewayStatus): string[] {
  const text = statusText(status, { columns: 200, environment: { cwd: '/', home: '/' } });
  return text.split('\n').map((line) => line.replaceAll(/ {2,}/g, '  ').trim());
}

describe('the status of a gateway', () => {
  verifies('GWY-03');

  it('reports that calls of a ready server fail', () => {
    const failing = { ...SERVER, calls: 5, failed: 4, latencies: [3, null, null, null, null] };
    const works = { ...failing, name: 'two', latencies: [null, 3] };
    const lines = linesOf([failing, works], []);
    expect(lines).toContain(
      'one  ready  3  legacy  the last call failed, as did 4 of 5; plugboard console',
    );
    expect(lines).toContain('two  ready  3  legacy');
  });

  it('reports definitions that are kept back, and how to see them', () => {
    expect(linesOf([{ ...SERVER, tools: 0, quarantined: 1 }], [])).toContain(
      'one  ready  0  legacy  1 of its definitions kept back, until you accept them; plugboard pins diff one',
    );
  });

  it('shows the number of processes that it started', () => {
    const lineOf = (processes: number | undefined): string | undefined =>
      textOf({ ...statusOf([SERVER]), processes }).find((line) => line.startsWith('runs'));
    expect(lineOf(3)).toContain('in the background, process 1 (and 2 that it started), version 1,');
    expect(lineOf(1)).toContain('in the background, process 1, version 1,');
    expect(lineOf(undefined)).toContain('in the background, process 1, version 1,');
  });

  it('contains the same problems and commands in JSON as in the text', () => {
    const failing = { ...SERVER, calls: 5, failed: 4, latencies: [3, null] };
    const keptBack = { ...SERVER, name: 'two', quarantined: 1 };
    expect(
      statusDocument(statusOf([failing, keptBack, { ...SERVER, name: 'three' }])),
    ).toMatchObject({
      servers: [
        { problem: 'the last call failed, as did 4 of 5', command: 'plugboard console' },
        {
          problem: '1 of its definitions kept back, until you accept them',
          command: 'plugboard pins diff two',
        },
        { problem: null, command: null },
      ],
    });
  });

  it('reports a problem in one line, with the command that helps, and lists no unknown tools', () => {
    const failed = {
      ...SERVER,
      era: undefined,
      state: 'failed',
      tools: 0,
      problem: 'ended with exit code 3. The last lines that it wrote to stderr:\n| wait...',
      command: 'plugboard doctor one',
    } as const;
    expect(linesOf([failed], [])).toContain(
      'one  failed  -  ended with exit code 3. The last lines that it wrote to stderr: wait...; plugboard doctor one',
    );
  });

  it('has one line for identical clients', () => {
    const lines = linesOf([SERVER], [CLIENT, { ...CLIENT, id: 'b' }, { ...CLIENT, name: 'codex' }]);
    const shown = lines.filter((line) => line.includes('/mcp  '));
    expect(shown.map((line) => line.replace(/ {2}\S+ [a-z]+ ago$/, ''))).toEqual([
      'cursor 1 (2 of them)  legacy  http  /mcp  4',
      'codex 1  legacy  http  /mcp  2',
    ]);
  });
});
