// `npm run pictures`: draws the chat on a terminal, the real program with a scripted model, into docs/pictures. With
// --check it only compares the existing pictures with new ones.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type ModelTurn,
  type ScriptedModel,
  startAuthorizationServer,
  startProtectedServer,
  startScriptedModel,
  TerminalScreen,
  toSvg,
} from '@plugboard/testkit';
import { rooms } from '../tooling/source/rooms.ts';
import { architecturePicture } from './pictures/architecture.ts';
import {
  allServers,
  type ShownProject,
  shownProject,
  type ShownServers,
  soundServers,
} from './pictures/shown-project.ts';
import { ASKING_TURNS, GREETED, GREETING, QUESTION, SERVERS_TRIED } from './pictures/shown-talk.ts';
import { withoutTimes } from './pictures/without-times.ts';

const FOLDER = fileURLToPath(new URL('../docs/pictures', import.meta.url));
const COLUMNS = 100;
const TITLE = 'plugboard chat: ~/code/relay';

interface Scene {
  readonly name: string;
  readonly rows: number;
  readonly servers: (signInUrl: string) => ShownServers;
  readonly turns: readonly ModelTurn[];
  readonly play: (screen: TerminalScreen, model: ScriptedModel) => Promise<void>;
}

const SCENES: readonly Scene[] = [
  {
    name: 'first-screen',
    rows: 16,
    servers: soundServers,
    turns: [],
    play: async (screen) => {
      await screen.shows('● 2/4');
      await typed(screen, 'Why are webhooks tried again? See @src/webhooks/');
      await screen.shows('src/webhooks/signature.ts');
      screen.press('down');
      await screen.shows('› @src/webhooks/retry.ts');
    },
  },
  {
    name: 'approval',
    rows: 42,
    servers: soundServers,
    turns: ASKING_TURNS,
    play: async (screen) => {
      await screen.shows('● 2/4');
      await said(screen, QUESTION);
      await screen.shows('Allow this call?');
      await screen.shows('● 4/4');
    },
  },
  {
    name: 'mcp-panel',
    rows: 32,
    servers: allServers,
    turns: [GREETED],
    play: async (screen, model) => {
      await screen.shows('● 2/7');
      await said(screen, GREETING);
      await screen.shows('● 4/7');
      await screen.shows('server "postgres" could not start');
      await screen.shows('github wants you to sign in');
      model.release(SERVERS_TRIED);
      await screen.shows('did not start.');
      await said(screen, '/mcp');
      await screen.shows(/files +ready +14 tools/);
      await screen.shows(/memory +ready +9 tools/);
      await screen.shows(/github +sign in/);
      for (let row = 0; row < 3; row += 1) screen.press('down');
      await screen.shows('› ◆ github');
    },
  },
];

async function typed(screen: TerminalScreen, text: string): Promise<void> {
  await screen.shows('❯ Ask for something');
  screen.type(text);
  await screen.shows(`❯ ${text}`);
}

async function said(screen: TerminalScreen, text: string): Promise<void> {
  await typed(screen, text);
  screen.press('enter');
}

async function draw(scene: Scene, project: ShownProject): Promise<string> {
  await using model = await startScriptedModel({ turns: scene.turns });
  await using screen = await TerminalScreen.start({
    command: process.execPath,
    args: [project.bin, 'chat'],
    cwd: project.folder,
    env: { ...project.env, ANTHROPIC_API_KEY: 'scripted', ANTHROPIC_BASE_URL: model.url },
    columns: COLUMNS,
    rows: scene.rows,
  });
  await scene.play(screen, model);
  if (process.argv.includes('--text')) console.log(screen.text());
  return toSvg(withoutTimes(screen.cells()), { title: TITLE });
}

async function drawAll(): Promise<ReadonlyMap<string, string>> {
  const pictures = new Map([['architecture', architecturePicture(rooms)]]);
  await using issuer = await startAuthorizationServer();
  await using protectedServer = await startProtectedServer({ issuer });
  for (const scene of SCENES) {
    await using project = await shownProject(scene.servers(protectedServer.url));
    pictures.set(scene.name, await draw(scene, project));
  }
  return pictures;
}

const pictures = await drawAll();
const isCheck = process.argv.includes('--check');
mkdirSync(FOLDER, { recursive: true });
for (const [name, picture] of pictures) {
  const path = join(FOLDER, `${name}.svg`);
  if (!isCheck) writeFileSync(path, picture);
  else if (readFileSync(path, 'utf8') !== picture) {
    console.error(`docs/pictures/${name}.svg is not what is drawn now; fix: npm run pictures`);
    process.exitCode = 1;
  }
}
