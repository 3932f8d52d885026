// The language servers that the user has named, by language. A server is started by the first request that it can answer,
// and stopped after a while without requests. Answers never include files outside the tree.

import { isAbsolute, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Clock, err, isObject, ok, type Result } from '@plugboard/base';
import { type LanguageName, languageOf } from '../chunk/index.ts';
import { findProgram, isWithin } from '../platform/index.ts';
import type { LanguageServerSettings } from './language-server-settings.ts';
import { LanguageServer } from './language-server.ts';

/** The place of a name; lines and columns from 0, as in the protocol. */
export interface NamePlace {
  /** Relative to the root. */
  readonly path: string;
  readonly line: number;
  readonly column: number;
  /** The text of the file. */
  readonly text: string;
}

export interface FoundPlace {
  readonly path: string;
  /** From 1. */
  readonly line: number;
}

/** The first answer waits until the server has read the project. */
const ANSWER_MS = 40_000;
const IDLE_MS = 120_000;
const MOST_PLACES = 20_000;
/** Languages with another name in the protocol. */
const PROTOCOL_NAMES: Partial<Readonly<Record<LanguageName, string>>> = { tsx: 'typescriptreact' };

interface RunningServer {
  readonly opening: Promise<Result<LanguageServer, string>>;
  idle: Disposable | undefined;
}

export class LanguageServers implements AsyncDisposable {
  readonly #root: string;
  readonly #settings: LanguageServerSettings;
  readonly #clock: Clock;
  readonly #running = new Map<string, RunningServer>();

  constructor(root: string, settings: LanguageServerSettings, clock: Clock) {
    this.#root = root;
    this.#settings = settings;
    this.#clock = clock;
  }

  /** The command of the server for a file; `undefined` if the user has named none. */
  commandFor(path: string): readonly string[] | undefined {
    const language = languageOf(path);
    return language === undefined ? undefined : this.#settings[language];
  }

  /** Where the symbol declared at a place is used in the tree, or a sentence on why that is not known. */
  async references(
    place: NamePlace,
    signal: AbortSignal,
  ): Promise<Result<readonly FoundPlace[], string>> {
    const command = this.commandFor(place.path);
    if (command === undefined) return err('there is no language server for it');
    const opened = await this.#open(command, signal);
    if (!opened.ok) return opened;
    const server = opened.value;
    const uri = pathToFileURL(join(this.#root, place.path)).href;
    const language = languageOf(place.path) ?? 'text';
    const languageId = PROTOCOL_NAMES[language] ?? language;
    server.notify('textDocument/didOpen', {
      textDocument: { uri, languageId, version: 1, text: place.text },
    });
    const answer = await server.request(
      'textDocument/references',
      {
        textDocument: { uri },
        position: { line: place.line, character: place.column },
        context: { includeDeclaration: false },
      },
      { ms: ANSWER_MS, signal },
    );
    server.notify('textDocument/didClose', { textDocument: { uri } });
    return answer.ok ? ok(this.#placesIn(answer.value)) : answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#running.keys()].map((key) => this.#end(key)));
  }

  async #open(
    command: readonly string[],
    signal: AbortSignal,
  ): Promise<Result<LanguageServer, string>> {
    const key = JSON.stringify(command);
    const known = this.#running.get(key);
    const server = known ?? { opening: this.#start(command, signal), idle: undefined };
    this.#running.set(key, server);
    server.idle?.[Symbol.dispose]();
    server.idle = this.#clock.after(IDLE_MS, () => void this.#end(key));
    const opened = await server.opening.catch(() => err('it was given up while it started'));
    if (opened.ok && !opened.value.hasEnded) return opened;
    await this.#end(key);
    // A server that was killed is started once more.
    return known === undefined ? opened : this.#open(command, signal);
  }

  async #start(
    [name = '', ...args]: readonly string[],
    signal: AbortSignal,
  ): Promise<Result<LanguageServer, string>> {
    const program = isAbsolute(name) ? name : await findProgram(name, this.#root);
    if (program === undefined) return err(`${name} is not installed`);
    return LanguageServer.open({ program, args, root: this.#root, clock: this.#clock }, signal);
  }

  async #end(key: string): Promise<void> {
    const server = this.#running.get(key);
    this.#running.delete(key);
    server?.idle?.[Symbol.dispose]();
    const opened = await server?.opening.catch(() => undefined);
    if (opened?.ok === true) await opened.value.close();
  }

  /** Each line once, sorted. */
  #placesIn(answer: unknown): readonly FoundPlace[] {
    const all = Array.isArray(answer) ? answer.slice(0, MOST_PLACES) : [];
    const places = new Map<string, FoundPlace>();
    for (const one of all as readonly unknown[]) {
      const place = isObject(one) ? this.#placeOf(one) : undefined;
      if (place !== undefined) places.set(`${place.path}:${place.line}`, place);
    }
    return [...places.values()].toSorted(
      (a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)) || a.line - b.line,
    );
  }

  #placeOf({ uri, range }: Readonly<Record<string, unknown>>): FoundPlace | undefined {
    const start = isObject(range) ? range['start'] : undefined;
    const line = isObject(start) ? start['line'] : undefined;
    if (typeof uri !== 'string' || !uri.startsWith('file://') || !Number.isInteger(line)) {
      return undefined;
    }
    try {
      const file = fileURLToPath(uri);
      const path = relative(this.#root, file).split(sep).join('/');
      if (path === '' || !isWithin(this.#root, file)) return undefined;
      return { path, line: Number(line) + 1 };
    } catch {
      return undefined;
    }
  }
}
