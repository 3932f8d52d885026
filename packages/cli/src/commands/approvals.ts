// `plugboard approvals`: waits for approvals and questions of this user's gateways, shows each on the terminal, and sends
// the answer. With --json, it prints one line for each item, and reads the answers of a program from stdin.

import { isObject, parseJson } from '@plugboard/base';
import type { ApprovalView, QuestionView, WaitingAnswer } from '@plugboard/gateway/console-api';
import { hostEnvironment } from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import {
  answeredWords,
  NO_GATEWAY,
  waitingQuestion,
  waitingScreen,
} from '../print/approval-words.ts';
import { printError, writeError } from '../print/error.ts';
import { gatewayFailureWords, waitingDocument } from '../print/gateway-status.ts';
import { printJson } from '../print/json.ts';
import { UsageError } from '../usage-error.ts';
import { rememberIn } from './ask-about-call.ts';
import { askAboutText } from './ask-about-text.ts';
import { type WaitingItem, type WatchListener, watchGateways } from './gateway-watch.ts';
import { runningGateways } from './running-gateways.ts';

export async function approvals(context: Context): Promise<ExitCode> {
  const { input, err } = context.terminal;
  if (!context.isJson && !(input.isTty && err.isTty)) {
    throw new UsageError(
      'questions are answered on a terminal',
      'run it in a terminal, or answer with a program: plugboard approvals --json',
    );
  }
  const inbox = new Inbox();
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, context.terminal.interrupted]);
  const listener = context.isJson
    ? listenForProgram(context, inbox)
    : listenForPerson(context, inbox);
  const environment = hostEnvironment();
  const isAny = (await runningGateways(environment)).length > 0;
  if (!context.isJson && !isAny) err.write(NO_GATEWAY);
  const watching = watchGateways(environment, listener, signal);
  try {
    await (context.isJson
      ? answerAsProgram(context, inbox, signal)
      : answerAll(context, inbox, signal));
  } finally {
    over.abort();
    await watching;
  }
  return EXIT.ok;
}

/** The pending items, the oldest first. */
class Inbox {
  readonly #items = new Map<string, WaitingItem & { readonly gone: AbortController }>();
  #wake: () => void = () => {};

  put(item: WaitingItem): void {
    this.#items.set(item.waiting.id, { ...item, gone: new AbortController() });
    this.#wake();
  }

  drop(id: string): void {
    this.#items.get(id)?.gone.abort();
    this.#items.delete(id);
  }

  dropAll(url: string): void {
    for (const [id, item] of this.#items) if (item.url === url) this.drop(id);
  }

  get(id: string): WaitingItem | undefined {
    return this.#items.get(id);
  }

  get first(): (WaitingItem & { readonly gone: AbortController }) | undefined {
    return this.#items.values().next().value;
  }

  /** A signal that aborts once the inbox contains an item. */
  filled(): AbortSignal {
    const filled = new AbortController();
    this.#wake = () => filled.abort();
    if (this.#items.size > 0) filled.abort();
    return filled.signal;
  }
}

function listenForPerson({ terminal: { err } }: Context, inbox: Inbox): WatchListener {
  return {
    found: (url) => err.write(`Waiting for what ${url} asks. Ctrl-C ends it.\n`),
    lost: (url) => {
      inbox.dropAll(url);
      err.write(`The gateway at ${url} has ended. Waiting for the next one.\n`);
    },
    waiting: (item) => inbox.put(item),
    answered: (id) => inbox.drop(id),
  };
}

function listenForProgram(context: Context, inbox: Inbox): WatchListener {
  const print = (event: object): void => printJson({ ...context, json: 'events' }, event);
  return {
    found: (url) => print({ kind: 'watching', url }),
    lost: (url) => {
      inbox.dropAll(url);
      print({ kind: 'lost', url });
    },
    waiting: (item) => {
      inbox.put(item);
      print({ kind: 'waiting', url: item.url, waiting: waitingDocument(item.waiting) });
    },
    answered: (id, answer) => {
      inbox.drop(id);
      print({ kind: 'answered', id, answer });
    },
  };
}

async function answerAll(context: Context, inbox: Inbox, signal: AbortSignal): Promise<void> {
  const { input, err } = context.terminal;
  while (!signal.aborted) {
    const item = inbox.first;
    if (item === undefined) {
      // Text that is typed while there is no question must not answer the next one.
      await input.ask('', { signal: inbox.filled() });
      continue;
    }
    const { waiting, console, gone } = item;
    const answer = await answerOfPerson(context, item, gone.signal);
    if (signal.aborted) return;
    inbox.drop(waiting.id);
    if (answer === undefined) {
      err.write('It was answered elsewhere, or withdrawn.\n');
      continue;
    }
    const sent = await console.answer(waiting.id, answer, signal);
    if (sent.ok) err.write(answeredWords(answer));
    else writeError(err, { kind: 'refused', message: gatewayFailureWords(sent.error) }, 'warning');
  }
}

/** `undefined` if the item was answered elsewhere or withdrawn. */
async function answerOfPerson(
  context: Context,
  { waiting }: WaitingItem,
  signal: AbortSignal,
): Promise<WaitingAnswer | undefined> {
  const answer =
    waiting.kind === 'approval'
      ? await approvalAnswer(context, waiting, signal)
      : await questionAnswer(context, waiting, signal);
  return signal.aborted ? undefined : answer;
}

async function approvalAnswer(
  { terminal }: Context,
  waiting: ApprovalView,
  signal: AbortSignal,
): Promise<WaitingAnswer> {
  const { offers } = waiting;
  const { err, input } = terminal;
  const question = waitingQuestion(offers);
  const typed = await askAboutText({ err, input, signal }, waitingScreen(waiting), question);
  const wanted = rememberIn(typed ?? '', offers);
  const remember = offers.find((offer) => offer === wanted);
  return remember === undefined ? { kind: 'deny' } : { kind: 'allow', remember };
}

async function questionAnswer(
  context: Context,
  { kind, server, message, schema = {}, url = '' }: QuestionView,
  signal: AbortSignal,
): Promise<WaitingAnswer> {
  const { never } = await import('@plugboard/base');
  const { readQuestion } = await import('@plugboard/host/relay');
  const { answerQuestion } = await import('./answer-question.ts');
  const question = readQuestion(
    kind === 'page'
      ? { kind: 'url', message, url, waitsFor: 'done' }
      : { kind: 'form', message, schema },
    { finished: never },
  );
  if (!question.ok) return { kind: 'decline' };
  return answerQuestion(context, { server, question: question.value, signal });
}

/** A line of stdin is an answer in the format of the console's API, with the `id` of its item. */
async function answerAsProgram(context: Context, inbox: Inbox, signal: AbortSignal): Promise<void> {
  const events: Context = { ...context, json: 'events' };
  for (;;) {
    const line = await context.terminal.input.ask('', { signal });
    if (line === undefined || signal.aborted) return;
    if (line.trim() === '') continue;
    const read = parseJson(line, { maxLength: 1024 * 1024, maxDepth: 100 });
    const { id, ...answer } = read.ok && isObject(read.value) ? read.value : {};
    const item = typeof id === 'string' ? inbox.get(id) : undefined;
    if (item === undefined) {
      const message = 'this is not a valid answer, or no question has that id';
      const fix = 'write one line: {"id":"…","kind":"allow","remember":"once"}';
      printError(events, { kind: 'usage', message, fix });
      continue;
    }
    // The gateway validates the answer.
    const sent = await item.console.answer(
      item.waiting.id,
      answer as unknown as WaitingAnswer,
      signal,
    );
    if (!sent.ok) printError(events, { kind: 'refused', message: gatewayFailureWords(sent.error) });
  }
}
