import { execFile } from 'node:child_process';
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { everything, scriptedServer, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { documentOf, type Sandbox, sandbox } from '../sandbox.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const EXAMPLE = join(ROOT, 'examples/typed-tools/everything.ts');
const run = promisify(execFile);

/** The errors of the compiler in the files of the project. */
async function complaintsOf(box: Sandbox, files: readonly string[]): Promise<string> {
  const compilerOptions = { noEmit: true, composite: false, types: ['node'] };
  const config = { extends: join(ROOT, 'tsconfig.base.json'), compilerOptions, files };
  await box.write('tsconfig.json', JSON.stringify(config));
  await box.write('package.json', '{ "type": "module" }');
  await symlink(join(ROOT, 'node_modules'), join(box.project, 'node_modules'));
  const compiler = join(ROOT, 'node_modules/.bin/tsc');
  return run(compiler, ['-p', box.project], { cwd: box.project }).then(
    ({ stdout }) => stdout,
    (failed: { stdout: string }) => failed.stdout,
  );
}

function serverWith(...tools: readonly object[]): object {
  return scriptedServer({ builtIns: [], tools } as Parameters<typeof scriptedServer>[0]);
}

const SUM = {
  name: 'sum',
  description: 'Adds',
  inputSchema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
  outputSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
};

describe.concurrent('plugboard generate', () => {
  verifies('API-05');

  it('prints a file with the types of all tools, and a function that calls them', async ({
    expect,
  }) => {
    await using box = await sandbox({ one: serverWith(SUM) });
    expect(await box.run(['generate', 'one'])).toEqual({
      code: 0,
      stdout: `// The tools of the MCP server "one", as functions with types.
// Written by "plugboard generate": do not edit it, but write it again.

import type { CallSettings, Host, ToolOutcome } from "@plugboard/host";

export type SumArguments = {
  a: number;
};

export type SumResult = {
  sum: number;
};

export interface OneTools {
  /** Adds */
  readonly sum: (given: SumArguments, settings?: CallSettings) => Promise<ToolOutcome<SumResult>>;
}

/** Calls the tools of "one" through a host, or a conversation of it. */
export function oneTools(
  host: Pick<Host, "call">,
  server = "one",
): OneTools {
  const calling = (tool: string) => (given: object = {}, settings: CallSettings = {}) =>
    host.call({ server, tool }, given as Parameters<Host["call"]>[1], {
      result: "whole",
      ...settings,
    }) as Promise<never>;
  return {
    sum: calling("sum"),
  };
}
`,
      stderr: '',
    });
  });

  it('writes a file that compiles, rejects wrong arguments, and makes calls', async ({
    expect,
  }) => {
    await using box = await sandbox({ everything: everything() });
    expect(await box.run(['generate', 'everything', '--output', 'everything.ts'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Wrote 16 tools to "everything.ts".\n',
    });
    await box.write(
      'use.ts',
      `import { allowAll, createHost, toText } from '@plugboard/host';
import { everythingTools } from './everything.ts';

await using host = await createHost({ trust: 'project', approve: allowAll });
const every = everythingTools(host.conversation());
const sum = await every['get-sum']({ a: 2, b: 3 });
if (sum.kind === 'result') console.log(toText(sum.parts));
const weather = await every['get-structured-content']({ location: 'New York' });
if (weather.kind === 'result') console.log(weather.structured?.temperature.toFixed(1));
console.log((await every['get-env']()).kind);
// @ts-expect-error not a number
console.log((await every['get-sum']({ a: 'x', b: 3 })).kind);
// @ts-expect-error no such argument
void ((): unknown => every.echo({ message: 'x', other: 1 }));
// @ts-expect-error no such tool
console.log(every.none);
`,
    );
    expect(await complaintsOf(box, ['use.ts'])).toBe('');
    expect(await readFile(EXAMPLE, 'utf8')).toBe(await box.read('everything.ts'));
    const loader = join(ROOT, 'node_modules/tsx/dist/loader.mjs');
    const { stdout } = await run(process.execPath, ['--import', loader, 'use.ts'], {
      cwd: box.project,
      env: box.env,
    });
    expect(stdout).toBe('The sum of 2 and 3 is 5.\n33.0\nresult\ninvalid-arguments\nundefined\n');
  });

  it('compiles whatever a server calls its tools, and lets none of its text become code', async ({
    expect,
  }) => {
    const evil = '*/ throw 1; /*';
    const inputSchema = {
      type: 'object',
      properties: {
        [evil]: { description: evil, enum: [evil, '"]; throw 1; //'] },
        again: { $ref: '#' },
      },
      description: evil,
    };
    const names = [
      'a b',
      'a-b',
      'a_b',
      'constructor',
      '__proto__',
      '1st',
      'default',
      'Host',
      'call-settings',
      '日本',
    ];
    const tools = names.map((name) => ({
      name,
      description: evil,
      inputSchema,
      outputSchema: inputSchema,
    }));
    await using box = await sandbox({ '1-two': serverWith(...tools) });
    const { stderr } = await box.run(['generate', '1-two', '-o', 'out.ts']);
    expect(stderr).toContain('Wrote ');
    expect(await complaintsOf(box, ['out.ts'])).toBe('');
    const { stdout } = await run(
      process.execPath,
      ['--import', join(ROOT, 'node_modules/tsx/dist/loader.mjs'), '-e', PRINT_TOOLS],
      { cwd: box.project, env: box.env },
    );
    expect((JSON.parse(stdout) as string[]).toSorted()).toEqual(names.toSorted());
  });

  it('reports whether a file is up to date, and changes nothing with --check', async ({
    expect,
  }) => {
    await using box = await sandbox({ one: serverWith(SUM) });
    const written = ['generate', 'one', '--output', 'one.ts'];
    await box.run(written);
    const upToDate = { code: 0, stdout: '', stderr: '"one.ts" is up to date.\n' };
    expect(await box.run(written)).toEqual(upToDate);
    expect(await box.run([...written, '--check'])).toEqual(upToDate);
    await box.servers({ one: serverWith(SUM, { ...SUM, name: 'more' }) });
    const before = await box.read('one.ts');
    expect(await box.run([...written, '--check'])).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: "one.ts" is not what server "one" has now
  fix: write it again: plugboard generate one --output one.ts
`,
    });
    expect(await box.read('one.ts')).toBe(before);
    expect(documentOf(await box.run([...written, '--json']))).toEqual({
      server: 'one',
      tools: ['more', 'sum'],
      quarantined: [],
      file: join(box.project, 'one.ts'),
      state: 'written',
    });
  });

  it('leaves the file unchanged if the server fails, and reports the reason', async ({
    expect,
  }) => {
    await using box = await sandbox({ gone: { command: 'no-such-command-here' } });
    await box.write('gone.ts', 'mine');
    const failed = await box.run(['generate', 'gone', '-o', 'gone.ts']);
    expect({ ...failed, stderr: failed.stderr.split('\n', 1)[0] }).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('error: ') as string,
    });
    expect(await box.read('gone.ts')).toBe('mine');
    expect(await box.run(['generate', 'gon'])).toMatchObject({
      code: 1,
      stderr: 'error: there is no server "gon"\n  fix: did you mean "gone"?\n',
    });
    expect(await box.run(['generate', 'gone', '--check'])).toMatchObject({
      code: 1,
      stderr: `error: --check works only with --output
  fix: name the file: plugboard generate gone --check --output FILE
`,
    });
  });

  it('reports that a file cannot be written', async ({ expect }) => {
    await using box = await sandbox({ one: serverWith(SUM) });
    const { code, stderr } = await box.run(['generate', 'one', '-o', 'no/such/one.ts']);
    expect({ code, said: stderr.split('\n', 1)[0] }).toEqual({
      code: 1,
      said: 'error: "no/such/one.ts" cannot be written (ENOENT)',
    });
  });
});

const PRINT_TOOLS = `import('./out.ts').then((out) => {
  const [make] = Object.values(out);
  console.log(JSON.stringify(Object.keys(make({ call() {} }))));
});`;
