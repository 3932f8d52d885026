// Changes one repository for some rounds, while servers that share an index run, are killed and start again. After each
// round every server must answer like one with a fresh index.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { processTree, tempFolder, waitUntil } from '@plugboard/testkit';
import { createCodebase } from '../../../src/index.ts';
import { type ConnectedClient, newClient, type Place } from '../cells.ts';
import { COMMAND } from '../server-process.ts';
import { answerTo, type Question, questionsAbout } from './questions.ts';
import { Random } from './random.ts';
import { Workload } from './workload.ts';

export interface EpisodeOptions {
  readonly seed: number;
  readonly rounds: number;
  readonly floodFiles: number;
  /** The probability that something happens to the servers after a step. */
  readonly disturbances: number;
  readonly isOver?: () => boolean;
}

/** Counts the events of all episodes, including a failed one. */
export class Tally {
  compared = 0;
  differences = 0;
  /** Steps of work: an edit, a move, a flood of files, a command of git. */
  changes = 0;
  /** How many servers and processes of servers were killed. */
  kills = 0;

  summary(): string {
    return `${this.compared} answers compared, ${this.differences} different; ${this.changes} changes of the tree, ${this.kills} processes killed`;
  }
}

export interface Difference {
  readonly question: Question;
  readonly server: number;
  readonly expected: unknown;
  readonly received: unknown;
}

/** Far more than an index of some hundred files takes on a busy machine. */
const SETTLED_MS = 90_000;
const MOST_SERVERS = 2;

/** Throws with everything that is needed to repeat the episode if answers stay different. */
export async function runEpisode(options: EpisodeOptions, tally: Tally): Promise<void> {
  await using place = await tempFolder();
  const random = new Random(options.seed);
  const work = new Workload(join(place.path, 'tree'), random, options.floodFiles);
  await work.begin();
  await using servers = new Servers(work.root, join(place.path, 'cache'), tally);
  for (let round = 0; round < options.rounds && options.isOver?.() !== true; round += 1) {
    work.notes.push(`--- round ${round}`);
    tally.changes += await disturb(work, servers, { random, disturbances: options.disturbances });
    const fresh = join(place.path, `fresh-${round}`);
    const about = { files: await work.files(), folders: await work.folders() };
    const expected = await freshAnswers(work.root, fresh, questionsAbout(about, random));
    await rm(fresh, { recursive: true, force: true });
    for (const [question, answer] of expected) {
      for (const [server, { client }] of (await servers.running()).entries()) {
        await same({ question, answer, client }, (received) => {
          tally.differences += 1;
          const difference = { question, server, expected: answer, received };
          return report(options.seed, round, { difference, notes: work.notes });
        });
        tally.compared += 1;
      }
    }
  }
}

/** Runs steps of work, and kills, starts and ends servers between them. Returns the number of steps. */
async function disturb(
  work: Workload,
  servers: Servers,
  { random, disturbances }: { readonly random: Random; readonly disturbances: number },
): Promise<number> {
  const steps = random.between(1, 6);
  for (let step = 0; step < steps; step += 1) {
    await work.step();
    if (!random.chance(disturbances)) continue;
    const act = random.pick(['kill', 'end', 'add', 'ask', 'kill-helpers'] as const);
    work.notes.push(`servers: ${act}`);
    if (act === 'ask') await servers.ask(random);
    else if (act === 'kill-helpers') servers.killHelpers();
    else await servers[act](random);
  }
  return steps;
}

class Servers implements AsyncDisposable {
  readonly #place: { readonly root: string; readonly cache: string };
  readonly #running: ConnectedClient[] = [];
  readonly #tally: Tally;

  constructor(root: string, cache: string, tally: Tally) {
    this.#place = { root, cache };
    this.#tally = tally;
  }

  /** At least one. */
  async running(): Promise<readonly ConnectedClient[]> {
    if (this.#running.length === 0) await this.add();
    return this.#running;
  }

  async add(): Promise<void> {
    if (this.#running.length >= MOST_SERVERS) return;
    this.#running.push(await start(this.#place));
  }

  /** Kills a server, and with it the processes that it started. */
  async kill(random: Random): Promise<void> {
    const [killed] = this.#running.splice(random.below(this.#running.length), 1);
    if (killed === undefined) return;
    process.kill(killed.pid, 'SIGKILL');
    this.#tally.kills += 1;
    await killed[Symbol.asyncDispose]();
  }

  async end(random: Random): Promise<void> {
    const [ended] = this.#running.splice(random.below(this.#running.length), 1);
    await ended?.[Symbol.asyncDispose]();
  }

  /** The processes that read files and build indexes. */
  killHelpers(): void {
    for (const { pid } of this.#running) {
      for (const helper of processTree(pid)) {
        if (helper.pid !== pid && tryToKill(helper.pid)) this.#tally.kills += 1;
      }
    }
  }

  /** An answer while everything changes may be anything but an error of the protocol. */
  async ask(random: Random): Promise<void> {
    for (const { client } of await this.running()) {
      for (const question of random.some(questionsAbout({ files: [], folders: [] }, random), 4)) {
        await answerTo(question, client);
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#running.splice(0).map((one) => one[Symbol.asyncDispose]()));
  }
}

/** The output of a server that crashes is part of the failure. */
async function start({ root, cache }: Place): Promise<ConnectedClient> {
  const client = newClient('modern');
  const wire = new StdioClientTransport({
    command: process.execPath,
    args: [COMMAND, '--root', root, '--cache', cache],
    stderr: 'pipe',
  });
  wire.stderr?.on('data', (piece: Buffer) => process.stderr.write(piece));
  await client.connect(wire);
  return { client, pid: wire.pid ?? 0, [Symbol.asyncDispose]: () => client.close() };
}

function tryToKill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false; // The process has just ended.
  }
}

async function freshAnswers(
  root: string,
  cacheFolder: string,
  questions: readonly Question[],
): Promise<readonly (readonly [Question, unknown])[]> {
  await using codebase = createCodebase({ root, cacheFolder });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = newClient('modern');
  await codebase.server().connect(theirs);
  await client.connect(ours);
  const wait = { name: 'index_status', arguments: { wait_seconds: 100 } };
  await waitUntil(
    async () => {
      const { _meta } = await client.callTool(wait);
      const status = _meta?.['plugboard/data'] as { readonly phase?: string } | undefined;
      return status?.phase === 'ready';
    },
    { describe: 'a fresh index', timeoutMs: SETTLED_MS },
  );
  const answers: (readonly [Question, unknown])[] = [];
  for (const question of questions) answers.push([question, await answerTo(question, client)]);
  await client.close();
  return answers;
}

async function same(
  {
    question,
    answer,
    client,
  }: { readonly question: Question; readonly answer: unknown; readonly client: Client },
  words: (received: unknown) => string,
): Promise<void> {
  let received: unknown;
  await waitUntil(
    async () => {
      received = await answerTo(question, client);
      return isDeepStrictEqual(received, answer);
    },
    { describe: () => words(received), timeoutMs: SETTLED_MS },
  );
}

function report(
  seed: number,
  round: number,
  { difference, notes }: { readonly difference: Difference; readonly notes: readonly string[] },
): string {
  const { question, server, expected, received } = difference;
  return [
    `server ${server} to answer ${JSON.stringify(question)} as a fresh index does`,
    `seed ${seed}, round ${round}; repeat it with PLUGBOARD_CHECK_SEED=${seed}`,
    firstDifference(expected, received),
    ...notes.slice(notes.lastIndexOf(`--- round ${Math.max(0, round - 1)}`)),
  ].join('\n');
}

/** The lines around the first difference. */
function firstDifference(expected: unknown, received: unknown): string {
  const [fresh = [], running = []] = [expected, received].map((one) =>
    JSON.stringify(one, null, 1)
      .split(/\n|\\n/)
      .map((line) => line.slice(0, 160)),
  );
  const at = fresh.findIndex((line, index) => line !== running[index]);
  const around = (lines: readonly string[]): string =>
    lines.slice(Math.max(0, at - 4), at + 8).join('\n');
  return `a fresh index (${fresh.length} lines):\n${around(fresh)}\nthe running one (${running.length} lines):\n${around(running)}`;
}
