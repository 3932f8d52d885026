// The project in the pictures: a small program that delivers webhooks, in its own home, with servers in all common states.

import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesystem, memory, type TempFolder, tempFolder } from '@plugboard/testkit';

const BIN = fileURLToPath(new URL('../../packages/cli/bin/plugboard.js', import.meta.url));
const PROJECT = 'home/code/relay';

export interface ShownProject extends AsyncDisposable {
  readonly folder: string;
  readonly bin: string;
  readonly env: Readonly<Record<string, string>>;
}

export const RETRY_FILE = 'src/webhooks/retry.ts';
export const RETRY_BEFORE = `export async function deliver(hook: Webhook, send: Send): Promise<void> {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    const answer = await send(hook, { timeoutMs: 3000 });
    if (answer.ok) return;
    await delay(attempt * 1000);
  }
`;
export const RETRY_AFTER = `export async function deliver(hook: Webhook, send: Send): Promise<void> {
  const key = idempotencyKey(hook);
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    const answer = await send(hook, { key, timeoutMs: TIMEOUT_MS });
    if (answer.ok || answer.status === 409) return;
    await delay(attempt * 1000);
  }
`;

const FILES: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "relay", "version": "2.3.0", "type": "module" }\n',
  'README.md': '# relay\n\nDelivers webhooks, once.\n',
  '.git/HEAD': 'ref: refs/heads/main\n',
  'src/server.ts': "import { enqueue } from './queue.ts';\n\nexport { enqueue };\n",
  'src/queue.ts': 'export function enqueue(hook: Webhook): void {\n  waiting.push(hook);\n}\n',
  'src/webhooks/deliver.ts': "export { deliver } from './retry.ts';\n",
  'src/webhooks/signature.ts': 'export const sign = (body: string): string => hmac(body);\n',
  'test/retry.test.ts': "it('gives up after five attempts', async () => {});\n",
  [RETRY_FILE]: `// Delivers a webhook, again and again until the receiver takes it.

import { type Send, TIMEOUT_MS, type Webhook } from './send.ts';
import { idempotencyKey } from './signature.ts';
import { delay } from '../clock.ts';

const MOST_ATTEMPTS = 5;

${RETRY_BEFORE}  await bury(hook);
}
`,
};

export type ShownServers = Readonly<Record<string, object>>;

/** Servers that work. */
export function soundServers(): ShownServers {
  return { files: filesystem('.'), memory: memory('memory.json') };
}

/** `signInUrl`: a server that requires a sign-in. */
export function allServers(signInUrl: string): ShownServers {
  return {
    ...soundServers(),
    github: { type: 'http', url: signInUrl },
    postgres: { command: 'postgres-mcp', args: ['--read-only'] },
    sentry: { type: 'http', url: 'http://127.0.0.1:9/mcp', disabled: true },
    [UNTRUSTED]: { command: 'npx', args: ['browser-mcp'] },
  };
}

const UNTRUSTED = 'browser';

export async function shownProject(servers: ShownServers): Promise<ShownProject> {
  const temp = await tempFolder();
  for (const [path, text] of Object.entries(FILES)) await temp.write(`${PROJECT}/${path}`, text);
  const folder = `${temp.path}/${PROJECT}`;
  await temp.write(`${PROJECT}/.mcp.json`, JSON.stringify({ mcpServers: servers }, null, 2));
  const settings = { permissions: { allow: ['mcp__codebase'] } };
  await temp.write('home/.config/plugboard/settings.json', JSON.stringify(settings));
  const env = environmentOf(temp);
  for (const name of Object.keys(servers).filter((one) => one !== UNTRUSTED)) {
    execFileSync(process.execPath, [BIN, 'trust', name], { cwd: folder, env, stdio: 'ignore' });
  }
  return { folder, bin: BIN, env, [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose]() };
}

function environmentOf({ path }: TempFolder): Readonly<Record<string, string>> {
  const home = `${path}/home`;
  return {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: home,
    XDG_CONFIG_HOME: `${home}/.config`,
    XDG_STATE_HOME: `${home}/.local/state`,
    XDG_CACHE_HOME: `${home}/.cache`,
    PLUGBOARD_SECRETS: 'file',
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    LANG: 'C.UTF-8',
  };
}
