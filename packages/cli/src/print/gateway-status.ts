// The status of a running gateway, for people and for programs: servers, clients, traffic, and pending approvals and
// questions.

import { type Result, systemClock } from '@plugboard/base';
import type {
  ClientView,
  ConsoleState,
  ServerView,
  WaitingView,
} from '@plugboard/gateway/console-api';
import type { ConsoleFailure } from '@plugboard/gateway/console-client';
import { silentFix, startAgain, type StartedAt } from './gateway-words.ts';
import { shortPath, type Standpoint } from './place.ts';
import { oneLine } from './sanitise.ts';
import { type Column, grid, table } from './table.ts';
import { ageOf, isoTime } from './times.ts';

/** A problem of the gateway itself, not of a server or a client. */
export interface GatewayProblem {
  readonly kind: 'state' | 'settings';
  readonly message: string;
  readonly fix: string;
}

export interface GatewayStatus {
  /** The address of `/mcp`. */
  readonly url: string;
  readonly pid: number;
  /** Includes the processes that the gateway started. `undefined` if the system does not report them. */
  readonly processes: number | undefined;
  /** `undefined` for a gateway in a terminal. */
  readonly keptBy: 'service' | 'process' | undefined;
  /** The options of `serve`. */
  readonly options: readonly string[];
  readonly tokenFile: string | undefined;
  readonly logFile: string | undefined;
  readonly problems: readonly GatewayProblem[];
  readonly state: Result<ConsoleState, ConsoleFailure>;
}

export function statusDocument({ state, ...facts }: GatewayStatus): object {
  const { url, pid, processes, keptBy, tokenFile, logFile, problems } = facts;
  const known = {
    url,
    pid,
    processes: processes ?? null,
    keptBy: keptBy ?? null,
    tokenFile: tokenFile ?? null,
    logFile: logFile ?? null,
    problems,
  };
  if (!state.ok) {
    const { kind } = state.error;
    return {
      ...known,
      error: {
        kind,
        message: gatewayFailureWords(state.error),
        fix: failureFix(state.error, facts),
      },
    };
  }
  const { gateway, servers, clients, waiting, traffic } = state.value;
  const { requests, failed, running } = traffic;
  return {
    ...known,
    version: gateway.version,
    since: isoTime(gateway.since),
    profiles: gateway.profiles,
    servers: servers.map(serverDocument),
    clients: clients.map(clientDocument),
    traffic: { requests, failed, running },
    waiting: waiting.map(waitingDocument),
  };
}

function serverDocument(server: ServerView): object {
  const { name, state, transport, era, tools, quarantined } = server;
  const { problem, command } = problemOf(server);
  const facts = { name, state, transport, era: era ?? null, tools, quarantined };
  return { ...facts, problem: problem ?? null, command: command ?? null };
}

function clientDocument({ name, version, era, front, path, ...times }: ClientView): object {
  const { since, lastAt, requests } = times;
  const at = { since: isoTime(since), lastAt: isoTime(lastAt) };
  return { name, version: version ?? null, era, front, path, ...at, requests };
}

/** With times for programs. */
export function waitingDocument({ at, until, ...waiting }: WaitingView): object {
  return { ...waiting, at: isoTime(at), until: isoTime(until) };
}

/** The problems as lines below the gateway. */
export function problemLines(problems: readonly GatewayProblem[]): string {
  return problems.map(({ message, fix }) => `  problem: ${message}\n  fix: ${fix}\n`).join('');
}

export function statusText(
  status: GatewayStatus,
  { columns, environment }: { readonly columns: number; readonly environment: Standpoint },
): string {
  const { url, pid, processes, keptBy, logFile, problems, state } = status;
  const by = keptBy === undefined ? 'in a terminal' : KEPT[keptBy];
  if (!state.ok) {
    const fix = failureFix(state.error, status);
    return [
      `${url}: ${gatewayFailureWords(state.error)}\n  process ${pid}, ${by}\n  fix: ${fix}\n`,
      problemLines(problems),
    ].join('');
  }
  const { gateway, servers, clients, waiting, traffic } = state.value;
  const age = ageOf(systemClock.now() - gateway.since);
  const { requests, failed, running } = traffic;
  const others =
    processes === undefined || processes < 2 ? '' : ` (and ${processes - 1} that it started)`;
  const facts = [
    ['gateway', url],
    ['runs', `${by}, process ${pid}${others}, version ${gateway.version}, started ${age}`],
    ['traffic', `${requests} requests, ${failed} failed, ${running} running`],
    ...(logFile === undefined ? [] : [['log', shortPath(logFile, environment)]]),
    ...problems.flatMap(({ message, fix }) => [
      ['problem', oneLine(message)],
      ['fix', oneLine(fix)],
    ]),
  ];
  return [
    grid(facts, columns, 'wrap'),
    '\n',
    servers.length === 0 ? noServers(keptBy) : table(SERVERS, servers, columns),
    '\n',
    clients.length === 0
      ? 'No client has connected since it started. To connect those of this machine: plugboard install --all --http\n'
      : table(CLIENTS, grouped(clients), columns),
    waiting.length === 0
      ? ''
      : `\n${table(WAITING, waiting, columns)}Answer them: plugboard approvals\n`,
  ].join('');
}

function failureFix(failure: ConsoleFailure, status: Omit<GatewayStatus, 'state'>): string {
  if (failure.kind === 'unreachable') return silentFix(status);
  return status.keptBy === undefined
    ? 'end it there, and start it again'
    : `end it: plugboard serve --stop, then start it again: ${startAgain(status)}`;
}

interface LostGateway extends StartedAt {
  readonly pid: number;
}

/** A gateway in the background that ended without a command. */
export function lostDocument({ pid, ...lost }: LostGateway, logFile: string): object {
  return { url: lost.url, pid, logFile, fix: startAgain(lost) };
}

export function lostText(
  { pid, ...lost }: LostGateway,
  log: string,
  environment: Standpoint,
): string {
  return `The gateway at ${lost.url} (process ${pid}) ended, and no command stopped it. What it said last: ${shortPath(log, environment)}\nStart it again: ${startAgain(lost)}\n`;
}

const KEPT = {
  service: 'as a user service',
  process: 'in the background',
} as const satisfies Record<NonNullable<GatewayStatus['keptBy']>, string>;

function noServers(keptBy: GatewayStatus['keptBy']): string {
  if (keptBy === undefined) return 'No servers. Add one: plugboard add NAME -- COMMAND\n';
  return `No servers: it has those of your own settings, and none of a folder.
Add one: plugboard add NAME --scope user -- COMMAND
`;
}

const SERVERS: readonly Column<ServerView>[] = [
  { title: 'SERVER', cell: ({ name }) => name, isName: true },
  { title: 'STATE', cell: ({ state }) => state },
  {
    title: 'TOOLS',
    cell: ({ tools, state }) => (tools === 0 && state !== 'ready' ? '-' : `${tools}`),
    from: 50,
  },
  { title: 'ERA', cell: ({ era }) => era ?? '', from: 70 },
  {
    title: 'PROBLEM',
    cell: (server) => {
      const { problem, command } = problemOf(server);
      const words = problem?.replaceAll(/\n\| /g, ' ').replace(/(?<!\.)\.$/, '');
      return [words, command].filter((each) => each !== undefined).join('; ');
    },
  },
];

/** The problem of a server and the command that helps. A server may be ready although its calls fail. */
function problemOf(server: ServerView): Pick<ServerView, 'problem' | 'command'> {
  const { name, problem, command, quarantined, calls, failed, latencies } = server;
  if (problem !== undefined) return { problem, command };
  if (quarantined > 0) {
    return {
      problem: `${quarantined} of its definitions kept back, until you accept them`,
      command: command ?? `plugboard pins diff ${name}`,
    };
  }
  if (latencies.at(-1) !== null) return { problem, command };
  return {
    problem: `the last call failed, as did ${failed} of ${calls}`,
    command: command ?? 'plugboard console',
  };
}

interface ClientGroup extends ClientView {
  /** The number of clients that look the same. */
  readonly count: number;
}

function grouped(clients: readonly ClientView[]): readonly ClientGroup[] {
  const groups = new Map<string, ClientGroup>();
  for (const client of clients) {
    const { name, version, era, front, path, requests, lastAt } = client;
    const key = JSON.stringify([name, version, era, front, path]);
    const {
      count,
      requests: sum,
      lastAt: last,
    } = groups.get(key) ?? { count: 0, requests: 0, lastAt };
    groups.set(key, {
      ...client,
      count: count + 1,
      requests: sum + requests,
      lastAt: Math.max(last, lastAt),
    });
  }
  return [...groups.values()];
}

const CLIENTS: readonly Column<ClientGroup>[] = [
  {
    title: 'CLIENT',
    cell: ({ name, version = '', count }) =>
      `${name} ${version}${count === 1 ? '' : ` (${count} of them)`}`.trim(),
  },
  { title: 'ERA', cell: ({ era }) => era, from: 60 },
  { title: 'OVER', cell: ({ front }) => front, from: 70 },
  { title: 'AT', cell: ({ path }) => path },
  { title: 'REQUESTS', cell: ({ requests }) => `${requests}` },
  { title: 'LAST', cell: ({ lastAt }) => ageOf(systemClock.now() - lastAt), from: 80 },
];

const WAITING: readonly Column<WaitingView>[] = [
  {
    title: 'WAITING',
    cell: (waiting) =>
      waiting.kind === 'approval' ? `${waiting.server}/${waiting.tool}` : waiting.server,
  },
  { title: 'KIND', cell: ({ kind }) => kind },
  { title: 'FOR', cell: ({ client }) => client },
  { title: 'SINCE', cell: ({ at }) => ageOf(systemClock.now() - at) },
];

export function gatewayFailureWords(failure: ConsoleFailure): string {
  return failure.kind === 'refused'
    ? `the gateway refuses this command: ${failure.reason}`
    : `the gateway does not answer (${failure.reason})`;
}
