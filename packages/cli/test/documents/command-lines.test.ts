import { describe, expect, it } from 'vitest';
import { stepsOf } from './command-lines.ts';

const PAGE = `# A page

\`plugboard list\` and \`list\`, \`plugboard auth status [NAME]\`, and \`plugboard permissions
files/read --allow\`.

\`\`\`sh
plugboard tools 'a # b'  # a comment with \`code\`
plugboard list

\`\`\`

\`\`\`console
$ plugboard get files
name  files
$ plugboard remove files
\`\`\`

\`\`\`jsonc .mcp.json
{ "a": 1 }
\`\`\`

\`\`\`text
$ plugboard of no shell
\`\`\`
`;

describe('the command lines of a page', () => {
  it('are found in its code blocks, and then in its text', () => {
    const command = (line: number, place: string, text: string, shown = ''): object => ({
      kind: 'command',
      line,
      place,
      command: text,
      shown,
    });
    expect(stepsOf(PAGE)).toEqual([
      command(7, 'block', "plugboard tools 'a # b'"),
      command(8, 'block', 'plugboard list'),
      command(13, 'transcript', 'plugboard get files', 'name  files\n'),
      command(15, 'transcript', 'plugboard remove files'),
      { kind: 'file', line: 18, path: '.mcp.json', body: '{ "a": 1 }\n' },
      command(3, 'text', 'plugboard auth status'),
      command(3, 'text', 'plugboard auth status NAME'),
      command(3, 'text', 'plugboard permissions files/read --allow'),
    ]);
  });
});
