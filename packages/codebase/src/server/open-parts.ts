// Opens the parts of a codebase, for one root or for several that are served as one tree, and closes them in order.

import { isAbsolute, join, resolve } from 'node:path';
import { type Clock, CodedError, type Logger, messageOf, Scope, Semaphore } from '@plugboard/base';
import { Chunker } from '../chunk/index.ts';
import { type ReadingPool, readingPool } from '../indexing/index.ts';
import { userCacheFolder } from '../platform/index.ts';
import { isRemote, readRemote, RemoteClone } from '../remote/index.ts';
import { Root } from '../scan/index.ts';
import { type OpenRoot, openRoot, type SharedSettings } from './open-root.ts';
import type { CodebaseParts, MissingRoot } from './parts/codebase-parts.ts';
import { jointParts, type RootParts } from './joint-parts.ts';
import { nameRoots, type RootChoice } from './root-names.ts';

/** One folder to serve, or several as one tree, in which paths begin with the name of a root. */
export type CodebaseSettings = SharedSettings &
  (
    | { readonly root: string; readonly roots?: undefined }
    | { readonly root?: undefined; readonly roots: readonly RootChoice[] }
  );

export interface OpenParts extends AsyncDisposable {
  readonly parts: CodebaseParts;
}

interface Ports {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Each search runs a ripgrep that uses all cores. */
const MOST_CALLS = 8;

/** Throws a `CodedError` if no root can be served, or a root contains another. */
export async function openParts(settings: CodebaseSettings, ports: Ports): Promise<OpenParts> {
  const { clock, logger } = ports;
  const choices = settings.roots ?? [{ path: settings.root }];
  const scope = new Scope();
  try {
    const chunker = new Chunker({ clock });
    scope.defer(() => chunker.close());
    const pool = readingPool(clock);
    scope.defer(() => pool.close());
    const own =
      choices.length === 1
        ? await openOne(choices[0]?.path ?? '', settings, { ...ports, scope, pool })
        : await openSeveral(choices, settings, { ...ports, scope, pool });
    return {
      parts: {
        ...own,
        chunker,
        ignored: settings.ignored ?? 'refuse',
        turns: new Semaphore(MOST_CALLS),
        clock,
        logger,
      },
      [Symbol.asyncDispose]: () => scope[Symbol.asyncDispose](),
    };
  } catch (thrown) {
    await scope[Symbol.asyncDispose]();
    throw thrown;
  }
}

type OpenPorts = Ports & { readonly scope: Scope; readonly pool: ReadingPool };

async function openOne(
  path: string,
  settings: SharedSettings,
  ports: OpenPorts,
): Promise<RootParts> {
  const found = await findRoot({ path }, settings, ports);
  if (found.kind === 'failed') throw new CodedError('remote-failed', found.reason, { data: {} });
  if (found.kind === 'absent') throw noFolder([path]);
  const { root, text, changes, ranked, git, structure, languageServers } = await openRoot({
    ...ports,
    name: '',
    root: found.root,
    note: found.note,
    settings,
  });
  return {
    ...{ root, text, changes, structure, languageServers, index: ranked },
    names: [],
    missing: async () => [],
    histories: (within) => [{ name: '', path: within, git }],
  };
}

async function openSeveral(
  choices: readonly RootChoice[],
  settings: SharedSettings,
  ports: OpenPorts,
): Promise<RootParts> {
  const found = await Promise.all(choices.map((choice) => findRoot(choice, settings, ports)));
  const named = nameRoots(found);
  if (!named.ok) throw new CodedError('roots-invalid', named.error, { data: {} });
  const open: OpenRoot[] = [];
  const absent: MissingRoot[] = [];
  for (const [at, { name, path }] of named.value.entries()) {
    const one = found[at];
    if (one?.kind !== 'found') {
      const gone = `there is no folder ${path}; start the server again once it is there`;
      absent.push({ name, reason: one?.kind === 'failed' ? one.reason : gone });
      continue;
    }
    const { root, note } = one;
    try {
      open.push(await openRoot({ ...ports, name, root, settings, note }));
    } catch (thrown) {
      absent.push({ name, reason: messageOf(thrown) });
    }
  }
  for (const { name, reason } of absent)
    ports.logger.log('warn', 'a root is left out', { name, reason });
  const [first] = absent;
  if (open.length === 0 && first !== undefined && found.some(({ kind }) => kind === 'failed')) {
    throw new CodedError('remote-failed', first.reason, { data: {} });
  }
  if (open.length === 0) throw noFolder(named.value.map(({ path }) => path));
  return jointParts(open, absent);
}

type FoundRoot = RootChoice &
  (
    | { readonly kind: 'found'; readonly root: Root; readonly note?: string | undefined }
    | { readonly kind: 'absent' }
    | { readonly kind: 'failed'; readonly reason: string }
  );

/** Throws if an address is not allowed. */
async function findRoot(
  { name, path }: RootChoice,
  { allowRemotes = [], cacheFolder = userCacheFolder() }: SharedSettings,
  { clock, logger, scope }: OpenPorts,
): Promise<FoundRoot> {
  if (!isRemote(path)) {
    const opened = await Root.open(path);
    if (opened.ok) return { kind: 'found', name, root: opened.value, path: opened.value.path };
    return { kind: 'absent', name, path: isAbsolute(path) ? path : resolve(path) };
  }
  const address = readRemote(path, allowRemotes);
  if (!address.ok) throw new CodedError('remote-refused', address.error, { data: {} });
  const base = join(cacheFolder, 'remotes');
  const clone = new RemoteClone(address.value, { base, clock, logger, signal: scope.signal });
  const choice = { name: name ?? address.value.name, path: join(base, address.value.name) };
  const folder = await clone.open();
  if (!folder.ok) return { kind: 'failed', ...choice, reason: folder.error };
  const opened = await Root.open(folder.value.path);
  if (!opened.ok) return { kind: 'failed', ...choice, reason: opened.error.message };
  const { note } = folder.value;
  return { kind: 'found', name: choice.name, path: opened.value.path, root: opened.value, note };
}

function noFolder(paths: readonly string[]): CodedError {
  const message = `there is no folder ${paths.map((path) => JSON.stringify(path)).join(' or ')} to serve`;
  return new CodedError('root-gone', message, { data: { roots: paths } });
}
