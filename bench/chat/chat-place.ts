// The folder, home and model for measuring the chat of the built command, and the chat on an emulated screen.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TerminalScreen } from '@plugboard/testkit';
import { sandbox, type Sandbox, type ServerEntry } from '../measure/sandbox.ts';
import { nodeUnderTest } from '../node-under-test.ts';
import { plugboardBin } from '../places.ts';

export const SCREEN = { columns: 100, rows: 30 } as const;
/** The placeholder of the empty prompt. */
export const EMPTY_PROMPT = '❯ Ask for something';
/** The settings of most terminals: colours and Unicode. */
const TERMINAL = { TERM: 'xterm-256color', LANG: 'C.UTF-8' } as const;
const TIMEOUT_MS = 20_000;

export interface ChatPlace extends Disposable {
  readonly folder: string;
  /** The folder of stored conversations. */
  readonly state: string;
  readonly env: Readonly<Record<string, string>>;
}

export function chatPlace(
  modelUrl: string,
  servers: Readonly<Record<string, ServerEntry>> = {},
): ChatPlace {
  const box = sandbox(servers);
  const home = join(box.folder, 'home');
  mkdirSync(join(home, 'config', 'plugboard'), { recursive: true });
  writeFileSync(
    join(home, 'config', 'plugboard', 'settings.json'),
    JSON.stringify({ permissions: { allow: Object.keys(servers).map(allowRule) } }),
  );
  return {
    folder: box.folder,
    state: join(home, 'state', 'plugboard'),
    env: {
      ...textsOf(box.env),
      ...TERMINAL,
      ANTHROPIC_API_KEY: 'bench',
      ANTHROPIC_BASE_URL: modelUrl,
    },
    [Symbol.dispose]: () => box[Symbol.dispose](),
  };
}

/** Allows all calls, none of which sends data out, so that the chat asks for no approval. Data flow is still tracked. */
function allowRule(server: string): object {
  return { tool: `mcp__${server}`, out: false };
}

function textsOf(env: Sandbox['env']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

export function chatOn(
  { folder, env }: ChatPlace,
  args: readonly string[] = [],
): Promise<TerminalScreen> {
  return onScreen([plugboardBin, 'chat', ...args], { cwd: folder, env });
}

export function onScreen(
  args: readonly string[],
  place: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<TerminalScreen> {
  return TerminalScreen.start({ command: nodeUnderTest().path, args, ...place, ...SCREEN });
}

/** Milliseconds from the start of the command until all of these are on its screen. */
export async function timeUntilShown(
  place: ChatPlace,
  args: readonly string[],
  what: readonly string[],
): Promise<number> {
  const startedAt = performance.now();
  await using screen = await chatOn(place, args);
  await screen.until((text) => what.every((part) => text.includes(part)), {
    timeoutMs: TIMEOUT_MS,
  });
  return performance.now() - startedAt;
}
