// Asks the user for the missing parts of `plugboard add`, one question at a time, and shows the entry. The caller writes it.
// Nothing is added if the user ends the input at any question.

import {
  checkName,
  EDITABLE_SCOPES,
  type EditableScope,
  type HostEnvironment,
  targetFile,
} from '@plugboard/host/configuration';
import {
  ASK,
  entryPreview,
  type PathsHere,
  pathsWarning,
  replaceQuestion,
  secretAdvice,
  type SecretAdvice,
  WRONG,
  wrongScope,
} from '../print/add-words.ts';
import { clause } from '../print/diagnostics.ts';
import { shortPath } from '../print/place.ts';
import { holdSecret, looksSecret } from '../print/target.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import { isYes } from './ask-about-text.ts';
import { scopeOf } from './edit.ts';
import { entryOf } from './new-entry.ts';
import { type NewEntry, pathsHere, withAbsoluteProgram } from './paths-here.ts';
import { adviceFor, secretName } from './plain-secrets.ts';
import { splitWords } from './split-words.ts';

/** Values from the command line, which are not asked for. */
export interface GivenAnswers {
  readonly name?: string | undefined;
  readonly scope?: string;
  readonly transport?: string;
  readonly env?: readonly string[];
  readonly header?: readonly string[];
  readonly cwd?: string | undefined;
  readonly environment: HostEnvironment;
}

export interface Answers {
  readonly name: string;
  readonly entry: Readonly<Record<string, unknown>>;
  readonly file: string;
}

/** `undefined` if the user adds nothing. */
export async function askForServer(
  terminal: Terminal,
  given: GivenAnswers,
): Promise<Answers | undefined> {
  const { transport, environment } = given;
  const scopeGiven = given.scope === undefined ? undefined : scopeOf(given.scope);
  const name = await askName(terminal, given.name);
  if (name === undefined) return undefined;
  const target = await askTarget(terminal, name, given);
  if (target === undefined) return undefined;
  const kind = 'url' in entryOf({ target, transport }) ? 'header' : 'env';
  const pairs = await askPairs(terminal, { kind, server: name });
  if (pairs === undefined) return undefined;
  const scope = scopeGiven ?? (await askScope(terminal));
  if (scope === undefined) return undefined;
  const all = [...(given[kind] ?? []), ...pairs];
  const entry = await askAboutPaths(terminal, {
    entry: entryOf({ target, transport, [kind]: all, cwd: given.cwd }),
    scope,
    environment,
  });
  const file = await targetFile(environment, scope);
  terminal.err.write(entryPreview({ name, entry, file: shortPath(file, environment) }));
  const isConfirmed = await askYesOrNo(terminal, ASK.confirm, 'yes');
  return isConfirmed ? { name, entry, file } : undefined;
}

async function askAboutPaths(terminal: Terminal, added: NewEntry): Promise<NewEntry['entry']> {
  const entry = withAbsoluteProgram(added);
  const here = await pathsHere({ ...added, entry });
  return here !== undefined && (await askWhereItStarts(terminal, here)) ? here.entry : entry;
}

export async function askWhereItStarts(terminal: Terminal, here: PathsHere): Promise<boolean> {
  terminal.err.write(pathsWarning(here));
  return askYesOrNo(terminal, ASK[here.by], 'yes');
}

export async function mayReplace(terminal: Terminal, name: string): Promise<boolean> {
  return askYesOrNo(terminal, replaceQuestion(name), 'no');
}

/** Asks until `read` accepts the answer. `undefined` at the end of the input. */
async function askUntil<T>(
  terminal: Terminal,
  question: string,
  read: (answer: string) => Promise<AnswerResult<T>> | AnswerResult<T>,
): Promise<T | undefined> {
  for (;;) {
    const answer = await terminal.input.ask(question);
    if (answer === undefined) return undefined;
    const result = await read(answer.trim());
    if (result.kind === 'accepted') return result.value;
    if (result.why !== undefined) terminal.err.write(`${result.why}\n`);
  }
}

type AnswerResult<T> =
  | { readonly kind: 'accepted'; readonly value: T }
  | { readonly kind: 'refused'; readonly why?: string };

const refused = (why: string): AnswerResult<never> => ({ kind: 'refused', why });
const accepted = <T>(value: T): AnswerResult<T> => ({ kind: 'accepted', value });

async function askName(terminal: Terminal, given: string | undefined): Promise<string | undefined> {
  const read = (name: string): AnswerResult<string> => {
    const finding = checkName(name);
    return finding === undefined
      ? accepted(name)
      : refused(`${finding.message} ${finding.suggestion}`);
  };
  if (given === undefined) return askUntil(terminal, ASK.name, read);
  const finding = checkName(given);
  if (finding === undefined) return given;
  throw new UsageError(clause(finding.message), clause(finding.suggestion));
}

async function askTarget(
  terminal: Terminal,
  server: string,
  { transport, env = [], header = [] }: GivenAnswers,
): Promise<readonly string[] | undefined> {
  return askUntil(terminal, ASK.target, async (line) => {
    const target = splitWords(line);
    if (target === undefined) return refused(WRONG.quote);
    if (target.length === 0) return { kind: 'refused' };
    try {
      entryOf({ target, transport, env, header });
    } catch (thrown) {
      if (!(thrown instanceof UsageError)) throw thrown;
      return refused(`That does not work: ${thrown.message}; ${thrown.fix}.`);
    }
    const secret = `${secretName(server)}_TOKEN`;
    const advice = { secret, instead: `\${secret:${secret}}` };
    const isFine = !holdSecret(target) || (await confirmSecret(terminal, advice));
    return isFine ? accepted(target) : { kind: 'refused' };
  });
}

/** Pairs in the form of `--env` and `--header`. */
async function askPairs(
  terminal: Terminal,
  { kind, server }: { readonly kind: 'env' | 'header'; readonly server: string },
): Promise<readonly string[] | undefined> {
  const pairs: string[] = [];
  for (;;) {
    const question = pairs.length === 0 ? ASK[kind] : ASK.more;
    const pair = await askUntil(terminal, question, async (line): Promise<AnswerResult<string>> => {
      const read = kind === 'env' ? readVariable(line) : readHeader(line);
      if (line === '') return accepted('');
      if (read === undefined) return refused(WRONG[kind]);
      const isFine =
        !looksSecret(read.name, read.value) ||
        (await confirmSecret(terminal, adviceFor({ ...read, kind, server })));
      return isFine ? accepted(read.pair) : { kind: 'refused' };
    });
    if (pair === undefined) return undefined;
    if (pair === '') return pairs;
    pairs.push(pair);
  }
}

interface Pair {
  readonly name: string;
  readonly value: string;
  readonly pair: string;
}

/** A name alone becomes a reference to the variable of that name. */
function readVariable(line: string): Pair | undefined {
  const [, name, value] = /^([A-Za-z_]\w*)\s*(?:=(.*))?$/.exec(line) ?? [];
  if (name === undefined) return undefined;
  const filled = value?.trim() ?? `\${${name}}`;
  return { name, value: filled, pair: `${name}=${filled}` };
}

function readHeader(line: string): Pair | undefined {
  const [, name, value] = /^([^\s:]+)\s*:\s*(.+)$/.exec(line) ?? [];
  if (name === undefined || value === undefined) return undefined;
  return { name, value, pair: `${name}: ${value}` };
}

async function confirmSecret(terminal: Terminal, advice: SecretAdvice): Promise<boolean> {
  terminal.err.write(secretAdvice(advice));
  return askYesOrNo(terminal, ASK.secret, 'no');
}

async function askScope(terminal: Terminal): Promise<EditableScope | undefined> {
  return askUntil(terminal, ASK.scope, (answer) => {
    if (answer === '') return accepted<EditableScope>('local');
    const scope = EDITABLE_SCOPES.find((candidate) => candidate === answer.toLowerCase());
    return scope === undefined ? refused(wrongScope(EDITABLE_SCOPES)) : accepted(scope);
  });
}

async function askYesOrNo(
  terminal: Terminal,
  question: string,
  byDefault: 'yes' | 'no',
): Promise<boolean> {
  const answer = await askUntil(terminal, question, (line) => {
    if (line === '') return accepted(byDefault === 'yes');
    if (isYes(line)) return accepted(true);
    return /^no?$/i.test(line) ? accepted(false) : refused(WRONG.yesOrNo);
  });
  return answer ?? false;
}
