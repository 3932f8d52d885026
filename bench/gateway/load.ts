// The load, in a process of its own: calls over connections that are kept open, all in one session where the era has one.
// Every answer is compared with what was sent.

import { bareCaller } from '../library/bare-caller.ts';
import { answerParent } from '../measure/answer-parent.ts';
import { type Poster, posterFor, type Target } from './mcp-posts.ts';
import { RawHttp } from './raw-http.ts';

export interface Load {
  /** `stdio` is a direct connection to the server. */
  readonly target: Target | 'stdio';
  readonly calls: number;
  readonly connections: number;
}

export interface LoadFigures {
  readonly perSecond: number;
  /** Of single calls, in microseconds. */
  readonly p50: number;
  readonly p99: number;
}

type Echo = (message: string) => Promise<string>;

const posters = new Map<string, Poster>();
const direct = await bareCaller('fast');
answerParent(run, () => process.exit());

async function run({ target, calls, connections }: Load): Promise<LoadFigures> {
  if (target === 'stdio') return measure(calls, [(message) => direct.echo(message)]);
  const open = await Promise.all(
    Array.from({ length: connections }, () => RawHttp.open(target.port)),
  );
  try {
    const poster = await posterOf(target, open[0]!);
    return await measure(
      calls,
      open.map((connection) => echoOver(connection, target, poster)),
    );
  } finally {
    for (const connection of open) connection[Symbol.dispose]();
  }
}

async function posterOf(target: Target, connection: RawHttp): Promise<Poster> {
  const key = JSON.stringify(target);
  const poster = posters.get(key) ?? (await posterFor(target, connection));
  posters.set(key, poster);
  return poster;
}

let lastId = 0;

function echoOver(connection: RawHttp, { tool }: Target, poster: Poster): Echo {
  return (message) => {
    const params = { name: tool, arguments: { message } };
    return poster.request(connection, { id: (lastId += 1), method: 'tools/call', params });
  };
}

async function measure(calls: number, lanes: readonly Echo[]): Promise<LoadFigures> {
  // The first call on each connection opens it.
  await Promise.all(lanes.map((echo) => echo('first')));
  const took: number[] = [];
  let left = calls;
  const startedAt = performance.now();
  const lane = async (echo: Echo): Promise<void> => {
    while (left > 0) {
      const message = `call-${(left -= 1)}-`;
      const sentAt = performance.now();
      const heard = await echo(message);
      took.push(performance.now() - sentAt);
      if (!heard.includes(message)) throw new Error(`"${message}" was answered by "${heard}"`);
    }
  };
  await Promise.all(lanes.map(lane));
  const ms = performance.now() - startedAt;
  took.sort((a, b) => a - b);
  const at = (fraction: number): number => took[Math.floor((took.length - 1) * fraction)]! * 1000;
  return { perSecond: calls / (ms / 1000), p50: at(0.5), p99: at(0.99) };
}
