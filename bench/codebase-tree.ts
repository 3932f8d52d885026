// A tree of about 50,000 source files for benchmarks, the same every time: modules in nested folders, of sizes as
// they are in large projects, from a vocabulary in which words are as unevenly frequent as in real code.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from './measure/seeded-random.ts';

export interface MadeTree {
  readonly files: number;
  readonly bytes: number;
}

export const RARE_NAME = 'AbstractQuotaLedgerCoordinator';
const FILES = 50_000;
const FILES_PER_FOLDER = 25;
const RARE_EVERY = 2500;
const ENDINGS = ['ts', 'ts', 'py', 'java', 'go', 'md'];
const SYLLABLES = 'ba co di fe gu ha jo ki lu me no pa qui re so ta ul ve wa xi yo zu'.split(' ');

export function makeTree(folder: string, files = FILES): MadeTree {
  const random = seededRandom(7);
  const vocabulary = Array.from({ length: 20_000 }, () => wordFrom(random));
  // Squared twice, so that few words make up most of the text.
  const word = (): string => vocabulary[Math.floor(random() ** 4 * vocabulary.length)]!;
  let bytes = 0;
  for (let number = 0; number < files; number += 1) {
    const place = Math.floor(number / FILES_PER_FOLDER);
    const parent = join(folder, `area${place % 20}`, `part${Math.floor(place / 20)}`);
    if (number % FILES_PER_FOLDER === 0) mkdirSync(parent, { recursive: true });
    const lines = Array.from({ length: 20 + Math.floor(random() ** 3 * 600) }, () =>
      line(word, random),
    );
    if (number % RARE_EVERY === 0) lines.push(`export class ${RARE_NAME} {}`);
    const text = lines.join('\n');
    writeFileSync(join(parent, `${word()}${number}.${ENDINGS[number % ENDINGS.length]}`), text);
    bytes += text.length;
  }
  return { files, bytes };
}

function line(word: () => string, random: () => number): string {
  const kind = random();
  if (kind < 0.15) return '';
  if (kind < 0.3) return `  // ${word()} ${word()} ${word()} ${word()} ${word()}`;
  if (kind < 0.4) return `export function ${word()}${capital(word())}(${word()}: string): void {`;
  if (kind < 0.45) return `import { ${capital(word())} } from './${word()}/${word()}';`;
  if (kind < 0.7)
    return `  const ${word()} = this.${word()}.${word()}(${word()}, ${Math.floor(random() * 100)});`;
  return `    return ${word()}(${word()}) ?? new ${capital(word())}Error('${word()} ${word()}');`;
}

function wordFrom(random: () => number): string {
  const length = 1 + Math.floor(random() * 4);
  return Array.from({ length }, () => SYLLABLES[Math.floor(random() * SYLLABLES.length)]).join('');
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
