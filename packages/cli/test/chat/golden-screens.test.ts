// Whole screens of the program, compared with reviewed recordings. Text that differs from run to run is replaced by as many
// characters.

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import {
  scriptedServer,
  startScriptedModel,
  type TerminalScreen,
  verifies,
} from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { type Sandbox, sandbox } from '../sandbox.ts';
import { calling, chatProcessOn, decide, PROMPT, say } from './chat-on-terminal.ts';

const MARKDOWN = [
  '## What it does\n\nIt **renews** tokens with `refresh()`, and *only* when they are old:\n\n',
  '- first the cache is asked\n- then the server\n\n',
  '```ts\nexport function refresh(token: Token): Token {\n  return isOld(token) ? renewed(token) : token;\n}\n```\n\n',
  '| step | time |\n| --- | ---: |\n| cache | 1 ms |\n| server | 90 ms |\n',
].map((text) => ({ kind: 'text', text }) as const);

const QUESTION = {
  mode: 'form',
  message: 'Where do you want to go?',
  requestedSchema: {
    type: 'object',
    properties: {
      city: { type: 'string', title: 'City', description: 'Its name in English' },
      class: { type: 'string', title: 'Class', enum: ['first', 'second'] },
    },
    required: ['city'],
  },
};

interface Shot {
  readonly box: Sandbox;
  readonly screen: TerminalScreen;
  readonly file: string;
}

/** Waits until the screen matches, since it is drawn piece by piece. Returns the screen. */
async function screenLike({ box, screen, file }: Shot): Promise<string> {
  const now = (): string => `${unvarying(screen.text(), box)}\n`;
  if (!existsSync(file)) return now();
  const picture = await readFile(file, 'utf8');
  // A comparison describes the difference better than a timeout.
  await screen.until(() => now() === picture).catch(() => {});
  return now();
}

function pictureOf(name: string, columns: number): string {
  return fileURLToPath(new URL(`./golden/${name}-${columns}.txt`, import.meta.url));
}

function unvarying(text: string, { project }: Sandbox): string {
  return (
    text
      .replaceAll(project, FOLDER.padEnd(project.length, '-').slice(0, project.length))
      // The length of the duration determines the room for the arguments.
      .replaceAll(/^(✓ \S+ · \S+) .*$/gmu, '$1  …')
      .replaceAll(/^(calling|thinking|writing)(?: \d+ s)? +/gmu, '$1 1 s  ')
      .replaceAll(/^(waits for you) +/gmu, '$1  ')
  );
}

const FOLDER = '/home/me/projects/token-tools';

/** Waits for the end of the turn. */
async function idle(screen: TerminalScreen): Promise<void> {
  await screen.until(
    (text) => !/^(?:calling|thinking|writing|waits for you)/mu.test(text) && text.includes(PROMPT),
  );
}

const TRAVEL = {
  ...scriptedServer({ builtIns: ['echo', 'add'], asks: true, eras: ['legacy'] }),
  protocol: 'legacy',
};

describe.concurrent.each([80, 120])('the chat at %i columns', (columns) => {
  it('shows the conversation as recorded', async ({ expect }) => {
    verifies('AGT-01', 'AGT-03');
    await using box = await sandbox({ travel: TRAVEL });
    await box.write('src/token.ts', 'export const LIFETIME = 60;\nexport const NAME = "token";\n');
    // After this the tools are known, so that the first call has its title.
    await box.run(['tools', 'travel']);
    await using model = await startScriptedModel({
      turns: [
        calling([
          'mcp__workspace__edit_file',
          { path: 'src/token.ts', old_text: 'LIFETIME = 60', new_text: 'LIFETIME = 90' },
        ]),
        { kind: 'answer', steps: MARKDOWN },
        calling(['mcp__travel__ask', { questions: [QUESTION] }]),
      ],
    });
    await using screen = await chatProcessOn(box, model, { columns, rows: 48 });
    const pictured = async (name: string): Promise<void> => {
      const file = pictureOf(name, columns);
      await expect(await screenLike({ box, screen, file })).toMatchFileSnapshot(file);
    };
    await screen.shows('1/2');
    await pictured('first-screen');
    await say(screen, 'let tokens live longer, and say what the file does');
    await screen.shows('Esc ends the turn');
    await screen.shows('2/2');
    await pictured('approval');
    await decide(screen, { about: 'workspace · edit_file' });
    await screen.shows('90 ms');
    await idle(screen);
    await pictured('answer');
    await say(screen, 'book me a trip');
    await decide(screen, { about: 'travel · ask' });
    await screen.shows('Esc cancels');
    await pictured('question');
  });

  it('shows the server panel as recorded', async ({ expect }) => {
    verifies('AGT-05');
    await using box = await sandbox({
      travel: TRAVEL,
      broken: { command: '/nonexistent/server' },
      notes: { ...scriptedServer({}), disabled: true },
    });
    await using screen = await chatProcessOn(
      box,
      { url: 'http://127.0.0.1:9' },
      { columns, rows: 40 },
    );
    await say(screen, '/mcp');
    await screen.shows('1 of 4 ready');
    screen.type('r');
    await screen.shows(/✗ broken +failed/u);
    screen.press('up');
    await screen.shows(/› . workspace/u);
    screen.press('up');
    await screen.shows(/› . travel/u);
    screen.type('r');
    await screen.shows('travel is connected');
    const file = pictureOf('mcp-panel', columns);
    await expect(await screenLike({ box, screen, file })).toMatchFileSnapshot(file);
  });

  it('shows the page for a missing key as recorded', async ({ expect }) => {
    verifies('AGT-01');
    await using box = await sandbox();
    await using screen = await chatProcessOn(box, undefined, { columns, rows: 40 });
    await screen.shows('1/1');
    const file = pictureOf('no-key', columns);
    await expect(await screenLike({ box, screen, file })).toMatchFileSnapshot(file);
  });
});
