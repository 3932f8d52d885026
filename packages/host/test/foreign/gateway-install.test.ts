import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ManualClock, type TempFolder, tempFolder, verifies, waitUntil } from '@plugboard/testkit';
import * as fc from 'fast-check';
import { parse as parseJsonc } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import {
  type ClientChange,
  type ForeignHostId,
  type GatewayReach,
  type HostEnvironment,
  planClient,
  writeClient,
} from '../../src/configuration.ts';
import { userPaths, withFileLock } from '../../src/platform/index.ts';

const STDIO: GatewayReach = { kind: 'stdio', command: 'plugboard', args: ['serve'] };
const HTTP: GatewayReach = {
  kind: 'http',
  url: 'http://127.0.0.1:4343/mcp',
  token: 't'.repeat(32),
};

/** Clients with JSON and TOML files, and the paths of these files. */
const FILES = { cursor: '.cursor/mcp.json', codex: '.codex/config.toml' } as const;
type ClientId = keyof typeof FILES;

type FileText = string | undefined;

class Machine {
  readonly #where: HostEnvironment;

  constructor({ path: home }: TempFolder) {
    const paths = userPaths({}, 'linux', home);
    this.#where = { env: {}, cwd: home, home, platform: 'linux', paths };
  }

  fileOf(client: ClientId): string {
    return join(this.#where.home, FILES[client]);
  }

  async put(client: ClientId, text: FileText): Promise<void> {
    const file = this.fileOf(client);
    await mkdir(dirname(file), { recursive: true });
    await (text === undefined ? rm(file, { force: true }) : writeFile(file, text));
  }

  async text(client: ClientId): Promise<FileText> {
    return readFile(this.fileOf(client), 'utf8').catch(() => undefined);
  }

  async plan(client: ForeignHostId, reach: GatewayReach | undefined): Promise<ClientChange> {
    const planned = await planClient(client, reach, this.#where);
    if (!planned.ok) throw new Error(planned.error.kind);
    return planned.value;
  }

  write(change: ClientChange, clock?: ManualClock): ReturnType<typeof writeClient> {
    return writeClient(change, this.#where, clock === undefined ? {} : { clock });
  }

  async change(client: ClientId, reach: GatewayReach | undefined): Promise<FileText> {
    const written = await writeClient(await this.plan(client, reach), this.#where);
    if (!written.ok) throw new Error(written.error.kind);
    return this.text(client);
  }

  async forget(): Promise<void> {
    await rm(join(this.#where.paths.state, 'gateway', 'installed'), { recursive: true });
  }
}

/** Blanks and comments that may be between any two tokens. */
const gap = fc
  .array(fc.constantFrom(' ', '\n', '\t', '\n    ', '/* c */', '// "y": { ,\n'), { maxLength: 3 })
  .map((pieces) => pieces.join(''));

const comma = fc.constantFrom('', ',');

function objectOf(entries: readonly string[]): fc.Arbitrary<string> {
  const written = entries.flatMap((entry, index) => [
    fc.constant(entry),
    gap,
    index === entries.length - 1 ? comma : fc.constant(','),
    gap,
  ]);
  return fc.tuple(fc.constant('{'), gap, ...written, fc.constant('}')).map((all) => all.join(''));
}

const serverMap = fc
  .subarray(['"a": {"command":"x"}', '"b": {\n  "args": ["a",] // why\n}', '"ü": null'])
  .chain(objectOf)
  .map((map) => [`"mcpServers": ${map}`]);

const json = fc
  .tuple(
    fc.subarray(['"theme": "dark"', '"😀": []']),
    fc.oneof(fc.constant([]), serverMap),
    fc.subarray(['"last": {\n\t"x": 1\n}']),
  )
  .chain((entries) => fc.tuple(gap, objectOf(entries.flat()), gap))
  .map((parts) => parts.join(''));

const toml = fc
  .array(
    fc.constantFrom(
      '\n',
      '# about this\n',
      '[profiles.P]\nmodel = "o4" # why\n',
      '[mcp_servers.P]\ncommand = "x"\n\n',
      '[mcp_servers.P.env]\nA = """\n[no.table]\n"""\n',
      '  \n',
      '# last',
    ),
    { maxLength: 6 },
  )
  .map((pieces) => {
    // Each table has a unique name, and only the last line may have no line break.
    const named = pieces.map((piece, index) => piece.replace('P', `p${index}`));
    return named.map((piece, i) =>
      i < named.length - 1 ? piece.replace(/(?<!\n)$/, '\n') : piece,
    );
  })
  .map((pieces) => pieces.join(''));

interface Shape {
  readonly client: ClientId;
  readonly text: FileText;
}

function shapesOf(client: ClientId, texts: fc.Arbitrary<string>): fc.Arbitrary<Shape> {
  return fc
    .tuple(texts, fc.constantFrom('\n', '\r\n'), fc.constantFrom('', '\uFEFF'))
    .map(([text, eol, mark]) => ({ client, text: mark + text.replaceAll('\n', eol) }));
}

const shape: fc.Arbitrary<Shape> = fc.oneof(
  { weight: 6, arbitrary: shapesOf('cursor', json) },
  { weight: 4, arbitrary: shapesOf('codex', toml) },
  fc
    .constantFrom(...['', ' ', '\n\n', '{}', '{ }\n', undefined])
    .chain((text) =>
      fc.constantFrom(
        { client: 'cursor' as const, text },
        { client: 'codex' as const, text: text?.includes('{') === true ? 'a = 1' : text },
      ),
    ),
);

const reaches = fc.constantFrom([STDIO], [HTTP], [STDIO, HTTP], [HTTP, STDIO]);

function valueOf({ client, text = '' }: Shape): unknown {
  const bare = text.replace(/^\uFEFF/, '');
  if (client === 'codex') return parseToml(bare);
  return bare.trim() === '' ? {} : parseJsonc(bare, [], { allowTrailingComma: true });
}

/** In order. */
function commentsOf({ client, text = '' }: Shape): readonly string[] {
  return text.match(client === 'codex' ? /#.*/g : /\/\*.*?\*\/|\/\/.*/g) ?? [];
}

describe('the gateway in the file of a client', () => {
  verifies('GWY-01');

  it('restores the exact bytes when it is removed, or removes a file that it created', async () => {
    await using folder = await tempFolder();
    const machine = new Machine(folder);
    await fc.assert(
      fc.asyncProperty(shape, reaches, async ({ client, text }, ways) => {
        await machine.put(client, text);
        for (const reach of ways) expect(await machine.change(client, reach)).not.toBe(text);
        expect((await machine.plan(client, ways.at(-1))).kind).toBe('none');
        expect(await machine.change(client, undefined)).toBe(text);
      }),
      { numRuns: 80 },
    );
  });

  it('keeps later changes and comments in the file when it is removed', async () => {
    await using folder = await tempFolder();
    const machine = new Machine(folder);
    await fc.assert(
      fc.asyncProperty(shape, reaches, async ({ client, text }, ways) => {
        await machine.put(client, text);
        for (const reach of ways) await machine.change(client, reach);
        const mine = client === 'codex' ? '# mine\n' : '// mine\n';
        const changed = ((await machine.text(client)) ?? '').replace(/^\uFEFF?/, `$&${mine}`);
        await machine.put(client, changed);
        const left = { client, text: await machine.change(client, undefined) };
        expect(valueOf(left)).toEqual(valueOf({ client, text }));
        expect(commentsOf(left)).toEqual([mine.trim(), ...commentsOf({ client, text })]);
      }),
      { numRuns: 80 },
    );
  });

  it('is removed alone if the original text is unknown', async () => {
    await using folder = await tempFolder();
    const machine = new Machine(folder);
    await fc.assert(
      fc.asyncProperty(shape, async ({ client, text }) => {
        await machine.put(client, text);
        await machine.change(client, STDIO);
        await machine.forget();
        const left = { client, text: await machine.change(client, undefined) };
        const map = client === 'codex' ? {} : { mcpServers: {} };
        expect(valueOf(left)).toEqual({ ...map, ...(valueOf({ client, text }) as object) });
        expect(commentsOf(left)).toEqual(commentsOf({ client, text }));
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ['cursor', '{"mcpServers":{"plugboard":{"command":"plugboard","args":["serve"]}}}', undefined],
    [
      'cursor',
      '{"mcpServers":{"plugboard":{"command":"plugboard","args":["serve"]},"a":{}}}',
      '{"mcpServers":{"a":{}}}',
    ],
    ['codex', '[mcp_servers.plugboard]\ncommand="plugboard"\nargs=["serve"]', undefined],
    ['codex', 'a=1\n[mcp_servers.plugboard]\ncommand="plugboard"\nargs=["serve"]', 'a=1\n'],
  ] as const)(
    'leaves no file after %s rewrote it, if it did not exist before and has no other content: %j',
    async (client, anew, left) => {
      await using folder = await tempFolder();
      const machine = new Machine(folder);
      await machine.change(client, STDIO);
      await machine.put(client, anew);
      expect(await machine.change(client, undefined)).toBe(left);
    },
  );

  it.each([
    ['cursor', '{}', '{"mcpServers":{"plugboard":{"command":"plugboard","args":["serve"]}}}', '{}'],
    ['codex', '', '[mcp_servers.plugboard]\ncommand="plugboard"\nargs=["serve"]', ''],
  ] as const)(
    'leaves a file after %s rewrote it, if it existed before, even if it was empty: %j',
    async (client, text, anew, left) => {
      await using folder = await tempFolder();
      const machine = new Machine(folder);
      await machine.put(client, text);
      await machine.change(client, STDIO);
      await machine.put(client, anew);
      expect(await machine.change(client, undefined)).toBe(left);
    },
  );

  it('leaves a link that had no target', async () => {
    await using folder = await tempFolder();
    const machine = new Machine(folder);
    await machine.put('cursor', undefined);
    await symlink(join(folder.path, 'elsewhere.json'), machine.fileOf('cursor'));
    await machine.change('cursor', STDIO);
    expect(await folder.read('elsewhere.json')).toContain('plugboard');
    expect(await machine.change('cursor', undefined)).toBeUndefined();
    await folder.write('elsewhere.json', 'found again');
    expect(await machine.text('cursor')).toBe('found again');
  });

  it.each([{ cut: 'other' }, { start: 0 }, { before: 'x' }, { after: 3 }, { length: -1 }])(
    'is removed alone if its record was changed: %j',
    async (damage) => {
      await using folder = await tempFolder();
      const machine = new Machine(folder);
      await machine.put('cursor', '{"a":1}');
      await machine.change('cursor', STDIO);
      const record = '.local/state/plugboard/gateway/installed/cursor.json';
      const kept = JSON.parse(await folder.read(record)) as object;
      await folder.write(record, JSON.stringify({ ...kept, ...damage }));
      const text = await machine.change('cursor', undefined);
      expect(valueOf({ client: 'cursor', text })).toMatchObject({ a: 1 });
      expect(text).not.toContain('plugboard');
    },
  );

  it('is written by one of two commands that planned from the same text, and the other reports it', async () => {
    await using folder = await tempFolder();
    const machine = new Machine(folder);
    const text = '{"mcpServers": {"a": {"command": "x"}}}';
    for (let round = 0; round < 20; round += 1) {
      await machine.put('cursor', text);
      const plans = [await machine.plan('cursor', STDIO), await machine.plan('cursor', HTTP)];
      const written = await Promise.all(plans.map((plan) => machine.write(plan)));
      const winner = plans[written.findIndex(({ ok }) => ok)];
      expect(written.filter(({ ok }) => !ok)).toEqual([
        { ok: false, error: { kind: 'changed-meanwhile', file: machine.fileOf('cursor') } },
      ]);
      expect(await machine.text('cursor')).toBe(winner?.after);
      expect(await machine.change('cursor', undefined)).toBe(text);
    }
  });

  it('is written once by two commands with the same plan', async () => {
    await using folder = await tempFolder();
    const machine = new Machine(folder);
    await machine.put('cursor', '{}');
    const plans = [await machine.plan('cursor', HTTP), await machine.plan('cursor', HTTP)];
    const written = await Promise.all(plans.map((plan) => machine.write(plan)));
    expect(written.map(({ ok }) => ok)).toEqual([true, true]);
    expect(await machine.change('cursor', undefined)).toBe('{}');
  });

  it('is not written while a process has locked the file, and the problem has its id', async () => {
    await using folder = await tempFolder();
    const machine = new Machine(folder);
    await machine.put('cursor', '{}');
    const plan = await machine.plan('cursor', STDIO);
    const clock = new ManualClock();
    let written: unknown;
    await withFileLock(machine.fileOf('cursor'), {}, async () => {
      void machine.write(plan, clock).then((result) => (written = result));
      const isOver = async (): Promise<boolean> => {
        await clock.advance(10_000);
        return written !== undefined;
      };
      await waitUntil(isOver, { describe: 'the end of the patience' });
    });
    expect(written).toMatchObject({ error: { kind: 'locked', holder: process.pid } });
    expect(await machine.text('cursor')).toBe('{}');
  });

  it('does not delete a file that was created in the meantime', async () => {
    await using folder = await tempFolder();
    const machine = new Machine(folder);
    await machine.change('cursor', STDIO);
    const planned = await machine.plan('cursor', undefined);
    expect(planned.after).toBeUndefined();
    await machine.put('cursor', '{"mine":1}');
    const where = { paths: userPaths({}, 'linux', folder.path) };
    expect(await writeClient(planned, where)).toMatchObject({
      error: { kind: 'changed-meanwhile' },
    });
    expect(await machine.text('cursor')).toBe('{"mine":1}');
  });
});
