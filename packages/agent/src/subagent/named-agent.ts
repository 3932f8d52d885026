// Agents that a person has described: what a model is told of them when it chooses one, and how one is found by its name.

import type { Result } from '@plugboard/base';
import type { Model } from '../conversation/index.ts';

export interface NamedAgent {
  readonly name: string;
  /** When to use it. */
  readonly about: string;
  /** Whether the model sees it. One that is not approved yet can be used by name, which asks the user first. */
  readonly isListed: boolean;
  /** What it is told to do; or, in words, why it cannot be used. */
  readonly instructions: (signal: AbortSignal) => Promise<Result<string, string>>;
  /** Names and patterns; all tools, by default. */
  readonly tools?: readonly string[];
  /** Names and patterns of tools that it does not get. */
  readonly withoutTools?: readonly string[];
  /** By default, that of the conversation. */
  readonly model?: () => Model;
}

const MOST_AGENTS = 40;
const MOST_CHARACTERS = 300;

/** `undefined` if there are none to tell of. */
export function agentChoice(agents: readonly NamedAgent[]): string | undefined {
  const listed = agents.filter(({ isListed }) => isListed).slice(0, MOST_AGENTS);
  if (listed.length === 0) return undefined;
  const lines = listed.map(({ name, about }) => `- ${name}: ${onOneLine(about)}`);
  return [
    'Which agent works on it; one without a role of its own, unless given. There are:',
    ...lines,
  ].join('\n');
}

export function agentNamed(agents: readonly NamedAgent[], name: string): NamedAgent | undefined {
  return agents.find((agent) => agent.name.toLowerCase() === name.trim().toLowerCase());
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim().slice(0, MOST_CHARACTERS);
}
