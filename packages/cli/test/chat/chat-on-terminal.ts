// A chat on a terminal, with a scripted model behind the protocol of a provider. Helpers type only after what they wait for is
// on the screen.

import {
  isLong,
  type ModelRequestSeen,
  type ModelTurn,
  type ScriptedModel,
  TerminalScreen,
} from '@plugboard/testkit';
import { PLUGBOARD, type Sandbox, VERSION } from '../sandbox.ts';
import { shareCompiledCode } from '../shared-compiled-code.ts';
import { drawnInMemory, startInMemory } from '../terminal-in-memory.ts';

export interface ChatStart {
  readonly args?: readonly string[];
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** The user's settings, relative to the project. */
export const USER_SETTINGS = '../home/.config/plugboard/settings.json';

/** In the process of the test, on a simulated terminal. The long form starts the built command, like `chatProcessOn`. */
export function chatOn(
  box: Sandbox,
  model: Pick<ScriptedModel, 'url'> | undefined,
  start: ChatStart = {},
): Promise<TerminalScreen> {
  if (isLong) return chatProcessOn(box, model, start);
  const { args = [], columns = 100, rows = 40 } = start;
  const place = { cwd: box.project, env: { TERM: 'xterm', ...chatEnv(box, model, start) } };
  return drawnInMemory({ columns, rows }, (onBytes) =>
    startInMemory(['chat', ...args], { ...place, version: VERSION, columns, rows, onBytes }),
  );
}

/** The built command on a real terminal, for what depends on the process: its signals, its children, programs that it lends the terminal to. */
export function chatProcessOn(
  box: Sandbox,
  model: Pick<ScriptedModel, 'url'> | undefined,
  start: ChatStart = {},
): Promise<TerminalScreen> {
  const { args = [], columns = 100, rows = 40 } = start;
  shareCompiledCode(`${box.home}/.cache`);
  return TerminalScreen.start({
    command: process.execPath,
    args: [PLUGBOARD, 'chat', ...args],
    cwd: box.project,
    env: chatEnv(box, model, start),
    columns,
    rows,
  });
}

function chatEnv(
  box: Sandbox,
  model: Pick<ScriptedModel, 'url'> | undefined,
  { env = {} }: ChatStart,
): Readonly<Record<string, string>> {
  return { ...box.env, ...modelEnv(model), LANG: 'C.UTF-8', NO_COLOR: '1', ...env };
}

export function modelEnv(
  model: Pick<ScriptedModel, 'url'> | undefined,
): Readonly<Record<string, string>> {
  return model === undefined
    ? {}
    : { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: model.url };
}

/** A turn in which the model makes these calls in parallel. */
export function calling(
  ...calls: readonly (readonly [tool: string, given: Readonly<Record<string, unknown>>])[]
): ModelTurn {
  return {
    kind: 'answer',
    steps: calls.map(([tool, given]) => ({ kind: 'call', tool, arguments: given })),
  };
}

/** The text of a request: the system prompt and the messages. */
export function toldIn(request: ModelRequestSeen | undefined): string {
  const { system, messages } = request?.body ?? {};
  return JSON.stringify({ system, messages });
}

export interface AnswerTold {
  readonly isError: boolean;
  readonly text: string;
}

/** The results of the last calls, as the model got them in a request. */
export function answersIn(request: ModelRequestSeen | undefined): readonly AnswerTold[] {
  const messages = (request?.body['messages'] ?? []) as readonly { readonly content: unknown }[];
  const said = messages.at(-1)?.content;
  const blocks = Array.isArray(said) ? (said as readonly Block[]) : [];
  return blocks
    .filter(({ type }) => type === 'tool_result')
    .map(({ content, is_error: isError = false }) => ({
      isError,
      text:
        typeof content === 'string'
          ? content
          : (content ?? []).map(({ text = '' }) => text).join(''),
    }));
}

interface Block {
  readonly type: string;
  readonly is_error?: boolean;
  readonly content?: string | readonly { readonly text?: string }[];
}

/** The names of the tools that a request offers. */
export function toolsIn(request: ModelRequestSeen | undefined): readonly string[] {
  const tools = (request?.body['tools'] ?? []) as readonly { readonly name: string }[];
  return tools.map(({ name }) => name);
}

/** An empty prompt. */
export const PROMPT = '❯ Ask for something';

/** Types a line and sends it, once the prompt is shown. */
export async function say(screen: TerminalScreen, text: string): Promise<void> {
  await screen.shows(PROMPT);
  screen.type(text);
  await screen.shows(`❯ ${text}`);
  screen.press('enter');
}

export interface Decision {
  /** The call as the approval names it: `workspace · write_file`. */
  readonly about: string;
  readonly key?: string;
  /** What may be shown after the key instead, such as that not all was shown. */
  readonly until?: RegExp;
}

/** Answers an approval and waits until it is closed. Returns what it looked like. */
export async function decide(
  screen: TerminalScreen,
  { about, key = 'y', until }: Decision,
): Promise<string> {
  const isAsked = (text: string): boolean => {
    const at = text.lastIndexOf('Allow this call?');
    return at !== -1 && text.slice(at).split('\n', 2)[1]?.includes(about) === true;
  };
  // A screen is drawn piece by piece, the answers last.
  const looks = await screen.until((text) => isAsked(text) && text.includes('No, and say why'), {
    wish: `${about} is asked about`,
  });
  if (FIRST_CHOSEN.test(looks)) await untilKeysCount(screen, FIRST_CHOSEN);
  screen.type(key);
  await screen.until((text) => !isAsked(text) || TYPING.test(text) || until?.test(text) === true);
  return looks;
}

/** Answers the question on the screen, once it accepts keys. */
export async function choose(screen: TerminalScreen, key: string): Promise<void> {
  const looks = await screen.shows(/› [yn] {2}/u);
  await untilKeysCount(screen, looks.includes('› y') ? /› y {2}/u : /› n {2}/u);
  screen.type(key);
}

/**
 * A question accepts keys only after it could be read. An arrow key shows when: it selects another answer. A screen without a
 * selected answer may still be being drawn.
 */
async function untilKeysCount(screen: TerminalScreen, chosen: RegExp): Promise<void> {
  await sendUntil(screen, {
    send: () => screen.press('down'),
    isTaken: (text) => ANY_CHOSEN.test(text) && !chosen.test(text),
  });
}

/**
 * Repeats a key until it has an effect. The pause grows, since a busy chat reads letters that arrive together as text and not
 * as an answer.
 */
export async function sendUntil(
  screen: TerminalScreen,
  { send, isTaken }: { readonly send: () => void; readonly isTaken: (text: string) => boolean },
): Promise<void> {
  for (let tries = 1; !isTaken(screen.text()); tries += 1) {
    send();
    await screen.until(isTaken, { timeoutMs: tries * AGAIN_MS }).catch((thrown: unknown) => {
      if (tries >= TRIES) throw thrown;
    });
  }
}

const ANY_CHOSEN = /^› \S {2}/mu;
const FIRST_CHOSEN = /› y {2}Yes, once/u;
/** Shown below an approval while arguments or a reason are typed. */
const TYPING = /Enter (?:denies|lets it run)/u;
const AGAIN_MS = 400;
const TRIES = 15;

/** Quits as a user does, and waits for the exit. */
export async function leave(screen: TerminalScreen): Promise<number | null> {
  await screen.shows(PROMPT);
  screen.press('ctrl+d');
  return (await screen.ended).code;
}
