// Explains why a resource, a prompt or a skill could not be read.

import type {
  Denial,
  DeniedReading,
  PromptOutcome,
  ReadOutcome,
  SkillReadOutcome,
} from '@plugboard/host';
import { didYouMean } from '../usage-error.ts';
import { reasonWords } from './denied.ts';
import type { ShownError } from './error.ts';
import { unansweredError } from './unanswered.ts';
import { type Subject, typed } from './subject.ts';

type FailedOutcome<Outcome> = Exclude<Outcome, { readonly kind: 'result' }>;

export function readError(outcome: FailedOutcome<ReadOutcome>, subject: Subject): ShownError {
  const { server } = subject;
  switch (outcome.kind) {
    case 'not-found':
      return {
        kind: outcome.kind,
        message: `server "${server}" has no resource "${outcome.uri}"`,
        details: [outcome.message],
        fix: `see what it has: plugboard resources ${typed(subject)}`,
      };
    case 'denied':
      return deniedReading(outcome, subject);
    default:
      return unansweredError(outcome, subject);
  }
}

function deniedReading(
  { kind, uri, decision, reason }: DeniedReading,
  { server, from }: Subject,
): ShownError {
  const by: Denial = { kind: decision.kind === 'deny' ? 'policy' : 'approver', decision };
  return {
    kind,
    message: `reading "${uri}" of server "${server}" was denied${reasonWords(by, reason, from)}`,
    fix:
      by.kind === 'policy'
        ? `see the permissions of the server: plugboard explain ${server}`
        : `answer y on a terminal, or add --yes; see the permissions: plugboard explain ${server}`,
    by,
  };
}

export function promptError(outcome: FailedOutcome<PromptOutcome>, subject: Subject): ShownError {
  const { server } = subject;
  switch (outcome.kind) {
    case 'unknown-prompt':
      return {
        kind: outcome.kind,
        message: `server "${server}" has no prompt "${outcome.prompt}"`,
        fix: didYouMean(outcome.nearest, `see what it has: plugboard prompts ${typed(subject)}`),
      };
    case 'invalid-arguments': {
      const { missing, strange, takes, prompt } = outcome;
      const [first] = [...missing, ...takes.map(({ name }) => name)];
      return {
        kind: outcome.kind,
        message: `prompt "${prompt}" of server "${server}" does not take these arguments`,
        details: [
          ...missing.map((name) => `${name} is needed`),
          ...strange.map((name) => `${name} is not one of its arguments`),
        ],
        fix:
          first === undefined
            ? 'give it no arguments'
            : `write each as key=text, such as ${first}=…`,
      };
    }
    default:
      return unansweredError(outcome, subject);
  }
}

const MISMATCHES = {
  unlisted: 'is not a file of the skill',
  size: 'has another size than the server listed',
  digest: 'is not what the server listed: its digest is another',
  frontmatter: 'begins with other fields than the server listed',
} as const;

export function skillError(outcome: FailedOutcome<SkillReadOutcome>, subject: Subject): ShownError {
  const { server } = subject;
  switch (outcome.kind) {
    case 'mismatch':
      return {
        kind: `skill-${outcome.what}`,
        message: `"${outcome.file}" of server "${server}" ${MISMATCHES[outcome.what]}`,
        fix:
          outcome.what === 'unlisted'
            ? 'see which files it has: plugboard skills --json'
            : 'do not use it, and tell the operator of the server',
      };
    case 'nested-skill':
      return {
        kind: outcome.kind,
        message: `"${outcome.nested}" of server "${server}" is a skill of its own`,
        fix: 'look at it by its own name: plugboard skills',
      };
    case 'denied':
      return deniedReading(outcome, subject);
    case 'not-approved':
      return {
        kind: outcome.kind,
        message: `the skill "${outcome.uri}" of server "${server}" has changed since it was listed`,
        fix: 'look at it again: plugboard skills',
      };
    default:
      return unansweredError(outcome, subject);
  }
}
