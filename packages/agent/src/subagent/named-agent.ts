// Agents that the user has defined: their description for models, and the lookup by name.

import type { Result } from '@plugboard/base';
import type { Model } from '../conversation/index.ts';

export interface NamedAgent {
  readonly name: string;
  /** When to use it. */
  readonly about: string;
  /** Whether the model sees it. An unapproved agent can be used by name, after the user approves it. */
  readonly isListed: boolean;
  /** Its instructions, or the reason why it cannot be used. */
  readonly instructions: (signal: AbortSignal) => Promise<Result<string, string>>;
  /** Names and patterns of its tools; all, by default. */
  readonly tools?: readonly string[];
  /** Names and patterns of tools that it does not get. */
  readonly withoutTools?: readonly string[];
  /** The model of the conversation, by default. */
  readonly model?: () => Model;
}

const MOST_AGENTS = 40;
const MOST_CHARACTERS = 300;

/** The description of the parameter `agent`; `undefined` if no agent is listed. */
export function describeAgents(agents: readonly NamedAgent[]): string | undefined {
  const listed = agents.filter(({ isListed }) => isListed).slice(0, MOST_AGENTS);
  if (listed.length === 0) return undefined;
  const lines = listed.map(({ name, about }) => `- ${name}: ${onOneLine(about)}`);
  return [
    'Which agent works on it; one without a role of its own, unless given. There are:',
    ...lines,
  ].join('\n');
}

export function findAgent(agents: readonly NamedAgent[], name: string): NamedAgent | undefined {
  return agents.find((agent) => agent.name.toLowerCase() === name.trim().toLowerCase());
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim().slice(0, MOST_CHARACTERS);
}
