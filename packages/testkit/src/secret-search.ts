// Looks for secrets in all that a program left: files with their names, what it printed, how its
// processes were started. A secret is found as it is and in the spellings in which programs write such
// things down, whole or cut off. What is found is told without being repeated.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError } from '@plugboard/base';

export interface SoughtSecret {
  readonly kind: string;
  readonly value: string;
}

export interface FoundSecret {
  readonly kind: string;
  /** Which of the sought ones, counted from 0. */
  readonly index: number;
  readonly where: string;
  readonly spelling: Spelling;
}

type Spelling = 'plain' | 'base64' | 'hex' | 'url';

/** Where to look, by name. */
export type Places = Readonly<Record<string, string | Buffer>>;

export function searchForSecrets(
  secrets: readonly SoughtSecret[],
  places: Places,
): readonly FoundSecret[] {
  // One character for each byte: what is sought has no others.
  const texts = Object.entries(places).map(([where, content]) => {
    return [where, Buffer.from(content).toString('latin1')] as const;
  });
  return secrets.flatMap(({ kind, value }, index) => {
    const spellings = piecesOf(value).flatMap(spellingsOf);
    return texts.flatMap(([where, text]) => {
      const found = spellings.find(([, written]) => `${where}\n${text}`.includes(written));
      return found === undefined ? [] : [{ kind, index, where, spelling: found[0] }];
    });
  });
}

/** Every file below a folder, links not followed. */
export async function filesUnder(folder: string): Promise<Places> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const read = await Promise.all(paths.map(async (path) => [path, await readFile(path)] as const));
  return Object.fromEntries(read);
}

/** Shorter ones would be found by chance. */
const SHORTEST = 8;
const PIECE = 20;

/** Parts of which each gives the secret away: a log may cut a token, and a key has lines. */
function piecesOf(secret: string): readonly string[] {
  if (secret.length < SHORTEST) {
    throw new CodedError('secret-too-short', 'a secret is too short to be looked for', {
      data: {},
    });
  }
  if (/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(secret)) {
    // The header says nothing, and many tokens have the same.
    return secret.split('.').slice(1).flatMap(endsOf);
  }
  if (secret.startsWith('-----BEGIN ')) {
    return secret.split('\n').filter((line) => line !== '' && !line.startsWith('-----'));
  }
  return endsOf(secret);
}

function endsOf(text: string): readonly string[] {
  return text.length <= PIECE ? [text] : [text.slice(0, PIECE), text.slice(-PIECE)];
}

function spellingsOf(piece: string): readonly (readonly [Spelling, string])[] {
  const bytes = Buffer.from(piece);
  const hex = bytes.toString('hex');
  return [
    ['plain', piece],
    ['url', encodeURIComponent(piece)],
    ['hex', hex],
    ['hex', hex.toUpperCase()],
    ...[0, 1, 2].flatMap((before) => base64Inside(bytes, before)),
  ];
}

/** What is in the base64 of a longer text that has the bytes after so many others, whatever those are. */
function base64Inside(bytes: Buffer, before: number): readonly (readonly [Spelling, string])[] {
  const padded = Buffer.concat([Buffer.alloc(before), bytes]);
  const whole = padded.toString('base64url');
  const first = Math.ceil((before * 8) / 6);
  // The last character may hold bits of what comes after.
  const last = Math.floor((padded.length * 8) / 6);
  const inner = whole.slice(first, last);
  const standard = inner.replaceAll('-', '+').replaceAll('_', '/');
  return [
    ['base64', inner],
    ['base64', standard],
  ];
}
