// A host that watches the user's file, with two running servers: one whose entry is edited and one whose entry stays
// the same. Reports how soon an edit takes effect and how often the host reloads. Uses the home folder of this process.

import { rename, writeFile } from 'node:fs/promises';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { allowAll, createHost, type Host } from '@plugboard/host';
import { hostEnvironment } from '@plugboard/host/configuration';
import { answerParent } from '../measure/answer-parent.ts';
import { fastEchoServer } from '../places.ts';

export type ReloadTask =
  /** Returns the milliseconds until the edit took effect. */
  | { readonly kind: 'edit'; readonly mark: string }
  /** Makes many edits in a row; returns the number of reloads. */
  | { readonly kind: 'burst'; readonly mark: string; readonly edits: number }
  /** Returns how often the unedited server was started. */
  | { readonly kind: 'starts-of-untouched' };

/** All effects of one edit are over by then. */
const SETTLED_MS = 1000;

const { cwd, paths } = hostEnvironment();
const file = join(paths.config, 'settings.json');
const startsFile = join(cwd, 'starts');
let reloads = 0;
const following = follow();

answerParent(answer, async () => {
  await (await following).close();
  process.exit();
});

async function answer(question: ReloadTask): Promise<number> {
  const host = await following;
  switch (question.kind) {
    case 'edit':
      return timeEdit(host, question.mark);
    case 'burst':
      return countReloads(host, question);
    case 'starts-of-untouched':
      return readFileSync(startsFile, 'utf8').trimEnd().split('\n').length;
    default:
      return question satisfies never;
  }
}

async function follow(): Promise<Host> {
  mkdirSync(dirname(file), { recursive: true });
  await edit('first');
  const host = await createHost({ approve: allowAll });
  const { problems } = await host.tools();
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  host.on(({ kind }) => {
    if (kind === 'configuration') reloads += 1;
  });
  return host;
}

async function timeEdit(host: Host, mark: string): Promise<number> {
  await sleep(SETTLED_MS);
  const applied = nextChange(host);
  await edit(mark);
  const startedAt = performance.now();
  await applied;
  return performance.now() - startedAt;
}

async function countReloads(
  host: Host,
  { mark, edits }: Extract<ReloadTask, { readonly kind: 'burst' }>,
): Promise<number> {
  await sleep(SETTLED_MS);
  const before = reloads;
  const applied = nextChange(host);
  for (let index = 1; index <= edits; index += 1) await edit(`${mark}-${index}`);
  await applied;
  await sleep(SETTLED_MS);
  return reloads - before;
}

/** Resolves when the host reports the edited server. */
function nextChange(host: Host): Promise<void> {
  return new Promise((resolve) => {
    const listening = host.on((event) => {
      if (event.kind !== 'configuration' || !event.changed.includes('edited')) return;
      listening[Symbol.dispose]();
      resolve();
    });
  });
}

/** Replaces the file, like programs that write settings. */
async function edit(mark: string): Promise<void> {
  const command = process.execPath;
  const mcpServers = {
    edited: { command, args: [fastEchoServer], env: { MARK: mark } },
    untouched: { command, args: [fastEchoServer, startsFile] },
  };
  await writeFile(`${file}.draft`, JSON.stringify({ mcpServers }));
  await rename(`${file}.draft`, file);
}
