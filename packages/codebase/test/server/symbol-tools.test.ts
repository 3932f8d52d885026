import { join } from 'node:path';
import { tempFolder, type TempFolder, verifies, waitUntil } from '@plugboard/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CodebaseClient,
  openCodebase,
  type ToolAnswer,
  untilIndexed,
} from './codebase-client.ts';

let place: TempFolder;
let codebase: CodebaseClient;

beforeAll(async () => {
  place = await tempFolder();
  await place.write(
    'tree/src/model.ts',
    '/** What is kept. */\nexport class Model {\n  save(force: boolean): void {\n    store(this);\n  }\n}\n',
  );
  await place.write('tree/src/store.ts', 'export function store(x: unknown) {\n  return x;\n}\n');
  await place.write(
    'tree/src/user.ts',
    "import { Model } from './model';\nexport function signUp(model: Model) {\n  model.save(true);\n}\n",
  );
  codebase = await openCodebase({
    root: join(place.path, 'tree'),
    cacheFolder: join(place.path, 'cache'),
    embedder: { kind: 'none' },
  });
  await untilIndexed(codebase.client);
});
afterAll(async () => {
  await codebase[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
});

const call = (...asked: Parameters<CodebaseClient['call']>): Promise<ToolAnswer> =>
  codebase.call(...asked);

describe('find_symbol', () => {
  verifies('COD-15');

  it('lists where a symbol is declared and who calls it, with the line and the enclosing symbol', async () => {
    const found = await call('find_symbol', { name: 'Model.save', references: 'callers' });
    expect(found.text).toBe(
      [
        'src/model.ts:3-5 method Model.save',
        '  3| save(force: boolean): void',
        '',
        '1 calls in 1 files:',
        'src/user.ts',
        '  3| model.save(true);  (in signUp)',
      ].join('\n'),
    );
    expect(found.data).toEqual({
      definitions: [
        {
          path: 'src/model.ts',
          symbol: 'Model.save',
          kind: 'method',
          line: 3,
          start_line: 3,
          end_line: 5,
          signature: 'save(force: boolean): void',
        },
      ],
      total: 1,
      is_ambiguous: false,
      references: [
        { path: 'src/user.ts', line: 3, text: 'model.save(true);', in: 'signUp', is_call: true },
      ],
      references_total: 1,
      references_files: 1,
      references_ambiguous: false,
      read_share: 1,
    });
  });

  it('finds where a table, a column and a function of SQL are used, with and without a schema', async () => {
    await place.write(
      'tree/db/schema.sql',
      [
        'CREATE TABLE shop.orders (',
        '  total NUMERIC',
        ');',
        'CREATE FUNCTION sum_of(day DATE) RETURNS NUMERIC AS $$ SELECT sum(total) FROM shop.orders $$ LANGUAGE sql;',
      ].join('\n'),
    );
    await place.write(
      'tree/db/report.sql',
      "-- orders\nSELECT o.total, 'orders' FROM orders o;\nSELECT sum_of(now());\n",
    );
    const uses = async (name: string): Promise<unknown> =>
      (await call('find_symbol', { name, references: 'all' })).data;
    const placed = (path: string, line: number): unknown => expect.objectContaining({ path, line });
    await expect
      .poll(() => Promise.all(['shop.orders', 'orders.total', 'sum_of'].map(uses)))
      .toMatchObject([
        { references: [placed('db/report.sql', 2), placed('db/schema.sql', 4)] },
        { references: [placed('db/report.sql', 2), placed('db/schema.sql', 4)] },
        { references: [placed('db/report.sql', 3)] },
      ]);
  });

  it('follows edits, and names other symbols if none matches the whole name path', async () => {
    await place.write('tree/src/late.ts', 'export const lateName = 1;\n');
    await waitUntil(
      async () => {
        const { data } = await call('find_symbol', { name: 'lateName' });
        return data['total'] === 1;
      },
      { describe: () => 'the symbol of a new file to be found' },
    );
    const found = await call('find_symbol', { name: 'Form.save' });
    expect(found.text).toContain('Of that name there is Model.save in src/model.ts:3.');
    const outside = await call('find_symbol', { name: 'save', path: '../x' });
    expect(outside.isError).toBe(true);
  });
});

describe('outline', () => {
  verifies('COD-16');

  it('lists all symbols of a file with lines and signatures', async () => {
    const { text } = await call('outline', { path: 'src/model.ts' });
    expect(text).toBe(
      [
        'src/model.ts (typescript): 2 symbols in 7 lines',
        '2-6| export class Model',
        '3-5|   save(force: boolean): void',
      ].join('\n'),
    );
  });

  it('maps the repository by what is used most, within a budget', async () => {
    const all = await call('outline', {});
    expect(all.text).toContain('src/model.ts\n  2-6| export class Model');
    const some = await call('outline', { max_tokens: 100 });
    expect(some.text.length).toBeLessThan(500);
  });
});
