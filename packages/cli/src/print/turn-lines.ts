// Prints a turn for `plugboard run`: the answer on stdout as it arrives, and the steps on stderr.

import type { AgentEvent, ModelFailure, TurnEnd } from '@plugboard/agent';
import type { JsonObject } from '@plugboard/base';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import type { ShownError } from './error.ts';
import { modelFailureWords } from './model-failure.ts';
import { paint } from './paint.ts';
import { oneLine, sanitise } from './sanitise.ts';
import { duration } from './times.ts';

/** Writes the events of one turn. Remembers whether the answer ended within a line. */
export class TurnLines {
  readonly #terminal: Terminal;
  readonly #untrusted: ReadonlySet<string>;
  readonly #tools = new Map<string, string>();
  #isInLine = false;

  /** `untrusted` are the servers that may not start yet. */
  constructor(terminal: Terminal, untrusted: ReadonlySet<string>) {
    this.#terminal = terminal;
    this.#untrusted = untrusted;
  }

  write(event: AgentEvent): void {
    const { out, err } = this.#terminal;
    switch (event.kind) {
      case 'text': {
        // Text of a sub-agent is for the agent, which summarises it.
        if (event.agent !== 'agent' || event.text === '') return;
        out.write(out.isTty ? sanitise(event.text) : event.text);
        this.#isInLine = !event.text.endsWith('\n');
        return;
      }
      case 'call-started': {
        const name = event.server === '' ? event.tool : `${event.server}: ${event.title}`;
        this.#tools.set(event.id, name);
        this.#line(
          `${agentPrefix(event.agent)}${name} ${shortArguments(event.arguments)}`,
          paint(err, 'dim', '→ '),
        );
        return;
      }
      case 'call-ended': {
        const name = this.#tools.get(event.id) ?? event.answer.tool;
        const [word, colour] = event.answer.isError
          ? (['failed', 'red'] as const)
          : (['done', 'dim'] as const);
        this.#line(
          `${name} ${word} in ${duration(Math.round(event.ms))}${reason(event)}`,
          paint(err, colour, '← '),
        );
        return;
      }
      case 'retrying':
        this.#line(
          `${event.failure.message}; trying again in ${duration(Math.round(event.afterMs))}`,
        );
        return;
      case 'servers':
        for (const { server, state, reason: why } of event.servers) {
          if (state === 'down') this.#line(this.#downWords(server, why));
          if (state === 'needs-sign-in')
            this.#line(`${server} requires a sign-in: plugboard login ${server}`);
        }
        return;
      case 'compacted':
        this.#line('the conversation was summarised, to free context');
        return;
      default:
    }
  }

  #downWords(server: string, why: string | undefined): string {
    if (!this.#untrusted.has(server)) {
      return `${server} is down${why === undefined ? '' : `: ${why}`}`;
    }
    return `${server} came with this folder or a plugin and is not trusted yet, so it is not used: plugboard trust ${server}, or --trust-project for this once`;
  }

  /** Ends the current line of the answer, so that other output starts on a new line. */
  end(): void {
    if (this.#isInLine) this.#terminal.out.write('\n');
    this.#isInLine = false;
  }

  #line(text: string, mark = ''): void {
    // On a terminal, stdout and stderr share the screen, so this line must not interrupt a line of the answer.
    if (this.#terminal.out.isTty) this.end();
    this.#terminal.err.write(`${mark}${oneLine(text)}\n`);
  }
}

function agentPrefix(agent: string): string {
  return agent === 'agent' ? '' : `${agent}: `;
}

const MAX_LENGTH = 120;

function shortArguments(given: JsonObject): string {
  const words = Object.entries(given).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `${name}=${text}`;
  });
  const line = words.join(' ');
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line;
}

function reason({ answer }: Extract<AgentEvent, { readonly kind: 'call-ended' }>): string {
  if (!answer.isError) return '';
  const text = answer.parts.find((part) => part.kind === 'text');
  return text === undefined ? '' : `: ${text.text.slice(0, MAX_LENGTH)}`;
}

/** `undefined` if the turn succeeded. */
export function turnError(end: TurnEnd): ShownError | undefined {
  switch (end.kind) {
    case 'done':
      return undefined;
    case 'cancelled':
      return { kind: 'cancelled', message: 'cancelled' };
    case 'failed':
      return failureError(end.failure);
    case 'too-many-steps':
      return {
        kind: end.kind,
        message: `the model was still at work after ${end.steps} steps`,
        fix: 'allow more with --max-steps, or ask for less',
      };
    case 'over-budget':
      return {
        kind: end.kind,
        message: `the budget is spent: $${end.spent.toFixed(2)} of $${end.budget.toFixed(2)}`,
        fix: 'allow more with --budget, or ask for less',
      };
    default:
      return end satisfies never;
  }
}

function failureError(failure: ModelFailure): ShownError {
  return { kind: failure.kind, ...modelFailureWords(failure, 'run') };
}

export function exitCodeOfTurn(end: TurnEnd): ExitCode {
  switch (end.kind) {
    case 'done':
      return EXIT.ok;
    case 'cancelled':
      return EXIT.interrupted;
    case 'too-many-steps':
    case 'over-budget':
      return EXIT.denied;
    case 'failed':
      return exitCodeOfFailure(end.failure);
    default:
      return end satisfies never;
  }
}

function exitCodeOfFailure({ kind }: ModelFailure): ExitCode {
  switch (kind) {
    case 'bad-key':
    case 'no-access':
    case 'no-credit':
      return EXIT.authorization;
    case 'unreachable':
      return EXIT.network;
    case 'unknown-model':
    case 'bad-request':
    case 'cancelled':
      return EXIT.usage;
    default:
      return EXIT.server;
  }
}
