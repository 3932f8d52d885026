// The built command's chat on a real terminal, with a scripted model behind the wire of a provider, and a person who
// waits for what they want to see before they type.

import {
  type ModelRequestSeen,
  type ModelTurn,
  type ScriptedModel,
  TerminalScreen,
} from '@plugboard/testkit';
import { PLUGBOARD, type Sandbox } from '../sandbox.ts';
import { shareCompiledCode } from '../shared-compiled-code.ts';

export interface ChatStart {
  readonly args?: readonly string[];
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** The user's own settings, as seen from the project. */
export const USER_SETTINGS = '../home/.config/plugboard/settings.json';

export function chatOn(
  box: Sandbox,
  model: Pick<ScriptedModel, 'url'> | undefined,
  { args = [], columns = 100, rows = 40, env = {} }: ChatStart = {},
): Promise<TerminalScreen> {
  shareCompiledCode(`${box.home}/.cache`);
  return TerminalScreen.start({
    command: process.execPath,
    args: [PLUGBOARD, 'chat', ...args],
    cwd: box.project,
    env: { ...box.env, ...modelEnv(model), LANG: 'C.UTF-8', NO_COLOR: '1', ...env },
    columns,
    rows,
  });
}

export function modelEnv(
  model: Pick<ScriptedModel, 'url'> | undefined,
): Readonly<Record<string, string>> {
  return model === undefined
    ? {}
    : { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: model.url };
}

/** A turn of the model that makes these calls at once. */
export function calling(
  ...calls: readonly (readonly [tool: string, given: Readonly<Record<string, unknown>>])[]
): ModelTurn {
  return {
    kind: 'answer',
    steps: calls.map(([tool, given]) => ({ kind: 'call', tool, arguments: given })),
  };
}

/** What the model was told in a request: the system's words and what was said. */
export function toldIn(request: ModelRequestSeen | undefined): string {
  const { system, messages } = request?.body ?? {};
  return JSON.stringify({ system, messages });
}

export interface AnswerTold {
  readonly isError: boolean;
  readonly text: string;
}

/** How the calls went that the model made just before a request, as it was told. */
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

/** Types a line once the prompt is there, and sends it. */
export async function say(screen: TerminalScreen, text: string): Promise<void> {
  await screen.shows(PROMPT);
  screen.type(text);
  await screen.shows(`❯ ${text}`);
  screen.press('enter');
}

export interface Decision {
  /** As the approval names it: `workspace · write_file`. */
  readonly about: string;
  readonly key?: string;
  /** What else may stand there once the key was taken, such as that not all was shown. */
  readonly until?: RegExp;
}

/** Answers one approval, and waits until that one is gone; gives back how it looked. */
export async function decide(
  screen: TerminalScreen,
  { about, key = 'y', until }: Decision,
): Promise<string> {
  const isAsked = (text: string): boolean => {
    const at = text.lastIndexOf('Allow this call?');
    return at !== -1 && text.slice(at).split('\n', 2)[1]?.includes(about) === true;
  };
  // A screen is drawn piece by piece, and its answers stand last.
  const looks = await screen.until((text) => isAsked(text) && text.includes('No, and say why'), {
    wish: `${about} is asked about`,
  });
  if (FIRST_CHOSEN.test(looks)) await untilKeysCount(screen, FIRST_CHOSEN);
  screen.type(key);
  await screen.until((text) => !isAsked(text) || TYPING.test(text) || until?.test(text) === true);
  return looks;
}

/** Answers the question on the screen, once keys count. */
export async function choose(screen: TerminalScreen, key: string): Promise<void> {
  const looks = await screen.shows(/› [yn] {2}/u);
  await untilKeysCount(screen, looks.includes('› y') ? /› y {2}/u : /› n {2}/u);
  screen.type(key);
}

/**
 * Keys count only after the question could be read. One that only moves shows when they do: another answer is
 * chosen then. A screen on which none is may be one that is being drawn.
 */
async function untilKeysCount(screen: TerminalScreen, chosen: RegExp): Promise<void> {
  await sendUntil(screen, {
    send: () => screen.press('down'),
    isTaken: (text) => ANY_CHOSEN.test(text) && !chosen.test(text),
  });
}

/**
 * Sends a key again until it has counted. With a growing pause: letters that a busy chat reads together are a text, and
 * no answer.
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
/** Below an approval while arguments or a reason are typed. */
const TYPING = /Enter (?:denies|lets it run)/u;
const AGAIN_MS = 400;
const TRIES = 15;

/** Leaves as people do, and waits for the end. */
export async function leave(screen: TerminalScreen): Promise<number | null> {
  await screen.shows(PROMPT);
  screen.press('ctrl+d');
  return (await screen.ended).code;
}
