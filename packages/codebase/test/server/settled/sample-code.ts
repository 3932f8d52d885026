// Generates code in several languages that declares and uses names of one vocabulary, so that files refer to each other and
// most questions have several answers.

import type { Random } from './random.ts';

export const WORDS: readonly string[] = [
  ...['account', 'budget', 'cache', 'delay', 'entry', 'filter', 'group', 'handle', 'index', 'job'],
  ...['key', 'limit', 'merge', 'notify', 'order', 'parse', 'queue', 'retry', 'store', 'token'],
  ...[
    'update',
    'value',
    'worker',
    'yield',
    'zone',
    'client',
    'server',
    'session',
    'request',
    'reply',
  ],
];

const ENDINGS = [
  'ts',
  'ts',
  'ts',
  'py',
  'py',
  'go',
  'rs',
  'md',
  'json',
  'txt',
  'sql',
  'tsx',
  'java',
] as const;
type Ending = (typeof ENDINGS)[number];

const FOLDERS = [
  'src',
  'src/core',
  'src/core/deep',
  'lib',
  'lib/net',
  'test',
  'docs',
  'tools/x y',
  'ünï',
];

/** Few folders, so that a removed path is used again. */
export function somePath(random: Random): string {
  const folder = random.pick(FOLDERS);
  const name = `${random.pick(WORDS)}${random.chance(0.3) ? `-${random.below(4)}` : ''}`;
  return `${folder}/${name}.${random.pick(ENDINGS)}`;
}

export function someName(random: Random): string {
  return `${random.pick(WORDS)}${capital(random.pick(WORDS))}`;
}

export function codeOf(path: string, random: Random): string {
  const ending = path.slice(path.lastIndexOf('.') + 1) as Ending;
  const pieces = Array.from({ length: random.between(1, 6) }, () => pieceOf(ending, random));
  return pieces.join('\n');
}

function pieceOf(ending: Ending, random: Random): string {
  const name = someName(random);
  const used = [someName(random), someName(random)] as const;
  const note = sentence(random);
  const type = capital(random.pick(WORDS));
  switch (ending) {
    case 'ts':
    case 'tsx':
      return random.chance(0.5)
        ? `/** ${note} */\nexport function ${name}(input: string): number {\n  const found = ${used[0]}(input);\n  return ${used[1]}(found) + ${random.below(100)};\n}\n`
        : `export class ${type} {\n  /** ${note} */\n  ${name}(): void {\n    this.${used[0]}();\n    ${used[1]}(this);\n  }\n}\n`;
    case 'py':
      return `class ${type}:\n    """${note}"""\n\n    def ${name}(self, count):\n        return self.${used[0]}(count) + ${random.below(100)}\n\n\ndef ${used[1]}(value):\n    return ${name}(value)\n`;
    case 'go':
      return `package main\n\n// ${note}\nfunc ${capital(name)}(count int) int {\n\treturn ${capital(used[0])}(count) + ${random.below(100)}\n}\n`;
    case 'rs':
      return `/// ${note}\npub fn ${name}(count: u32) -> u32 {\n    ${used[0]}(count) + ${random.below(100)}\n}\n`;
    case 'java':
      return `/** ${note} */\npublic class ${type} {\n  int ${name}(int count) {\n    return ${used[0]}(count) + ${random.below(100)};\n  }\n}\n`;
    case 'md':
      return `# ${capital(name)}\n\n${note} See \`${used[0]}\`.\n\n## ${type}\n\n${sentence(random)}\n`;
    case 'json':
      return `${JSON.stringify({ name, uses: used, note }, null, 2)}\n`;
    case 'sql':
      return `-- ${note}\nCREATE TABLE ${name} (id int, ${used[0]} text);\nSELECT ${used[1]} FROM ${name};\n`;
    case 'txt':
      return `${note}\n${name} ${used.join(' ')}\n`;
    default:
      return ending satisfies never;
  }
}

function sentence(random: Random): string {
  const words = Array.from({ length: random.between(4, 9) }, () => random.pick(WORDS));
  return `${capital(words.join(' '))}.`;
}

export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
