// Searches the traces of a program for secrets: files with their names, output, and command lines. It finds a secret in plain
// text and in common encodings, whole or cut off. Results do not repeat the secret.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError } from '@plugboard/base';

export interface SoughtSecret {
  readonly kind: string;
  readonly value: string;
}

export interface FoundSecret {
  readonly kind: string;
  /** The index of the secret. */
  readonly index: number;
  readonly where: string;
  readonly spelling: Spelling;
}

type Spelling = 'plain' | 'base64' | 'hex' | 'url';

/** The contents to search, by name. */
export type Places = Readonly<Record<string, string | Buffer>>;

export function searchForSecrets(
  secrets: readonly SoughtSecret[],
  places: Places,
): readonly FoundSecret[] {
  // One character per byte.
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

/** Every file below a folder, without following links. */
export async function filesUnder(folder: string): Promise<Places> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const read = await Promise.all(paths.map(async (path) => [path, await readFile(path)] as const));
  return Object.fromEntries(read);
}

/** Shorter secrets would be found by chance. */
const SHORTEST = 8;
const PIECE = 20;

/** Parts that reveal the secret: a log may cut a token, and a key has several lines. */
function piecesOf(secret: string): readonly string[] {
  if (secret.length < SHORTEST) {
    throw new CodedError('secret-too-short', 'a secret is too short to be looked for', {
      data: {},
    });
  }
  if (/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(secret)) {
    // The header is not secret, and is the same in many tokens.
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

/** The part of a base64 text that encodes the bytes at an offset, whatever surrounds them. */
function base64Inside(bytes: Buffer, before: number): readonly (readonly [Spelling, string])[] {
  const padded = Buffer.concat([Buffer.alloc(before), bytes]);
  const whole = padded.toString('base64url');
  const first = Math.ceil((before * 8) / 6);
  // The last character may contain bits of the following byte.
  const last = Math.floor((padded.length * 8) / 6);
  const inner = whole.slice(first, last);
  const standard = inner.replaceAll('-', '+').replaceAll('_', '/');
  return [
    ['base64', inner],
    ['base64', standard],
  ];
}
