import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempFolder, verifies } from '@plugboard/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { chunkText, Parsers } from '../../src/chunk/index.ts';
import { loadSqlite, type OpenDatabase } from '../../src/platform/index.ts';
import {
  packSymbols,
  parseNamePath,
  type SymbolFile,
  type SymbolIndex,
  SymbolStore,
} from '../../src/symbols/index.ts';

const parsers = new Parsers();
let open: OpenDatabase;

beforeAll(async () => {
  const loaded = await loadSqlite();
  if (!loaded.ok) throw new Error(loaded.error);
  open = loaded.value;
});

async function file(path: string, text: string, hash = 'one'): Promise<SymbolFile> {
  const { definitions, uses } = await chunkText({ path, text }, parsers, 'syntax');
  return { path, hash, isTest: path.includes('test'), symbols: packSymbols(definitions, uses) };
}

const MODEL = [
  '/** What is kept. */',
  'export class Model {',
  '  save(): void {',
  '    store(this);',
  '  }',
  '}',
].join('\n');
const FORM = 'export class Form {\n  save() {}\n}\n';
const STORE =
  "import { write } from './disk';\nexport function store(x: unknown) {\n  write(x);\n}\n";
const USER = [
  "import { Model } from './model';",
  'export async function signUp(model: Model) {',
  '  model.save();',
  '  return { save: true };',
  '}',
].join('\n');

async function storeOf(files: Readonly<Record<string, string>>): Promise<SymbolStore> {
  const store = await SymbolStore.open({ folder: undefined, open });
  await store.hashes();
  const put = await Promise.all(Object.entries(files).map(([path, text]) => file(path, text)));
  store.apply({ put, remove: [] });
  return store;
}

function indexOf(store: SymbolStore): SymbolIndex {
  const { index } = store;
  if (index === undefined) throw new Error('there is no index');
  return index;
}

function find(index: SymbolIndex, name: string) {
  const asked = parseNamePath(name);
  if (asked === undefined) throw new Error(`no name: ${name}`);
  return index.find(asked);
}

function places(index: SymbolIndex, name: string): readonly string[] {
  return find(index, name).definitions.map((one) => `${one.file}:${one.line} ${one.path}`);
}

describe('the store of symbols', () => {
  verifies('COD-15');

  it('finds a symbol by its name, its name path, and the folder and file around it', async () => {
    using store = await storeOf({ 'src/model.ts': MODEL, 'src/ui/form.ts': FORM });
    const index = indexOf(store);
    expect(places(index, 'Model')).toEqual(['src/model.ts:2 Model']);
    expect(places(index, 'save')).toEqual([
      'src/model.ts:3 Model.save',
      'src/ui/form.ts:2 Form.save',
    ]);
    expect(places(index, 'Form.save')).toEqual(['src/ui/form.ts:2 Form.save']);
    expect(places(index, 'Form#save()')).toEqual(['src/ui/form.ts:2 Form.save']);
    expect(places(index, 'ui/Form/save')).toEqual(['src/ui/form.ts:2 Form.save']);
    expect(places(index, 'src/model.ts/Model.save')).toEqual(['src/model.ts:3 Model.save']);
    expect(places(index, 'other/Form.save')).toEqual([]);
    expect(find(index, 'MODEL').near).toEqual(['Model']);
  });

  it('lists who uses a symbol, in which symbol, and says when another has the same name', async () => {
    using store = await storeOf({
      'src/model.ts': MODEL,
      'src/store.ts': STORE,
      'src/user.ts': USER,
      'src/tool.py': 'def store(x):\n    return store(x)\n',
    });
    const index = indexOf(store);
    const used = (name: string) => {
      const { uses, rivals } = index.uses(find(index, name).definitions);
      return {
        uses: uses.map((use) => `${use.file}:${use.line}${use.isCall ? '()' : ''}`),
        rivals,
      };
    };
    expect(used('Model.save')).toEqual({ uses: ['src/user.ts:3()'], rivals: [] });
    expect(used('store.ts/store')).toEqual({ uses: ['src/model.ts:4()'], rivals: [] });
    expect(index.around('src/model.ts', [4]).get(4)?.path).toBe('Model.save');
    store.apply({ put: [await file('src/form.ts', FORM)], remove: [] });
    expect(used('Model.save').rivals.map(({ path }) => path)).toEqual(['Form.save']);
  });

  it('leaves out names imported from other packages, and marks a method that is also an attribute as ambiguous', async () => {
    using store = await storeOf({
      'pkg/http.py': 'class Response:\n    def ready(self):\n        return 1\n',
      'pkg/ours.py': 'from pkg.http import Response\nResponse().ready()\n',
      'pkg/theirs.py': 'from werkzeug.wrappers import Response\nResponse()\n',
      'pkg/both.py': 'import werkzeug\nwerkzeug.Response()\n',
    });
    const index = indexOf(store);
    const { uses } = index.uses(find(index, 'Response').definitions);
    expect(uses.map((use) => `${use.file}:${use.line}`)).toEqual([
      'pkg/ours.py:1',
      'pkg/ours.py:2',
    ]);
    const doubt = (): boolean => index.uses(find(index, 'ready').definitions).isOutsideName;
    expect(doubt()).toBe(false);
    store.apply({ put: [await file('pkg/c.py', 'def f(x):\n    x.ready = True\n')], remove: [] });
    expect(doubt()).toBe(true);
  });

  it('forgets the symbols of a file that is changed or removed, however often', async () => {
    using store = await storeOf({ 'src/model.ts': MODEL });
    const index = indexOf(store);
    for (let round = 0; round < 120; round += 1) {
      const text = `export function name${round % 3}() { return other(); }\n`;
      store.apply({ put: [await file('src/a.ts', text, `hash ${round}`)], remove: [] });
    }
    expect(places(index, 'name2')).toEqual(['src/a.ts:1 name2']);
    expect(places(index, 'name0')).toEqual([]);
    expect((await store.hashes()).get('src/a.ts')).toBe('hash 119');
    store.apply({ put: [], remove: ['src/a.ts', 'src/model.ts'] });
    expect(places(index, 'name2')).toEqual([]);
    expect(store.state.files).toBe(0);
  });

  it('lists the symbols that other files use most first in its map of a folder', async () => {
    using store = await storeOf({
      'src/model.ts': MODEL,
      'src/store.ts': STORE,
      'src/user.ts': USER,
      'lib/a.ts': "import { Model } from '../src/model';\nexport const a = new Model();\n",
      'test/b.ts': "import { signUp } from '../src/user';\nsignUp(undefined);\n",
    });
    const index = indexOf(store);
    const [first, ...rest] = index.map('src', 10).symbols;
    expect(first).toMatchObject({ file: 'src/model.ts', path: 'Model', usedBy: 2 });
    expect(rest.every((one) => one.file.startsWith('src/'))).toBe(true);
  });

  it('does not suggest a name whose last declaration is gone', async () => {
    using store = await storeOf({
      'src/a.ts': 'export function readValue() {}\n',
      'src/b.ts': MODEL,
    });
    expect(find(indexOf(store), 'readvalue').near).toEqual(['readValue']);
    store.apply({ put: [], remove: ['src/a.ts'] });
    expect(find(indexOf(store), 'readvalue').near).toEqual([]);
  });

  it('has the same map whatever the order in which files were read', async () => {
    const files = Object.entries({
      'src/b.ts': 'export function second() {}\nexport function third() {}\n',
      'src/a.ts': 'export function first() {}\nexport function second() {}\n',
      'src/c.ts': FORM,
      'src/d.ts': 'first();\nfirst();\nthird();\n',
      'src/e.ts': 'third();\nfirst();\nthird();\n',
      'src/f.ts': 'first();\n'.repeat(3),
    });
    using store = await storeOf(Object.fromEntries(files));
    using reversed = await storeOf(Object.fromEntries(files.toReversed()));
    expect(indexOf(reversed).map('', 10)).toEqual(indexOf(store).map('', 10));
    expect(indexOf(store).map('', 10).symbols).toHaveLength(6);
  });

  it('keeps symbols in a file that other processes read, and recreates a damaged one', async () => {
    await using place = await tempFolder();
    const folder = join(place.path, 'index');
    {
      using store = await SymbolStore.open({ folder, open });
      await store.hashes();
      store.apply({ put: [await file('src/model.ts', MODEL)], remove: [] });
      using reader = await SymbolStore.open({ folder, open });
      expect(places(indexOf(reader), 'Model')).toEqual(['src/model.ts:2 Model']);
    }
    for (const ending of ['', '-wal', '-shm']) {
      await writeFile(join(folder, `symbols-2.db${ending}`), 'no database'.repeat(1000));
    }
    using again = await SymbolStore.open({ folder, open });
    expect(await again.hashes()).toEqual(new Map());
    expect(again.notes.join()).toContain('symbols were damaged');
    again.apply({ put: [await file('src/model.ts', MODEL)], remove: [] });
    expect(places(indexOf(again), 'Model')).toEqual(['src/model.ts:2 Model']);
  });
});
