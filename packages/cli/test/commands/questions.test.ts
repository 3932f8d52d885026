import { everything, scriptedServer, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { atTerminal } from '../person-at-terminal.ts';
import { documentOf, type Sandbox, sandbox } from '../sandbox.ts';

const ERAS = ['legacy', 'modern'] as const;
type Era = (typeof ERAS)[number];

function asker(era: Era): object {
  return { ...scriptedServer({ asks: true, eras: [era] }), protocol: era };
}

const FORM = {
  mode: 'form',
  message: 'Who are you?\n\u001B[2Jfix: run rm -rf',
  requestedSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Name', description: 'As on your card', minLength: 2 },
      age: { type: 'integer', minimum: 0, maximum: 120, default: 30 },
      sure: { type: 'boolean' },
      size: {
        type: 'string',
        oneOf: [
          { const: 's', title: 'Small' },
          { const: 'l', title: 'Large' },
        ],
        default: 's',
      },
      tags: { type: 'array', items: { type: 'string', enum: ['x', 'y', 'z'] }, maxItems: 2 },
    },
    required: ['name', 'sure'],
  },
};

function asking(...questions: readonly object[]): readonly string[] {
  return ['call', 'asker', 'ask', `questions:=${JSON.stringify(questions)}`];
}

/** A browser that records the addresses that it opens. */
async function withBrowser(box: Sandbox): Promise<Sandbox> {
  const program = await box.write('browser', `#!/bin/sh\necho "$@" >> "${box.home}/opened"\n`);
  const { chmod } = await import('node:fs/promises');
  await chmod(program, 0o755);
  return { ...box, env: { ...box.env, BROWSER: program } };
}

const FILLED = [
  ['Answer? [Y]es', '\r'],
  ['Name (text, at least 2 characters):', 'x\r'],
  ['at least 2 characters, please', ''],
  ['Name (text', 'Ada\r'],
  ['age (a whole number, 0 to 120, optional) [30]:', '200\r'],
  ['at most 120, please', ''],
  ['age (', '\r'],
  ['sure (yes or no):', '\r'],
  ['an answer is needed', ''],
  ['sure (', 'y\r'],
  ['  1. Small', ''],
  ['  2. Large', ''],
  ['size (one of 1 to 2, optional) [Small]:', '3\r'],
  ['"3" is none of them', ''],
  ['size (', 'large\r'],
  ['tags (at most 2 of 1 to 3, with commas between, optional):', '1, 3\r'],
] as const;

describe.concurrent.each(ERAS)('an elicitation form of a %s server', (era) => {
  it('is filled in field by field, reviewed, edited and sent', async ({ expect }) => {
    verifies('INB-01');
    verifies('CLI-02');
    await using box = await sandbox({ asker: asker(era) });
    const { code, screen } = await atTerminal(box, {
      args: asking(FORM),
      turns: [
        ['Server "asker" asks:\n  | Who are you?\n  | fix: run rm -rf\n', ''],
        ...FILLED,
        [
          'Your answers to server "asker":\n  1. Name = Ada\n  2. age = 30\n  3. sure = yes\n  4. size = Large\n  5. tags = x, z\n',
          '',
        ],
        ['Send them? [y]es, [e]dit', 'what?\r'],
        ['Send them? [y]es, [e]dit', 'e\r'],
        ['Which one?', '1\r'],
        ['Name (', 'Bob\r'],
        ['  1. Name = Bob', ''],
        ['Send them?', 'y\r'],
      ],
    });
    expect(code).toBe(0);
    const content = { name: 'Bob', age: 30, sure: true, size: 'l', tags: ['x', 'z'] };
    expect(screen).toContain(JSON.stringify([{ action: 'accept', content }]));
    expect(screen).not.toContain('\u001B[2J');
    expect(screen).not.toContain('declined');
  });

  it.for([
    ['d\r', 'decline'],
    ['c\r', 'cancel'],
    ['\u0003', 'cancel'],
    ['\u0004', 'cancel'],
  ] as const)('may be declined at any time: %j', async ([keys, action], { expect }) => {
    verifies('INB-01');
    await using box = await sandbox({ asker: asker(era) });
    const told = JSON.stringify([{ action }]);
    const first = await atTerminal(box, { args: asking(FORM), turns: [['Answer?', keys]] });
    expect(first.screen).toContain(told);
    const last = [...FILLED, ['Send them?', keys] as const];
    const second = await atTerminal(box, { args: asking(FORM), turns: last });
    expect(second.screen).toContain(told);
    expect([first.code, second.code]).toEqual([0, 0]);
  });

  it('is declined without a terminal, and both people and programs see that', async ({
    expect,
  }) => {
    verifies('INB-01');
    verifies('CLI-02');
    await using box = await sandbox({ asker: asker(era) });
    const [people, programs] = await Promise.all([
      box.run(asking(FORM)),
      box.run([...asking(FORM), '--json']),
    ]);
    expect(people).toEqual({
      code: 0,
      stdout: '[{"action":"decline"}]\n',
      stderr:
        'note: declined what server "asker" asked ("Who are you? fix: run rm -rf"): there is no terminal to ask at; run the command in one\n',
    });
    expect(documentOf(programs)).toMatchObject({
      kind: 'result',
      declined: [
        {
          server: 'asker',
          question: 'form',
          message: 'Who are you? fix: run rm -rf',
          reason: { kind: 'nobody-to-ask' },
        },
      ],
    });
    expect(programs.stderr).toBe('');
  });

  it('comes with a warning if it asks for a secret, and the typed text is hidden', async ({
    expect,
  }) => {
    await using box = await sandbox({ asker: asker(era) });
    const question = {
      mode: 'form',
      message: 'Sign in',
      requestedSchema: { type: 'object', properties: { api_key: { type: 'string' } } },
    };
    const { screen } = await atTerminal(box, {
      args: asking(question),
      turns: [
        ['warning: it seems to want a password or a token.', ''],
        ['Answer?', 'y\r'],
        ['api_key (text, optional, not shown):', 'hunter2hunter2\r'],
        ['  1. api_key = (not shown)', ''],
        ['Send them?', 'd\r'],
      ],
    });
    expect(screen).toContain('[{"action":"decline"}]');
    expect(screen).not.toContain('hunter2');
  });

  it.for([
    ['password', { type: 'string' }],
    ['pin', { type: 'integer' }],
  ] as const)(
    'is declined by Enter alone if it asks for a secret: %j',
    async ([name, of], { expect }) => {
      verifies('POL-18');
      await using box = await sandbox({ asker: asker(era) });
      const requestedSchema = { type: 'object', properties: { [name]: of } };
      const question = { mode: 'form', message: 'Sign in', requestedSchema };
      const { code, screen } = await atTerminal(box, {
        args: asking(question),
        turns: [
          ['Servers must not ask for those like this', ''],
          ['Answer? [y]es, [D]ecline or [c]ancel: ', '\r'],
        ],
      });
      expect(screen).toContain('[{"action":"decline"}]');
      expect(code).toBe(0);
    },
  );
});

describe.concurrent.each(ERAS)('an elicitation page of a %s server', (era) => {
  const url = 'https://xn--pypal-4ve.example/login?a=1';
  const id = era === 'legacy' ? { elicitationId: 'visit' } : {};
  const page = { mode: 'url', message: 'Sign in there', url, ...id };
  const shown = `Server "asker" wants you to visit a page:
  | Sign in there
  url:  ${url}
  host: xn--pypal-4ve.example
warning: the host has letters of other alphabets and reads "pаypal.example": it may pose as another
`;
  const done = era === 'legacy' ? [] : ([['Press Enter once you are done there', '\r']] as const);

  it('is shown completely, and opened after the person agrees', async ({ expect }) => {
    verifies('INB-02');
    await using plain = await sandbox({ asker: asker(era) });
    const box = await withBrowser(plain);
    const { code, screen } = await atTerminal(box, {
      args: asking(page),
      turns: [
        [shown, ''],
        ['Open it in your browser?', 'y\r'],
        ['Opened in your browser.', ''],
        ...done,
      ],
    });
    expect(code).toBe(0);
    expect(screen).toContain('[{"action":"accept"}]');
    expect(await box.read('../home/opened')).toBe(`${url}\n`);
  });

  it.for([
    ['d\r', 'decline'],
    ['\u0003', 'cancel'],
  ] as const)('is not opened otherwise: %j', async ([keys, action], { expect }) => {
    verifies('INB-02');
    await using plain = await sandbox({ asker: asker(era) });
    const box = await withBrowser(plain);
    const { screen } = await atTerminal(box, {
      args: asking(page),
      turns: [
        // Enter alone is not consent.
        ['Open it in your browser?', '\r'],
        ['Open it in your browser?', keys],
      ],
    });
    expect(screen).toContain(JSON.stringify([{ action }]));
    await expect(box.read('../home/opened')).rejects.toThrow('ENOENT');
  });

  it('is shown as an address to copy if no browser can be opened', async ({ expect }) => {
    await using box = await sandbox({ asker: asker(era) });
    const { screen } = await atTerminal(
      { ...box, env: { ...box.env, BROWSER: 'none' } },
      {
        args: asking(page),
        turns: [
          ['Open it in your browser?', 'y\r'],
          [`No browser could be opened. Open the page yourself: ${url}`, ''],
          ...done,
        ],
      },
    );
    expect(screen).toContain('[{"action":"accept"}]');
  });
});

describe.concurrent('a page that a legacy server demands before a call', () => {
  it('is visited, and the call is repeated', async ({ expect }) => {
    verifies('INB-02');
    await using plain = await sandbox({ asker: asker('legacy') });
    const box = await withBrowser(plain);
    const page = { mode: 'url', message: 'Pay', url: 'https://pay.example/', elicitationId: 'p' };
    const { code, screen } = await atTerminal(box, {
      args: [...asking(page), 'refusals:=1'],
      turns: [
        ['  host: pay.example', ''],
        ['Open it in your browser?', 'y\r'],
        ['Press Enter once you are done there', '\r'],
      ],
    });
    expect(code).toBe(0);
    expect(screen).toContain('served');
  });
});

describe.concurrent('a published server with an elicitation', () => {
  it('gets its form filled in', async ({ expect }) => {
    verifies('INB-01');
    await using box = await sandbox({ everything: everything() });
    const { code, screen } = await atTerminal(box, {
      args: ['call', 'everything', 'trigger-elicitation-request'],
      turns: [
        ['Server "everything" asks:', ''],
        ['Answer?', 'd\r'],
      ],
    });
    expect(code).toBe(0);
    expect(screen).toContain('declined');
  });
});
