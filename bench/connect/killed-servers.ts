// Kills servers at random points during calls, and counts the outcomes. The first kill of each host hits a server
// during its start; the others hit a working one.

import { allowAll, type CallOutcome, createHost, type Host, type Part } from '@plugboard/host';
import { allProcesses, scriptedServer } from '@plugboard/testkit';
import { setTimeout as pause } from 'node:timers/promises';
import { answerParent } from '../measure/answer-parent.ts';
import { seededRandom } from '../measure/seeded-random.ts';

export interface KillPlan {
  readonly seed: number;
  readonly hosts: number;
  readonly killsPerHost: number;
  /** For each call. */
  readonly deadlineMs: number;
}

export interface Tally {
  kills: number;
  killsAtStart: number;
  answered: number;
  failed: number;
  /** Outcomes that are neither the right answer nor a report that the server was killed. */
  readonly unclear: string[];
  readonly nextFailed: string[];
  longestMs: number;
  longestFailureMs: number;
  /** Processes that remain when their host is closed. */
  left: number;
}

const LANES = 2;
/** The longest of the calls takes this long, in steps that each report progress. */
const WORK = { ms: 80, steps: 8 };
/** The approximate time to start, connect and list. */
const START_MS = 120;
const BIG = 200_000;

answerParent(run, () => process.exit());

async function run(plan: KillPlan): Promise<Tally> {
  // One more host that does not count, since the first one waits for code to load.
  await killIn(plan, plan.hosts, emptyTally());
  const tally = emptyTally();
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < plan.hosts) {
      const number = next;
      next += 1;
      await killIn(plan, number, tally);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return tally;
}

function emptyTally(): Tally {
  return {
    kills: 0,
    killsAtStart: 0,
    answered: 0,
    failed: 0,
    unclear: [],
    nextFailed: [],
    longestMs: 0,
    longestFailureMs: 0,
    left: 0,
  };
}

async function killIn(plan: KillPlan, number: number, tally: Tally): Promise<void> {
  // Depends only on the number, so that the pace of the lanes does not change the kills.
  const random = seededRandom(plan.seed + number);
  const server = `killed-${plan.seed}-${number}`;
  const host = await createHost({
    files: 'none',
    approve: allowAll,
    // Large answers are compared whole.
    output: { maxCharacters: 2 * BIG, maxTokens: 2 * BIG },
    servers: {
      [server]: {
        ...scriptedServer({ serverInfo: { name: server, version: '1.0.0' } }),
        timeout: plan.deadlineMs,
        connectTimeout: plan.deadlineMs,
      },
    },
  });
  const scene = { host, server, random, tally };
  for (let kill = 0; kill < plan.killsPerHost; kill += 1) {
    await killDuringCalls(scene);
    await checkNextCall(scene);
  }
  await host.close();
  tally.left += pidsOf(server).length;
}

interface Scene {
  readonly host: Host;
  readonly server: string;
  readonly random: () => number;
  readonly tally: Tally;
}

async function killDuringCalls({ host, server, random, tally }: Scene): Promise<void> {
  const isStarting = pidsOf(server).length === 0;
  const waitMs = random() * (isStarting ? START_MS : WORK.ms);
  const waiting = new Set<CallPlan>();
  let killedAt = Number.POSITIVE_INFINITY;
  const calls = plannedCalls(random).map(async (planned) => {
    waiting.add(planned);
    const startedAt = performance.now();
    const outcome = await host.call({ server, tool: planned.tool }, planned.arguments);
    waiting.delete(planned);
    const endedAt = performance.now();
    tally.longestMs = Math.max(tally.longestMs, endedAt - startedAt);
    const verdict = judge(outcome, planned);
    if (verdict === 'failed') {
      tally.longestFailureMs = Math.max(tally.longestFailureMs, endedAt - killedAt);
    }
    count(tally, verdict);
  });
  const pid = await pidOf(server);
  await pause(waitMs);
  killedAt = performance.now();
  process.kill(pid, 'SIGKILL');
  if (waiting.size > 0) tally.kills += 1;
  if (waiting.size > 0 && isStarting) tally.killsAtStart += 1;
  await Promise.all(calls);
}

async function checkNextCall({ host, server, tally }: Scene): Promise<void> {
  const message = `after ${tally.kills} kills`;
  const outcome = await host.call({ server, tool: 'echo' }, { message });
  if (!isAnswer(outcome, message)) tally.nextFailed.push(shown(outcome));
}

interface CallPlan {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, string | number>>;
  readonly answer: string;
}

/** One long call, and a few random ones. */
function plannedCalls(random: () => number): readonly CallPlan[] {
  const work: CallPlan = { tool: 'sleep', arguments: WORK, answer: `slept ${WORK.ms} ms` };
  const others = Array.from({ length: Math.floor(random() * 6) }, () => anyCall(random));
  return [work, ...others];
}

function anyCall(random: () => number): CallPlan {
  const ms = Math.floor(random() * WORK.ms);
  const kinds: readonly CallPlan[] = [
    { tool: 'echo', arguments: { message: `message ${ms}` }, answer: `message ${ms}` },
    { tool: 'sleep', arguments: { ms }, answer: `slept ${ms} ms` },
    { tool: 'big', arguments: { bytes: BIG }, answer: 'x'.repeat(BIG) },
  ];
  return kinds[Math.floor(random() * kinds.length)]!;
}

type CallVerdict = 'answered' | 'failed' | { readonly unclear: string };

/** A clear failure reports that the process was killed. */
function judge(outcome: CallOutcome, { answer }: CallPlan): CallVerdict {
  if (isAnswer(outcome, answer)) return 'answered';
  const isClear =
    outcome.kind === 'not-connected' &&
    outcome.reason.kind === 'exited' &&
    outcome.reason.exit.signal === 'SIGKILL';
  return isClear ? 'failed' : { unclear: shown(outcome) };
}

function count(tally: Tally, verdict: CallVerdict): void {
  if (verdict === 'answered') tally.answered += 1;
  else if (verdict === 'failed') tally.failed += 1;
  else tally.unclear.push(verdict.unclear);
}

function isAnswer(outcome: CallOutcome, text: string): boolean {
  if (outcome.kind !== 'result') return false;
  const [part] = outcome.parts as readonly [Part];
  return part.kind === 'text' && part.text === text;
}

function shown(outcome: CallOutcome): string {
  const { kind, ...detail } = outcome;
  return `${kind} ${JSON.stringify(detail)}`.slice(0, 200);
}

/** The server's name is in its command line. */
function pidsOf(server: string): readonly number[] {
  return allProcesses()
    .filter(({ command }) => command.includes(`"${server}"`))
    .map(({ pid }) => pid);
}

async function pidOf(server: string): Promise<number> {
  for (;;) {
    const [pid] = pidsOf(server);
    if (pid !== undefined) return pid;
    await pause(2);
  }
}
