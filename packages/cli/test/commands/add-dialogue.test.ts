// The whole dialogue with scripted answers.

import { hostEnvironment } from '@plugboard/host/configuration';
import { describe, expect, it } from 'vitest';
import { type Answers, askForServer, type GivenAnswers } from '../../src/commands/add-dialogue.ts';
import type { Terminal } from '../../src/terminal.ts';
import { sandbox } from '../sandbox.ts';

interface Conversation {
  /** The final text on the screen. */
  readonly screen: string;
  readonly answers: Answers | undefined;
}

/** The answers of the person, followed by the end of input. */
async function converse(
  lines: readonly string[],
  given: Omit<GivenAnswers, 'environment'> = {},
): Promise<Conversation> {
  await using box = await sandbox();
  const left = [...lines];
  let screen = '';
  const output = { isTty: true, hasColour: false, columns: 80 };
  const write = (text: string): void => void (screen += text);
  const terminal: Terminal = {
    out: { ...output, write: () => expect.unreachable('nothing goes to stdout') },
    err: { ...output, write },
    input: {
      isTty: true,
      ask(question, options) {
        expect(options).toBeUndefined();
        const line = left.shift();
        write(line === undefined ? `${question}^D` : `${question}${line}\n`);
        return Promise.resolve(line);
      },
      readAll: () => expect.unreachable('nothing is read at once'),
    },
    interrupted: new AbortController().signal,
  };
  const here = hostEnvironment();
  const paths = { ...here.paths, config: `${box.home}/.config/plugboard` };
  const environment = { ...here, cwd: box.project, home: box.home, paths };
  const answers = await askForServer(terminal, { ...given, environment });
  expect(left).toEqual([]);
  const file = answers?.file.replace(box.project, '/project').replace(box.home, '/home/me');
  return { screen, answers: answers && { ...answers, file: file ?? '' } };
}

const FOR_WHOM =
  'Who has it: local (you, here), project (everyone here) or user (you, everywhere)? [local] ';

describe('the add dialogue for a command', () => {
  it('asks for everything, shows the entry and waits for confirmation', async () => {
    expect(
      await converse(['db', 'npx -y "@bytebase/dbhub"', 'DSN', 'MODE=fast', '', 'user', 'y']),
    ).toEqual({
      screen: `Name: db
Command or URL: npx -y "@bytebase/dbhub"
Environment variable, as NAME or NAME=VALUE (Enter for none): DSN
Another (Enter for no more): MODE=fast
Another (Enter for no more): \n${FOR_WHOM}user
This goes into ~/.config/plugboard/settings.json:
  "db": {
    "command": "npx",
    "args": [
      "-y",
      "@bytebase/dbhub"
    ],
    "env": {
      "DSN": "\${DSN}",
      "MODE": "(hidden)"
    }
  }
Add it? [Y/n] y
`,
      answers: {
        name: 'db',
        entry: {
          command: 'npx',
          args: ['-y', '@bytebase/dbhub'],
          env: { DSN: '${DSN}', MODE: 'fast' },
        },
        file: '/home/me/.config/plugboard/settings.json',
      },
    });
  });

  it('asks only for missing parts', async () => {
    const given = { name: 'files', scope: 'project', env: ['A=1'] };
    expect(await converse(['run me', '', ''], given)).toEqual({
      screen: `Command or URL: run me
Environment variable, as NAME or NAME=VALUE (Enter for none): \nThis goes into .mcp.json:
  "files": {
    "command": "run",
    "args": [
      "me"
    ],
    "env": {
      "A": "(hidden)"
    }
  }
Add it? [Y/n] \n`,
      answers: {
        name: 'files',
        entry: { command: 'run', args: ['me'], env: { A: '1' } },
        file: '/project/.mcp.json',
      },
    });
  });
});

describe('the add dialogue for a URL', () => {
  it('asks for headers', async () => {
    const lines = ['docs', 'https://example.com/mcp', 'Authorization: Bearer ${T}', '', '', ''];
    expect(await converse(lines)).toEqual({
      screen: `Name: docs
Command or URL: https://example.com/mcp
Header, as NAME: VALUE (Enter for none): Authorization: Bearer \${T}
Another (Enter for no more): \n${FOR_WHOM}
This goes into .plugboard/settings.local.json:
  "docs": {
    "type": "http",
    "url": "https://example.com/mcp",
    "headers": {
      "Authorization": "Bearer \${T}"
    }
  }
Add it? [Y/n] \n`,
      answers: {
        name: 'docs',
        entry: {
          type: 'http',
          url: 'https://example.com/mcp',
          headers: { Authorization: 'Bearer ${T}' },
        },
        file: '/project/.plugboard/settings.local.json',
      },
    });
  });
});

describe('an invalid answer in the add dialogue', () => {
  it('is explained, and asked for again', async () => {
    const { screen, answers } = await converse([
      ...['my server', 'codebase', 'mine'],
      ...['', 'run "me', 'ftp://example.com', 'run'],
      ...['9 lives', 'A=1', ''],
      ...['galaxy', 'LOCAL'],
      ...['maybe', 'n'],
    ]);
    expect(answers).toBeUndefined();
    expect(screen).toBe(`Name: my server
"my server" cannot be the name of a server. Use 1 to 64 of the characters A-Z a-z 0-9 _ -, for example "my-server".
Name: codebase
The name "codebase" is reserved for the built-in server of that name. Give it another name, for example "my-codebase".
Name: mine
Command or URL: \nCommand or URL: run "me
A quote is not closed.
Command or URL: ftp://example.com
That does not work: a server cannot be reached by ftp://; give an http:// or https:// URL, or a command after --.
Command or URL: run
Environment variable, as NAME or NAME=VALUE (Enter for none): 9 lives
A variable has a name of letters, digits and _, and then "=" and its value.
Environment variable, as NAME or NAME=VALUE (Enter for none): A=1
Another (Enter for no more): \n${FOR_WHOM}galaxy
It is one of: local, project, user.
${FOR_WHOM}LOCAL
This goes into .plugboard/settings.local.json:
  "mine": {
    "command": "run",
    "env": {
      "A": "(hidden)"
    }
  }
Add it? [Y/n] maybe
Please answer y or n.
Add it? [Y/n] n
`);
  });

  it('is an error if it was given on the command line', async () => {
    await expect(converse([], { name: 'my server' })).rejects.toThrow('cannot be the name');
    await expect(converse([], { name: 'a', scope: 'galaxy' })).rejects.toThrow('no scope');
  });
});

describe('a plain-text secret in the add dialogue', () => {
  it('is advised against, as a variable, a header or a word of the command', async () => {
    const advice = (secret: string, instead: string): string =>
      `That looks like a secret, and everyone who can read the file would have it. Better store it:
  plugboard secret set ${secret}
and write ${instead} here.
Write it into the file all the same? [y/N] `;
    const command = await converse([
      ...['db', 'run --token abc', '', 'run --token ${secret:DB_TOKEN}'],
      ...['API_KEY=tops3cret', 'n', 'API_KEY=${secret:API_KEY}', 'PASSWORD=x', 'y', ''],
      ...['', 'y'],
    ]);
    expect(command.answers?.entry).toEqual({
      command: 'run',
      args: ['--token', '${secret:DB_TOKEN}'],
      env: { API_KEY: '${secret:API_KEY}', PASSWORD: 'x' },
    });
    expect(command.screen).toBe(`Name: db
Command or URL: run --token abc
${advice('DB_TOKEN', '${secret:DB_TOKEN}')}
Command or URL: run --token \${secret:DB_TOKEN}
Environment variable, as NAME or NAME=VALUE (Enter for none): API_KEY=tops3cret
${advice('API_KEY', '${secret:API_KEY}')}n
Environment variable, as NAME or NAME=VALUE (Enter for none): API_KEY=\${secret:API_KEY}
Another (Enter for no more): PASSWORD=x
${advice('PASSWORD', '${secret:PASSWORD}')}y
Another (Enter for no more): \n${FOR_WHOM}
This goes into .plugboard/settings.local.json:
  "db": {
    "command": "run",
    "args": [
      "--token",
      "\${secret:DB_TOKEN}"
    ],
    "env": {
      "API_KEY": "\${secret:API_KEY}",
      "PASSWORD": "(hidden)"
    }
  }
Add it? [Y/n] y
`);
    const url = await converse(
      [
        ...['https://me:pw@example.com/mcp', '', 'https://example.com/mcp?api_key=x', ''],
        ...['https://example.com/mcp', 'Authorization: Bearer abcdef', ''],
        'Authorization: Bearer ${secret:MY_DOCS_AUTHORIZATION}',
        ...['', ''],
      ],
      { name: 'my-docs', scope: 'user' },
    );
    expect(url.answers?.entry).toEqual({
      type: 'http',
      url: 'https://example.com/mcp',
      headers: { Authorization: 'Bearer ${secret:MY_DOCS_AUTHORIZATION}' },
    });
    expect(url.screen).toContain(
      advice('MY_DOCS_AUTHORIZATION', 'Bearer ${secret:MY_DOCS_AUTHORIZATION}'),
    );
    expect(url.screen.match(/looks like a secret/g)).toHaveLength(3);
  });
});

describe('the end of input in the add dialogue', () => {
  it.each([
    [[], 'Name: ^D'],
    [['a'], 'Command or URL: ^D'],
    [['a', 'b'], 'Environment variable, as NAME or NAME=VALUE (Enter for none): ^D'],
    [['a', 'b', ''], `${FOR_WHOM}^D`],
    [['a', 'b', '', ''], 'Add it? [Y/n] ^D'],
  ])('after %j adds nothing', async (lines, last) => {
    const { screen, answers } = await converse(lines);
    expect(answers).toBeUndefined();
    expect(screen.endsWith(last)).toBe(true);
  });
});
