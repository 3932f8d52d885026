// Finds references with other tools: TypeScript's language service and pyright. Both search all files of a folder, and
// return lines.

import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inBench } from '../places.ts';

export interface SourceText {
  readonly path: string;
  readonly text: string;
}

export interface Asked {
  readonly path: string;
  /** Both from 0. */
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

export interface LanguageServer {
  /** Lines with a reference, as `path:line` from 1. */
  references(asked: Asked): Promise<ReadonlySet<string>>;
  /** Whether it can resolve the name at a place. */
  knows(asked: Asked): Promise<boolean>;
}

const require = createRequire(inBench('package.json'));

interface ReferenceEntry {
  readonly fileName: string;
  readonly textSpan: { readonly start: number };
}

/** The used part of TypeScript 5, since the compiler of this repository has no language service. */
interface TypeScript {
  readonly ModuleKind: { readonly ESNext: number };
  readonly ModuleResolutionKind: { readonly Bundler: number };
  readonly ScriptTarget: { readonly ESNext: number };
  readonly ScriptSnapshot: { fromString(text: string): unknown };
  createLanguageService(host: object): {
    getReferencesAtPosition(file: string, at: number): readonly ReferenceEntry[] | undefined;
    getDefinitionAtPosition(file: string, at: number): readonly object[] | undefined;
  };
}

export function typescriptServer(folder: string, files: readonly SourceText[]): LanguageServer {
  const ts = require('typescript-with-language-service') as TypeScript;
  const texts = new Map(files.map(({ path, text }) => [join(folder, path), text]));
  const service = ts.createLanguageService({
    getCompilationSettings: () => ({
      ...{ allowJs: true, noLib: true, types: [], module: ts.ModuleKind.ESNext },
      ...{ moduleResolution: ts.ModuleResolutionKind.Bundler, target: ts.ScriptTarget.ESNext },
      allowImportingTsExtensions: true,
    }),
    getScriptFileNames: () => [...texts.keys()],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name: string) => {
      const text = texts.get(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: () => 'lib.d.ts',
    fileExists: (name: string) => texts.has(name),
    readFile: (name: string) => texts.get(name),
  });
  return {
    async references({ path, offset }) {
      const found = service.getReferencesAtPosition(join(folder, path), offset) ?? [];
      return new Set(
        found.map(({ fileName, textSpan }) => {
          const before = (texts.get(fileName) ?? '').slice(0, textSpan.start);
          return `${relative(folder, fileName)}:${before.split('\n').length}`;
        }),
      );
    },
    async knows({ path, offset }) {
      return (service.getDefinitionAtPosition(join(folder, path), offset) ?? []).length > 0;
    },
  };
}

interface Location {
  readonly uri: string;
  readonly range: { readonly start: { readonly line: number } };
}

/** Closing ends the process. */
export interface Pyright extends LanguageServer, AsyncDisposable {}

export async function pyrightServer(
  folder: string,
  files: readonly SourceText[],
): Promise<Pyright> {
  const program = require.resolve('pyright/langserver.index.js');
  const child = spawn(process.execPath, [program, '--stdio'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting = new Map<number, (result: unknown) => void>();
  const send = (message: object): void => {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    child.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    child.stdin.write(body);
  };
  let rest = Buffer.alloc(0);
  child.stdout.on('data', (piece: Buffer) => {
    rest = Buffer.concat([rest, piece]);
    for (;;) {
      const end = rest.indexOf('\r\n\r\n');
      const length = Number(/Content-Length: (\d+)/i.exec(rest.toString('latin1', 0, end))?.[1]);
      if (end < 0 || rest.length < end + 4 + length) return;
      const message = JSON.parse(rest.toString('utf8', end + 4, end + 4 + length)) as {
        readonly id?: number;
        readonly method?: string;
        readonly params?: { readonly items?: readonly unknown[] };
        readonly result?: unknown;
      };
      rest = rest.subarray(end + 4 + length);
      if (message.method !== undefined && message.id !== undefined) {
        send({ id: message.id, result: message.params?.items?.map(() => ({})) ?? null });
      } else if (message.id !== undefined) waiting.get(message.id)?.(message.result);
    }
  });
  let last = 0;
  const request = (method: string, params: object): Promise<unknown> =>
    new Promise((resolve) => {
      last += 1;
      waiting.set(last, resolve);
      send({ id: last, method, params });
    });
  const uriOf = (path: string): string => pathToFileURL(join(folder, path)).href;
  const workspaceFolders = [{ uri: pathToFileURL(folder).href, name: 'tree' }];
  await request('initialize', {
    ...{ processId: process.pid, rootUri: workspaceFolders[0]?.uri, workspaceFolders },
    capabilities: { workspace: { workspaceFolders: true, configuration: true } },
  });
  send({ method: 'initialized', params: {} });
  for (const { path, text } of files) {
    const textDocument = { uri: uriOf(path), languageId: 'python', version: 1, text };
    send({ method: 'textDocument/didOpen', params: { textDocument } });
  }
  return {
    async references({ path, line, column }) {
      const found = (await request('textDocument/references', {
        textDocument: { uri: uriOf(path) },
        position: { line, character: column },
        context: { includeDeclaration: true },
      })) as readonly Location[] | null;
      return new Set(
        (found ?? []).map(
          ({ uri, range }) =>
            `${relative(folder, decodeURIComponent(new URL(uri).pathname))}:${range.start.line + 1}`,
        ),
      );
    },
    async knows({ path, line, column }) {
      const found = (await request('textDocument/definition', {
        textDocument: { uri: uriOf(path) },
        position: { line, character: column },
      })) as readonly Location[] | null;
      return (found ?? []).length > 0;
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await new Promise((resolve) => child.once('exit', resolve));
    },
  };
}
