// What a server's entry would run or reach, in one line, with anything that may be secret left out.

import type { ServerEntry } from '@plugboard/host/configuration';

export function targetOf(entry: ServerEntry): string {
  switch (entry.kind) {
    case 'stdio':
      return [entry.command, ...entry.args].map(quote).join(' ');
    case 'sdk':
      return '(in this program)';
    case 'http':
    case 'sse':
    case 'ws':
    case 'http-or-sse':
      return shownUrl(entry.url);
    default:
      return entry satisfies never;
  }
}

export function transportOf(entry: ServerEntry): string {
  return entry.kind === 'http-or-sse' ? 'http' : entry.kind;
}

/** A value that names a variable says nothing; any other may be a secret. */
export function maskValue(value: string): string {
  return /^(?:Bearer )?\$\{[^}]*\}$/.test(value) ? value : '(hidden)';
}

function shownUrl(url: string): string {
  // Variables are not filled in yet, so this need not be a URL that can be parsed.
  return url.replace(/^([a-z]+:\/\/)[^/@]*@/i, '$1').replace(/[?#].*$/s, '');
}

function quote(word: string): string {
  return /^[\w@%+=:,./${}~-]+$/.test(word) ? word : JSON.stringify(word);
}
