import { scriptedServer, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { screenOf, withoutStatus } from '../on-terminal.ts';
import { documentOf, sandbox } from '../sandbox.ts';
import { SIGNS } from '../signs.ts';

const text = (said: string) => ({ type: 'text', text: said });
const helper = scriptedServer({
  library: {
    prompts: [
      {
        name: 'hello',
        description: 'Says hello',
        messages: [{ role: 'user', content: text('Hello') }],
      },
      {
        name: 'talk',
        arguments: [{ name: 'about', required: true }, { name: 'style' }],
        messages: [
          { role: 'user', content: text('A\u001B[2J question') },
          { role: 'assistant', content: text('An answer') },
        ],
      },
    ],
    templates: [{ uriTemplate: 'memo://{id}', name: 'Memo' }],
    completions: { about: ['cats', 'cars', 'dogs'], id: ['1', '2'] },
  },
});

describe.concurrent('plugboard prompts', () => {
  verifies('CLI-02', 'CAT-06');

  it('lists prompts with their arguments', async ({ expect }) => {
    await using box = await sandbox({ helper });
    expect(await box.run(['prompts'])).toEqual({
      code: 0,
      stdout: `SERVER  PROMPT  ARGUMENTS      DESCRIPTION
helper  hello   -              Says hello
helper  talk    about [style]
`,
      stderr: '',
    });
    const run = await box.run(['prompts', 'helper', '--json']);
    expect(documentOf(run)).toEqual({
      prompts: [
        { server: 'helper', prompt: 'hello', description: 'Says hello', arguments: [] },
        {
          server: 'helper',
          prompt: 'talk',
          description: '',
          arguments: [
            { name: 'about', required: true },
            { name: 'style', required: false },
          ],
        },
      ],
      problems: [],
      diagnostics: [],
    });
  });

  it('reports that there are none', async ({ expect }) => {
    await using box = await sandbox({ bare: scriptedServer({ builtIns: ['echo'] }) });
    expect((await box.run(['prompts', 'bare'])).stderr).toBe('Server "bare" has no prompts.\n');
  });
});

describe.concurrent('plugboard prompt', () => {
  verifies('CLI-02');

  it('prints one message as it is, and several with their roles', async ({ expect }) => {
    await using box = await sandbox({ helper });
    expect((await box.run(['prompt', 'hello'])).stdout).toBe('Hello\n');
    const talk = await screenOf(box, ['prompt', 'talk', 'about=cats']);
    expect(withoutStatus(talk)).toBe(`user:\nA question\n\nassistant:\nAn answer\n${SIGNS}`);
    const run = await box.run(['prompt', 'hello', '--server', 'helper', '--json']);
    expect(documentOf(run)).toEqual({
      kind: 'result',
      server: 'helper',
      prompt: 'hello',
      messages: [{ role: 'user', parts: [{ kind: 'text', text: 'Hello' }] }],
    });
  });

  it('reports what is wrong, and what to do', async ({ expect }) => {
    await using box = await sandbox({ helper, twin: helper });
    const [typo, several, named] = await Promise.all([
      box.run(['prompt', 'hallo']),
      box.run(['prompt', 'hello']),
      box.run(['prompt', 'hallo', '--server', 'twin']),
    ]);
    expect([typo.code, several.code, named.code]).toEqual([1, 1, 1]);
    expect(typo.stderr).toBe(
      'error: no server has the prompt "hallo"\n  fix: did you mean "hello"?\n',
    );
    expect(several.stderr).toBe(
      'error: several servers have the prompt "hello": helper, twin\n' +
        '  fix: say whose: plugboard prompt hello --server helper\n',
    );
    expect(named.stderr).toBe(
      'error: server "twin" has no prompt "hallo"\n  fix: did you mean "hello"?\n',
    );
  });
});

describe.concurrent('plugboard complete', () => {
  verifies('CLI-02');

  it('prints the completions of a server, one per line', async ({ expect }) => {
    await using box = await sandbox({ helper });
    const [prompt, template, nothing, json] = await Promise.all([
      box.run(['complete', 'talk', 'about', 'ca']),
      box.run(['complete', 'memo://{id}', 'id']),
      box.run(['complete', 'talk', 'about', 'x', '--with', 'style=short']),
      box.run(['complete', 'talk', 'about', '--server', 'helper', '--json']),
    ]);
    expect(prompt).toEqual({ code: 0, stdout: 'cats\ncars\n', stderr: '' });
    expect(template.stdout).toBe('1\n2\n');
    expect(nothing).toEqual({ code: 0, stdout: '', stderr: 'Nothing is proposed.\n' });
    expect(documentOf(json)).toEqual({
      kind: 'result',
      values: ['cats', 'cars', 'dogs'],
      hasMore: false,
    });
  });

  it('reports that there is nothing to complete', async ({ expect }) => {
    await using box = await sandbox({ helper });
    const [template, prompt, argument] = await Promise.all([
      box.run(['complete', 'x://{id}', 'id']),
      box.run(['complete', 'tolk', 'about']),
      box.run(['complete', 'talk', 'about', '--with', 'style']),
    ]);
    expect(template.stderr).toBe(
      'error: no server has the template "x://{id}"\n  fix: see the list: plugboard resources\n',
    );
    expect(prompt.stderr).toContain('did you mean "talk"?');
    expect(argument.stderr).toContain('"style" is not an argument of the form key=value');
    expect([template.code, prompt.code, argument.code]).toEqual([1, 1, 1]);
  });
});
