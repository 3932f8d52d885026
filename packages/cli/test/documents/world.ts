// The machine on which the command lines of one page are run: a home and a project of their own, the commands that the
// page may use, a scripted model, and what stands for example.com. A line is given to a shell as it is written, or run in the
// process of the test: see line-in-process.ts.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Scope } from '@plugboard/base';
import {
  type AuthorizationServer,
  startScriptedModel,
  type TempFolder,
  tempFolder,
  TerminalScreen,
} from '@plugboard/testkit';
import { leave, say } from '../chat/chat-on-terminal.ts';
import { withoutCursor, withoutStatus } from '../on-terminal.ts';
import { atTerminal, type SittingOptions } from '../person-at-terminal.ts';
import { KeptOutput, runInProcess } from '../command-in-process.ts';
import { PLUGBOARD, VERSION } from '../sandbox.ts';
import { shareCompiledCode } from '../shared-compiled-code.ts';
import { drawnInMemory, startInMemory } from '../terminal-in-memory.ts';
import { startExampleCom } from './example-com.ts';
import { wordsInProcess } from './line-in-process.ts';

export const REPOSITORY = fileURLToPath(new URL('../../../..', import.meta.url));

const ANSWER = 'Answered by the scripted model.';
const NPX = fileURLToPath(new URL('fixtures/npx.mjs', import.meta.url));
const CODEBASE = join(REPOSITORY, 'packages/codebase/bin/plugboard-codebase.js');

/** How a command line ended, and all that it printed. */
export interface ProgramResult {
  readonly code: number | null;
  readonly printed: string;
}

export class World implements AsyncDisposable {
  readonly home: string;
  readonly project: string;
  readonly issuer: AuthorizationServer;
  readonly env: Record<string, string>;
  readonly #folder: TempFolder;
  readonly #scope: Scope;

  private constructor(
    parts: Pick<World, 'home' | 'project' | 'issuer' | 'env'> & {
      readonly folder: TempFolder;
      readonly scope: Scope;
    },
  ) {
    this.home = parts.home;
    this.project = parts.project;
    this.issuer = parts.issuer;
    this.env = parts.env;
    this.#folder = parts.folder;
    this.#scope = parts.scope;
  }

  /** `name` is that of the project's folder, in the home. */
  static async make(name: string): Promise<World> {
    const scope = new Scope();
    const folder = scope.use(await tempFolder());
    const { issuer, env: network } = scope.use(await startExampleCom());
    const model = scope.use(await startScriptedModel({ otherwise: ANSWER }));
    const bin = await writeCommands(folder, issuer);
    const home = await folder.mkdir('home/me');
    const project = await folder.mkdir(`home/me/${name}`);
    await folder.mkdir(`home/me/${name}/.git`);
    shareCompiledCode(join(home, '.cache'));
    const env = {
      ...network,
      PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin`,
      HOME: home,
      LANG: 'C.UTF-8',
      NO_COLOR: '1',
      BROWSER: join(bin, 'browser'),
      ANTHROPIC_BASE_URL: model.url,
      OLLAMA_BASE_URL: model.url,
      // The keychain of the person who runs the tests is not to be touched.
      PLUGBOARD_SECRETS: 'file',
      // Nor is a service to be registered for them.
      PLUGBOARD_BACKGROUND: 'process',
    };
    const world = new World({ home, project, issuer, env, folder, scope });
    // A gateway in the background outlives the line that started it, and would outlive the test.
    scope.defer(async () => {
      const log = join(home, '.local/state/plugboard/gateway/log');
      if (existsSync(log)) await world.run('plugboard serve --stop');
    });
    return world;
  }

  /** `~/` is the home; other paths are relative to the project. */
  write(path: string, body: string | Uint8Array): Promise<string> {
    const file = path.startsWith('~/') ? join(this.home, path.slice(2)) : join(this.project, path);
    return this.#folder.write(file.slice(this.#folder.path.length + 1), body);
  }

  /** Runs a line, with this on its stdin. */
  async run(line: string, stdin = ''): Promise<ProgramResult> {
    const words = wordsInProcess(line);
    if (words !== undefined) return this.#runHere(words, stdin);
    const started = new StartedLine(this, line);
    started.type(stdin);
    return started.end();
  }

  async #runHere(words: readonly string[], text: string): Promise<ProgramResult> {
    const printed = new KeptOutput();
    const stdin = Readable.from(text === '' ? [] : [Buffer.from(text)]);
    const streams = { stdin, stdout: printed, stderr: printed };
    const place = { cwd: this.project, env: this.env, version: VERSION };
    const code = await runInProcess(words, { ...place, ...streams });
    return { code, printed: printed.text };
  }

  /** The same with a person at a terminal, who types each answer once its question has appeared. */
  async ask(line: string, turns: Required<SittingOptions>['turns']): Promise<ProgramResult> {
    const command = ['/bin/sh', '-c'];
    const seen = await atTerminal(this, { command, args: [line], turns, term: 'xterm' });
    return { code: seen.code, printed: withoutCursor(withoutStatus(seen.screen)) };
  }

  /** A chat: something is said, the model answers, and the person leaves. */
  async chat(line: string): Promise<ProgramResult> {
    const size = { columns: 100, rows: 40 };
    const place = { cwd: this.project, env: this.env, ...size };
    const words = wordsInProcess(line);
    await using screen =
      words === undefined
        ? await TerminalScreen.start({ command: '/bin/sh', args: ['-c', line], ...place })
        : await drawnInMemory(size, (onBytes) =>
            startInMemory(words, { ...place, version: VERSION, onBytes }),
          );
    await say(screen, 'hello');
    await screen.shows(ANSWER);
    return { code: await leave(screen), printed: screen.text() };
  }

  /** Starts what does not end by itself. It counts as done once it says that it is ready. */
  async serve(line: string, ready: RegExp): Promise<ProgramResult> {
    const started = new StartedLine(this, `exec ${line}`);
    this.#scope.defer(() => started.stop());
    return { code: 0, printed: await started.says(ready) };
  }

  /** Once the line has said this, what `answer` makes of all it said is piped in. */
  async reply(
    line: string,
    what: RegExp,
    answer: (said: string) => Promise<string>,
  ): Promise<ProgramResult> {
    const started = new StartedLine(this, line);
    started.type(await answer(await started.says(what)));
    return started.end();
  }

  /** Does something, and puts the home and all that lies in it back as it was. */
  async aside<T>(act: () => Promise<T>): Promise<T> {
    const kept = join(this.#folder.path, 'kept');
    await cp(this.home, kept, { recursive: true });
    try {
      return await act();
    } finally {
      await rm(this.home, { recursive: true });
      await rename(kept, this.home);
    }
  }

  /** What a page shows: where things lie on the machine of its reader. */
  shown(printed: string): string {
    return printed
      .replaceAll(this.home, '/home/me')
      .replaceAll(/approved it on \d{4}-\d\d-\d\d/g, 'approved it on 2026-11-15');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#scope.close();
  }
}

/** A line that runs, with all that it prints on either stream. */
class StartedLine {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #closed: Promise<number | null>;
  #printed = '';
  #look: () => void = () => {};

  constructor({ project, env }: Pick<World, 'project' | 'env'>, line: string) {
    this.#child = spawn('/bin/sh', ['-c', `exec 2>&1\n${line}`], { cwd: project, env });
    this.#closed = new Promise((resolve) => this.#child.once('close', resolve));
    // A command that reads nothing may have ended before all is written.
    this.#child.stdin.on('error', () => {});
    this.#child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      this.#printed += chunk;
      this.#look();
    });
  }

  type(text: string): void {
    this.#child.stdin.write(text);
  }

  async says(what: RegExp): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#look = () => {
        if (what.test(this.#printed)) resolve();
      };
      this.#look();
      void this.#closed.then(() => reject(new Error(`ended after ${this.#printed}`)));
    });
    return this.#printed;
  }

  async end(): Promise<ProgramResult> {
    this.#child.stdin.end();
    const code = await this.#closed;
    return { code, printed: this.#printed };
  }

  async stop(): Promise<void> {
    this.#child.kill();
    await this.#closed;
  }
}

/** What can be typed: ours, `npx` without a registry, and a browser in which a person signs in at once. */
async function writeCommands(folder: TempFolder, issuer: AuthorizationServer): Promise<string> {
  const browser = `const { pathname, search } = new URL(process.argv[2]);
const answer = await fetch(\`${issuer.address}\${pathname}\${search}\`, { redirect: 'manual' });
await fetch(answer.headers.get('location'));
`;
  const script = await folder.write('bin/browser.mjs', browser);
  const programs = {
    plugboard: PLUGBOARD,
    'plugboard-codebase': CODEBASE,
    npx: NPX,
    browser: script,
  };
  for (const [name, program] of Object.entries(programs)) {
    const text = `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`;
    await chmod(await folder.write(`bin/${name}`, text), 0o755);
  }
  return join(folder.path, 'bin');
}
