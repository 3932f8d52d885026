// The chat commands that switch to another conversation, rewind to an earlier message and its files, copy the conversation,
// or export it.

import { basename, resolve } from 'node:path';
import {
  type Message,
  type OpenTranscript,
  type TranscriptEntry,
  type Transcripts,
  type TranscriptTurn,
  writeNewFile,
} from '@plugboard/agent';
import type { RestoreOutcome } from '@plugboard/agent/workspace';
import { systemClock } from '@plugboard/base';
import type { HostEnvironment } from '@plugboard/host/configuration';
import type {
  ChatEvent,
  Notice,
  PickerRow,
  ShownConversation,
  SubmitResult,
  TalkCommands,
} from '../chat/index.ts';
import { conversationMarkdown } from '../print/conversation-markdown.ts';
import { shortPath } from '../print/place.ts';
import { oneLine } from '../print/sanitise.ts';
import { writeFix } from '../print/system-words.ts';
import { shellWord } from '../print/target.ts';
import { ageOf, isoTime } from '../print/times.ts';
import type { OpenAgent } from './open-agent.ts';

type GoingBack = Pick<TalkCommands, 'clear' | 'resume' | 'rewind' | 'fork' | 'exportTo' | 'copy'>;

export interface GoingBackOptions {
  readonly agent: OpenAgent;
  readonly transcripts: Transcripts;
  readonly environment: HostEnvironment;
  readonly emit: (event: ChatEvent) => void;
}

export function goingBack(options: GoingBackOptions): GoingBack {
  const { agent, transcripts } = options;
  return {
    clear: async () => {
      await continueWith(transcripts.begin(agent.model ?? ''), options);
      return { kind: 'taken' };
    },
    resume: (id, where) =>
      id === undefined ? pickConversation(where, options) : resume(id, options),
    rewind: (turn, what) => rewind(turn, what, options),
    fork: () => fork(options),
    exportTo: (path) => exportTo(path, options),
    copy: () => Promise.resolve(lastAnswer(agent.transcript.messages)),
  };
}

async function continueWith(
  transcript: OpenTranscript,
  { agent, emit }: GoingBackOptions,
  shown: Omit<ShownConversation, 'messages'> = {},
): Promise<void> {
  await agent.continueWith(transcript);
  const { messages } = transcript;
  emit({ kind: 'conversation', conversation: { messages, ...shown } });
}

async function pickConversation(
  where: 'here' | 'everywhere',
  { agent, transcripts, environment }: GoingBackOptions,
): Promise<SubmitResult> {
  const rows = (await transcripts.list(where)).map((entry) =>
    sessionRow(entry, { where, environment, current: agent.transcript.id }),
  );
  const others: readonly PickerRow[] =
    where === 'everywhere'
      ? []
      : [{ label: 'conversations of all folders', detail: '', line: '/resume --all' }];
  return {
    kind: 'pick',
    picker: {
      title: where === 'here' ? 'Conversations in this folder' : 'Conversations in all folders',
      rows: [...rows, ...others],
      empty: 'There are no conversations yet.',
    },
  };
}

interface RowOptions {
  readonly where: 'here' | 'everywhere';
  readonly environment: HostEnvironment;
  readonly current: string;
}

function sessionRow(
  entry: TranscriptEntry,
  { where, environment, current }: RowOptions,
): PickerRow {
  const { id, title, folder, changedAt } = entry;
  const age = ageOf(systemClock.now() - changedAt);
  return {
    label: title === '' ? '(no words)' : oneLine(title, 120),
    detail: where === 'here' ? age : `${shortPath(folder, environment)} · ${age}`,
    line: `/resume ${id}`,
    ...(id === current ? { isCurrent: true } : {}),
  };
}

async function resume(id: string, options: GoingBackOptions): Promise<SubmitResult> {
  const { transcripts, agent } = options;
  if (id === agent.transcript.id) return { kind: 'taken' };
  const found = await transcripts.resume(id);
  if (found !== undefined) {
    const { changedAt = 0 } = found;
    await continueWith(found, options, { resumedFrom: isoTime(changedAt) });
    return { kind: 'taken' };
  }
  const elsewhere = (await transcripts.list('everywhere')).find((entry) => entry.id === id);
  if (elsewhere === undefined) {
    const message = `there is no conversation "${oneLine(id, 40)}"`;
    return { kind: 'problem', message, fix: 'choose one: /resume' };
  }
  return {
    kind: 'problem',
    message: `this conversation belongs to another folder: ${oneLine(elsewhere.folder)}`,
    fix: `leave, and resume it there: cd ${shellWord(elsewhere.folder)} && plugboard chat --resume ${id}`,
  };
}

const WAYS = [
  { what: 'both', label: 'the conversation and the files' },
  { what: 'conversation', label: 'the conversation; files stay as they are' },
  { what: 'files', label: 'the files; the conversation stays as it is' },
] as const;

const ONLY_TOOL_CHANGES =
  'Files: those that write_file and edit_file changed. What commands changed is not covered.';

async function rewind(
  number: string | undefined,
  what: string | undefined,
  options: GoingBackOptions,
): Promise<SubmitResult> {
  const { turns } = options.agent.transcript;
  if (number === undefined) return pickTurn(turns);
  const turn = turns.find((one) => one.number === Number(number));
  if (turn === undefined) {
    return { kind: 'problem', message: 'there is no such message', fix: 'choose one: /rewind' };
  }
  const way = WAYS.find((one) => one.what === what);
  return way === undefined ? pickWay(turn, options) : goBack(turn, way.what, options);
}

function pickTurn(turns: readonly TranscriptTurn[]): SubmitResult {
  const rows = turns.toReversed().map(({ number, message }) => ({
    label: oneLine(wordsOf(message), 120),
    detail: '',
    line: `/rewind ${number}`,
  }));
  const title = 'Go back to before this message';
  return { kind: 'pick', picker: { title, rows, empty: 'Nothing was said yet.' } };
}

async function pickWay(turn: TranscriptTurn, { agent }: GoingBackOptions): Promise<SubmitResult> {
  const files = await agent.transcript.filesBefore(turn.number);
  const names = files.map(({ path }) => basename(path)).slice(0, 5);
  const more = files.length > names.length ? ', …' : '';
  const detail = files.length === 0 ? 'no file was changed' : `${names.join(', ')}${more}`;
  return {
    kind: 'pick',
    picker: {
      title: `Go back to before: ${oneLine(wordsOf(turn.message), 60)}`,
      rows: WAYS.map(({ what, label }) => ({
        label,
        detail: what === 'conversation' ? '' : detail,
        line: `/rewind ${turn.number} ${what}`,
      })),
      empty: '',
      note: ONLY_TOOL_CHANGES,
    },
  };
}

async function goBack(
  turn: TranscriptTurn,
  what: (typeof WAYS)[number]['what'],
  options: GoingBackOptions,
): Promise<SubmitResult> {
  const { agent, emit } = options;
  const { transcript } = agent;
  const notices = what === 'conversation' ? [] : await restoredFiles(turn.number, options);
  if (what !== 'files') {
    transcript.rewind(turn.number);
    await continueWith(transcript, options, { draft: wordsOf(turn.message) });
  }
  for (const notice of notices) emit({ kind: 'notice', notice });
  return { kind: 'taken' };
}

async function restoredFiles(
  turn: number,
  { agent }: GoingBackOptions,
): Promise<readonly Notice[]> {
  const notices: Notice[] = [];
  const restored: string[] = [];
  for (const file of await agent.transcript.filesBefore(turn)) {
    const outcome = await agent.workspace.restore(file);
    if (outcome.kind === 'restored') restored.push(file.path);
    else notices.push(...problemsOf(file.path, outcome));
  }
  const text = restored.length === 0 ? 'No file was restored.' : `Restored ${restored.join(', ')}.`;
  return [{ level: 'info', text: `${text} ${ONLY_TOOL_CHANGES}` }, ...notices];
}

function problemsOf(path: string, outcome: RestoreOutcome): readonly Notice[] {
  if (outcome.kind === 'changed-since') {
    const text = `${path} was left as it is: something else has changed it since`;
    return [{ level: 'warning', text }];
  }
  return outcome.kind === 'failed' ? [{ level: 'error', text: outcome.message }] : [];
}

async function fork(options: GoingBackOptions): Promise<SubmitResult> {
  const { agent, transcripts, emit } = options;
  const { transcript } = agent;
  if (transcript.messages.length === 0) return NOTHING_SAID;
  const copy = await transcripts.fork(transcript);
  if (!copy.ok) {
    const message = `the copy could not be written (${copy.error})`;
    return { kind: 'problem', message, fix: writeFix(copy.error) };
  }
  await continueWith(copy.value, options);
  const text = `This is a copy now. The conversation that it was copied from stays: /resume ${transcript.id}`;
  emit({ kind: 'notice', notice: { level: 'info', text } });
  return { kind: 'taken' };
}

const NOTHING_SAID: SubmitResult = { kind: 'problem', message: 'nothing was said yet' };

async function exportTo(
  given: string | undefined,
  { agent, environment: { cwd } }: GoingBackOptions,
): Promise<SubmitResult> {
  const { id, keptMessages: messages } = agent.transcript;
  if (messages.length === 0) return NOTHING_SAID;
  const name = given ?? `conversation-${id}.md`;
  const conversation = { id, folder: cwd, messages };
  const text = name.endsWith('.json')
    ? `${JSON.stringify(conversation, undefined, 2)}\n`
    : conversationMarkdown(conversation);
  const code = await writeNewFile(resolve(cwd, name), text);
  if (code === undefined) return { kind: 'shown', text: `The conversation is in ${name}.` };
  return code === 'EEXIST'
    ? {
        kind: 'problem',
        message: `${name} is there already, and was not replaced`,
        fix: 'name another file: /export NAME.md',
      }
    : { kind: 'problem', message: `${name} cannot be written (${code})`, fix: writeFix(code) };
}

function lastAnswer(messages: readonly Message[]): SubmitResult {
  const texts = messages.map((message) => (message.kind === 'assistant' ? wordsOf(message) : ''));
  const text = texts.findLast((one) => one !== '');
  if (text === undefined) return { kind: 'problem', message: 'there is no answer to copy yet' };
  return { kind: 'copy', text, said: `Copied the last answer: ${text.length} characters.` };
}

function wordsOf(message: Exclude<Message, { readonly kind: 'tool' }>): string {
  return message.parts
    .flatMap((part) => (part.kind === 'text' ? [part.text] : []))
    .join('\n')
    .trim();
}
