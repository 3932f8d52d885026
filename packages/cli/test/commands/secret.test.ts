import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KEYS } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { onTerminal } from '../on-terminal.ts';
import { documentOf, type Run, type Sandbox, sandbox } from '../sandbox.ts';

const VALUE = 'ghp_s3same-0pen-tüsch';

/** Runs the command with text on stdin. */
function piped(box: Sandbox, text: string | Buffer, args: readonly string[]): Promise<Run> {
  return box.run(args, { stdin: text });
}

const fileOf = (box: Sandbox): string => join(box.home, '.state/plugboard/secrets.json');
const keyFileOf = (box: Sandbox): string => join(box.home, '.config/plugboard/secrets.key');

const STORED = `Stored "TOKEN". In a server's entry, write it as
  "headers": { "Authorization": "Bearer \${secret:TOKEN}" }
`;

/** The store of these tests. secret-keychain.test.ts tests others. */
const STORE = { kind: 'file', why: 'chosen' };
const KEPT_WORDS =
  'Kept in ~/.state/plugboard/secrets.json, whose key is ~/.config/plugboard/secrets.key: PLUGBOARD_SECRETS is "file".\n';

describe.concurrent('plugboard secret on a terminal', () => {
  it('asks for the value without showing it, and explains how to use it', async ({ expect }) => {
    await using box = await sandbox();
    await using terminal = await onTerminal(box, ['secret', 'set', 'TOKEN']);
    await terminal.waitFor('(not shown): ');
    for (const key of VALUE) terminal.write(key);
    terminal.write(KEYS.enter);
    expect(await terminal.exited).toEqual({ code: 0, signal: undefined });
    expect(terminal.text).toBe(`Value of "TOKEN" (not shown): \n${STORED}`);
    expect((await box.run(['secret', 'list'])).stdout).toBe(
      'NAME   WRITTEN AS\nTOKEN  ${secret:TOKEN}\n',
    );
  });

  it.for([
    ['Ctrl-C', `half${KEYS.ctrlC}`, 'error: no value was given, so nothing is stored\n', 130],
    [
      'Enter alone',
      KEYS.enter,
      'error: the value is empty, so nothing is stored\n  fix: run the command again\n',
      1,
    ],
    [
      'several lines',
      'one\rtwo\r',
      `error: what you pasted has several lines, so nothing is stored
  fix: pipe it from a file: plugboard secret set TOKEN < FILE
`,
      1,
    ],
  ] as const)('stores nothing after %s', async ([, keys, words, code], { expect }) => {
    await using box = await sandbox();
    await using terminal = await onTerminal(box, ['secret', 'set', 'TOKEN']);
    await terminal.waitFor('(not shown): ');
    terminal.write(keys);
    expect(await terminal.exited).toEqual({ code, signal: undefined });
    expect(terminal.text).toBe(`Value of "TOKEN" (not shown): \n${words}`);
    expect((await filesBelow(box.home)).filter(isNotCompiled)).toEqual([]);
  });

  it('does not prompt if prompts are not allowed', async ({ expect }) => {
    await using box = await sandbox();
    await using forPrograms = await onTerminal(box, ['secret', 'set', 'TOKEN', '--json']);
    await using fromPipe = await onTerminal(box, ['secret', 'set', 'TOKEN', '--stdin']);
    expect(await forPrograms.exited).toEqual({ code: 1, signal: undefined });
    expect(JSON.parse(forPrograms.text)).toEqual({
      error: {
        kind: 'usage',
        message: 'with --json nothing is asked',
        fix: 'pipe the value: printf %s "$VALUE" | plugboard secret set TOKEN',
      },
    });
    expect(await fromPipe.exited).toEqual({ code: 1, signal: undefined });
    expect(fromPipe.text).toBe(`error: --stdin reads from a pipe, and there is none
  fix: leave it out to be asked, or pipe the value: printf %s "$VALUE" | plugboard secret set TOKEN
`);
  });

  it('reports a damaged file before a value is typed', async ({ expect }) => {
    await using box = await sandbox();
    await piped(box, VALUE, ['secret', 'set', 'TOKEN']);
    await writeFile(fileOf(box), '{');
    await using terminal = await onTerminal(box, ['secret', 'set', 'OTHER']);
    await terminal.exited;
    expect(terminal.text).toBe(`error: ~/.state/plugboard/secrets.json is damaged
  fix: bring it back from a backup, or remove it and store the secrets again
`);
  });
});

describe.concurrent('plugboard secret in a pipe', () => {
  it('stores, replaces, lists and removes', async ({ expect }) => {
    await using box = await sandbox();
    const screens = [
      await box.run(['secret', 'list']),
      await piped(box, `${VALUE}\n`, ['secret', 'set', 'TOKEN']),
      await piped(box, VALUE, ['secret', 'set', 'TOKEN', '--stdin']),
      await piped(box, VALUE, ['secret', 'set', 'db.password-2']),
      await box.run(['secret', 'list']),
      await box.run(['secret', 'remove', 'TOKEN']),
      await box.run(['secret', 'list']),
    ];
    expect(screens).toEqual([
      {
        code: 0,
        stdout: '',
        stderr: 'No secrets are stored.\nStore one: plugboard secret set NAME\n',
      },
      { code: 0, stdout: '', stderr: STORED },
      { code: 0, stdout: '', stderr: STORED.replace('Stored', 'Replaced') },
      { code: 0, stdout: '', stderr: STORED.replaceAll('TOKEN', 'db.password-2') },
      {
        code: 0,
        stdout: `NAME           WRITTEN AS
TOKEN          \${secret:TOKEN}
db.password-2  \${secret:db.password-2}
`,
        stderr: KEPT_WORDS,
      },
      { code: 0, stdout: '', stderr: 'Removed "TOKEN".\n' },
      {
        code: 0,
        stdout: 'NAME           WRITTEN AS\ndb.password-2  ${secret:db.password-2}\n',
        stderr: KEPT_WORDS,
      },
    ]);
  });

  it('prints the same with --json', async ({ expect }) => {
    await using box = await sandbox();
    const documents = [
      await box.run(['secret', 'list', '--json']),
      await piped(box, VALUE, ['secret', 'set', 'TOKEN', '--json']),
      await piped(box, VALUE, ['secret', 'set', 'TOKEN', '--json']),
      await box.run(['secret', 'list', '--json']),
      await box.run(['secret', 'remove', 'TOKN', '--json']),
      await box.run(['secret', 'remove', 'TOKEN', '--json']),
    ].map(documentOf);
    expect(documents).toEqual([
      { store: STORE, secrets: [] },
      { kind: 'stored', name: 'TOKEN', placeholder: '${secret:TOKEN}' },
      { kind: 'replaced', name: 'TOKEN', placeholder: '${secret:TOKEN}' },
      { store: STORE, secrets: [{ name: 'TOKEN', placeholder: '${secret:TOKEN}' }] },
      {
        error: {
          kind: 'usage',
          message: 'there is no secret "TOKN"',
          fix: 'did you mean "TOKEN"?',
        },
      },
      { kind: 'removed', name: 'TOKEN' },
    ]);
  });

  it.for([
    ['is empty', '', 'the value is empty, so nothing is stored', 'run the command again'],
    ['is a line break', '\n', 'the value is empty, so nothing is stored', 'run the command again'],
    [
      'is not text',
      Buffer.from([0xff, 0xfe]),
      'the value is not text, so nothing is stored',
      'encode it, as base64 does',
    ],
    [
      'is too long',
      'x'.repeat(70_000),
      'the value has 70000 bytes, and 65536 are the most',
      'keep it in a file, and name the file in the entry',
    ],
    [
      'does not end',
      'x'.repeat(1_100_000),
      'the input is too long to be a secret',
      'pipe only the value: printf %s "$VALUE" | plugboard secret set TOKEN',
    ],
  ] as const)('refuses a value that %s', async ([, text, message, fix], { expect }) => {
    await using box = await sandbox();
    expect(await piped(box, text, ['secret', 'set', 'TOKEN'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: ${message}\n  fix: ${fix}\n`,
    });
    expect(documentOf(await box.run(['secret', 'list', '--json']))).toEqual({
      store: STORE,
      secrets: [],
    });
  });

  it.for([
    [['secret', 'lst'], 'there is no command "secret lst"', 'did you mean "secret list"?'],
    [
      ['secret', 'xyz'],
      'there is no command "secret xyz"',
      'see the list: plugboard secret --help',
    ],
    [
      ['secret', 'remove', 'NONE'],
      'there is no secret "NONE"',
      'see the list: plugboard secret list',
    ],
    [
      ['secret', 'remove'],
      "missing required argument 'name'",
      'see the usage: plugboard secret --help',
    ],
  ] as const)('explains the mistake in %j', async ([args, message, fix], { expect }) => {
    await using box = await sandbox();
    expect(await box.run(args)).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: ${message}\n  fix: ${fix}\n`,
    });
  });

  it('shows its help without arguments', async ({ expect }) => {
    await using box = await sandbox();
    const [alone, asked] = await Promise.all([box.run(['secret']), box.run(['secret', '--help'])]);
    expect(alone).toEqual({ ...asked, code: 0, stderr: '' });
    expect(alone.stdout).toContain('"headers": { "Authorization": "Bearer ${secret:NAME}" }');
  });
});

describe.concurrent('a secret store that cannot be opened', () => {
  const KEPT = '~/.state/plugboard/secrets.json';

  it.for([
    [
      'whose key is gone',
      (box: Sandbox) => rm(keyFileOf(box)),
      `error: the key to ${KEPT} is gone
  at:  ~/.config/plugboard/secrets.key
  fix: bring it back, or remove ${KEPT} and store the secrets again
`,
    ],
    [
      'whose key is another',
      (box: Sandbox) => writeFile(keyFileOf(box), '0'.repeat(64)),
      `error: ${KEPT} was written with another key or on another machine
  at:  ~/.config/plugboard/secrets.key
  fix: bring back the key, or remove ${KEPT} and store the secrets again
`,
    ],
    [
      'with a record that was changed',
      async (box: Sandbox) => {
        const text = await readFile(fileOf(box), 'utf8');
        await writeFile(fileOf(box), text.replace(/"TOKEN": "..../, '"TOKEN": "AAAA'));
      },
      `error: ${KEPT} is damaged: what is stored as "TOKEN" cannot be read
  fix: store it again: plugboard secret set TOKEN
`,
    ],
  ] as const)('%s is explained', async ([, damage, stderr], { expect }) => {
    await using box = await sandbox();
    await piped(box, VALUE, ['secret', 'set', 'TOKEN']);
    await damage(box);
    expect(await box.run(['secret', 'list'])).toEqual({ code: 1, stdout: '', stderr });
  });

  it('is repaired by the suggested fix', async ({ expect }) => {
    await using box = await sandbox();
    await piped(box, VALUE, ['secret', 'set', 'TOKEN']);
    const text = await readFile(fileOf(box), 'utf8');
    await writeFile(fileOf(box), text.replace(/"TOKEN": "..../, '"TOKEN": "AAAA'));
    expect((await piped(box, VALUE, ['secret', 'set', 'TOKEN'])).code).toBe(0);
    expect((await box.run(['secret', 'list'])).code).toBe(0);
  });
});

describe.concurrent('the value of a secret', () => {
  it('is in no output and no file in plain text', async ({ expect }) => {
    await using box = await sandbox();
    const said = [
      await piped(box, VALUE, ['secret', 'set', 'TOKEN']),
      await piped(box, VALUE, ['secret', 'set', 'TOKEN', '--json']),
      await box.run(['secret', 'list', '--json']),
      await box.run(['secret', 'set', 'OTHER', VALUE]),
      await box.run(['secret', 'set', `OTHER=${VALUE}`]),
      await box.run(['secret', 'set', 'OTHER', `--value=${VALUE}`, '--json']),
      await piped(box, `${VALUE}\0`, ['secret', 'set', 'OTHER']),
      await piped(box, VALUE.repeat(5000), ['secret', 'set', 'OTHER']),
    ];
    await using terminal = await onTerminal(box, ['secret', 'set', 'TYPED']);
    await terminal.waitFor('(not shown): ');
    terminal.write(`${VALUE}\r`);
    await terminal.exited;
    const files = await filesBelow(box.home);
    const own = files.filter(isNotCompiled).map(({ path }) => path);
    expect(own.toSorted()).toEqual([keyFileOf(box), fileOf(box)]);
    const written = [
      ...said.map((run) => JSON.stringify(run)),
      terminal.text,
      ...files.map(({ text }) => text),
      ...(await filesBelow(box.project)).map(({ text }) => text),
    ].join('\n');
    for (const encoding of ['utf8', 'base64', 'base64url', 'hex'] as const) {
      // Without its end, which depends on the text after it.
      const clear = Buffer.from(VALUE).toString(encoding).slice(0, 12);
      expect(written.toLowerCase()).not.toContain(clear.toLowerCase());
    }
    expect(written).toContain('TYPED');
  });

  it('is not accepted as an argument, with an explanation', async ({ expect }) => {
    await using box = await sandbox();
    for (const args of [
      ['TOKEN', VALUE],
      [`TOKEN=${VALUE}`],
      ['TOKEN', `--value=${VALUE}`],
      ['TOKEN', '--', VALUE],
    ]) {
      expect(await box.run(['secret', 'set', ...args])).toEqual({
        code: 1,
        stdout: '',
        stderr: `error: a secret is not taken from the command line, where other programs and the history of your shell can see it
  fix: clear it from there, and give only the name; the value is asked for: plugboard secret set NAME
`,
      });
    }
    expect(await readdir(box.home)).toEqual([]);
  });
});

/** A process writes the compiled code of the command. */
const isNotCompiled = ({ path }: { readonly path: string }): boolean =>
  !path.includes('/.cache/plugboard/compiled/');

async function filesBelow(folder: string): Promise<{ path: string; text: string }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name);
        return { path, text: await readFile(path, 'latin1') };
      }),
  );
}
