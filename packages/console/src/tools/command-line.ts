// The terminal command for a run of the console. Names and arguments come from servers and are quoted for a POSIX shell. With
// invisible characters, or characters that a terminal acts on, there is no command. Pure.

import type { RunRequest } from '@plugboard/gateway/console-api';
import { visible } from '../text/visible.ts';
import { textOf } from './offered-item.ts';

export function commandOf(run: RunRequest): string | undefined {
  const words = wordsOf(run);
  const isPlain = words.every((word) => visible(word) === word && !/[\n\t]/.test(word));
  return isPlain ? words.map(quoted).join(' ') : undefined;
}

function wordsOf(run: RunRequest): readonly string[] {
  switch (run.kind) {
    case 'tool': {
      const isEmpty = Object.keys(run.arguments).length === 0;
      const given = isEmpty ? [] : ['--args', JSON.stringify(run.arguments)];
      return ['plugboard', 'call', ...given, ...operands(run.server, run.tool)];
    }
    case 'resource':
      return ['plugboard', 'read', ...option('--server', run.server), ...operands(run.uri)];
    case 'prompt': {
      const given = Object.entries(run.arguments).map(
        ([name, value]) => `${name}=${textOf(value)}`,
      );
      return [
        'plugboard',
        'prompt',
        ...option('--server', run.server),
        ...operands(run.prompt, ...given),
      ];
    }
    default:
      return run satisfies never;
  }
}

/** A name that begins with a dash must not become an option. */
function operands(...names: readonly string[]): readonly string[] {
  return names.some((name) => name.startsWith('-')) ? ['--', ...names] : names;
}

function option(name: string, value: string): readonly string[] {
  return value.startsWith('-') ? [`${name}=${value}`] : [name, value];
}

function quoted(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
