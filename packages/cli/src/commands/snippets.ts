// `plugboard snippets list|show|add|run|remove`: manages and runs scripts that the user has approved. A file that has changed
// since must be shown and approved again.

import { resolve } from 'node:path';
import {
  type HostEnvironment,
  hostEnvironment,
  isSnippetName,
  type ReadSnippet,
  scriptDigest,
  type Snippet,
  Snippets,
} from '@plugboard/host/configuration';
import { runScript } from '@plugboard/host/adapters';
import { canAsk, type Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../print/json.ts';
import { shortPath } from '../print/place.ts';
import { waiting } from '../print/progress.ts';
import { sanitise } from '../print/sanitise.ts';
import { snippetError, snippetScreen, snippetTable } from '../print/snippets.ts';
import { CancelledError, UsageError } from '../usage-error.ts';
import { askAboutText, isYes } from './ask-about-text.ts';
import { withHost } from './with-host.ts';

interface OpenedSnippets {
  readonly environment: HostEnvironment;
  readonly snippets: Snippets;
  readonly all: readonly Snippet[];
}

async function open(): Promise<OpenedSnippets> {
  const environment = hostEnvironment();
  const snippets = new Snippets(environment.paths.state);
  const all = await snippets.list();
  if (!all.ok) throw snippetError(all.error, environment);
  return { environment, snippets, all: all.value };
}

function snippetNamed({ all }: OpenedSnippets, name: string): Snippet {
  const found = all.find((snippet) => snippet.name === name);
  if (found !== undefined) return found;
  throw new UsageError(`there is no snippet "${name}"`, 'see the list: plugboard snippets list');
}

export async function listSnippets(context: Context): Promise<ExitCode> {
  const { environment: from, snippets, all } = await open();
  const rows = await Promise.all(
    all.map(async (snippet) => ({ ...snippet, state: (await snippets.read(snippet)).kind })),
  );
  const { out, err } = context.terminal;
  if (context.isJson) printJson(context, { snippets: rows });
  else if (rows.length > 0) out.write(snippetTable(rows, { from, columns: out.columns }));
  else err.write('There are no snippets.\nAdd one: plugboard snippets add NAME FILE\n');
  return EXIT.ok;
}

export async function showSnippet(context: Context, name: string): Promise<ExitCode> {
  const opened = await open();
  const snippet = snippetNamed(opened, name);
  const read = requireReadable(
    await opened.snippets.read(snippet),
    snippet.file,
    opened.environment,
  );
  const { out, err } = context.terminal;
  if (context.isJson) {
    printJson(context, { ...snippet, state: read.kind, code: read.code });
  } else {
    out.write(sanitise(read.code.endsWith('\n') ? read.code : `${read.code}\n`));
    if (read.kind === 'changed') err.write('It has changed since you approved it.\n');
  }
  return EXIT.ok;
}

export async function addSnippet(context: Context, name: string, path: string): Promise<ExitCode> {
  if (!isSnippetName(name)) {
    throw new UsageError(
      'this is not a valid name for a snippet',
      'use 1 to 64 letters, digits, "_", "." and "-", such as triage',
    );
  }
  const opened = await open();
  const file = resolve(opened.environment.cwd, path);
  const read = requireReadable(
    await opened.snippets.read({ file, digest: '' }),
    file,
    opened.environment,
  );
  const { code, digest } = read;
  const isAccepted =
    context.answer === 'yes' || (await isApproved(context, { name, file, code }, opened));
  if (!isAccepted) return reportNotApproved(context, { name, file }, opened);
  const approved = await approve(opened, { name, file, digest });
  if (context.isJson) printJson(context, { kind: 'approved', ...approved });
  else context.terminal.err.write(`Approved "${name}". Run it: plugboard snippets run ${name}\n`);
  return EXIT.ok;
}

export async function removeSnippet(context: Context, name: string): Promise<ExitCode> {
  const opened = await open();
  const { file } = snippetNamed(opened, name);
  const removed = await opened.snippets.remove(name);
  if (!removed.ok) throw snippetError(removed.error, opened.environment);
  if (context.isJson) printJson(context, { kind: 'removed', name });
  else {
    const where = shortPath(file, opened.environment);
    context.terminal.err.write(`Removed "${name}". Its file is still there: ${where}\n`);
  }
  return EXIT.ok;
}

export async function runSnippet(context: Context, name: string): Promise<ExitCode> {
  const opened = await open();
  const snippet = snippetNamed(opened, name);
  const { file } = snippet;
  const read = requireReadable(await opened.snippets.read(snippet), file, opened.environment);
  const { code } = read;
  if (read.kind === 'changed') {
    if (!(await isApproved(context, { name, file, code }, opened)))
      return reportNotApproved(context, { name, file }, opened);
    await approve(opened, { name, file, digest: scriptDigest(code) });
  }
  return withHost(context, undefined, async (host) => {
    const { outcome, text } = await waiting(context, host, async (signal) => {
      const { tools } = await host.tools({ signal });
      return runScript(
        { name, code },
        {
          host,
          tools,
          make: (call, inScript = {}) => host.call(call.name, call.arguments, inScript),
          signal,
        },
      );
    });
    if (context.isJson) printJson(context, { name, digest: scriptDigest(code), ...outcome });
    else if (text !== '') context.terminal.out.write(sanitise(`${text}\n`));
    if (outcome.kind === 'cancelled') return EXIT.interrupted;
    return outcome.kind === 'done' ? EXIT.ok : EXIT.server;
  });
}

type ReadableSnippet = Exclude<ReadSnippet, { readonly kind: 'unreadable' }>;

function requireReadable(read: ReadSnippet, file: string, from: HostEnvironment): ReadableSnippet {
  if (read.kind !== 'unreadable') return read;
  throw new UsageError(
    `${shortPath(file, from)} cannot be read: ${read.problem.kind.replaceAll('-', ' ')}`,
    'name a file with JavaScript or TypeScript of at most 100,000 characters',
  );
}

/** `--yes` approves calls, and not a script that has changed. */
async function isApproved(
  context: Context,
  shown: { readonly name: string; readonly file: string; readonly code: string },
  { environment }: OpenedSnippets,
): Promise<boolean> {
  if (!canAsk(context)) return false;
  const screen = snippetScreen(shown, environment);
  const answer = await askAboutText(context.terminal, screen, 'Approve this script? [y/N] ');
  if (answer === undefined) throw new CancelledError();
  return isYes(answer);
}

function reportNotApproved(
  context: Context,
  { name, file }: Pick<Snippet, 'name' | 'file'>,
  { environment }: OpenedSnippets,
): ExitCode {
  if (context.isJson) {
    printJson(context, { kind: 'not-approved', name, file });
  } else {
    const path = shortPath(file, environment);
    context.terminal.err.write(
      `Not run: the script of "${name}" is not approved.\nRead it, and approve it: plugboard snippets add ${name} ${path}\n`,
    );
  }
  return EXIT.denied;
}

async function approve(
  { snippets, environment }: OpenedSnippets,
  snippet: Snippet,
): Promise<Snippet> {
  const approved = await snippets.approve(snippet);
  if (!approved.ok) throw snippetError(approved.error, environment);
  return snippet;
}
