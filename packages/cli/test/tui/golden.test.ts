// What the terminal agent draws, compared with reviewed recordings. To see them in colour:
// `npx tsx --tsconfig tsconfig.test.json packages/cli/test/tui/gallery/print.ts 80`.

import { describe, expect, it } from 'vitest';
import { ASCII_THEME, PLAIN_THEME } from '../../src/tui/view/theme.ts';
import { gallery } from './gallery/gallery.ts';

function shown(width: number, theme: typeof PLAIN_THEME): string {
  return gallery(width, theme)
    .map(({ name, text }) => `--- ${name}\n${text}\n`)
    .join('\n');
}

describe('the drawn screen', () => {
  it.each([40, 80, 120])('matches the recording at %i columns', async (width) => {
    await expect(shown(width, PLAIN_THEME)).toMatchFileSnapshot(`./golden/at-${width}.txt`);
  });

  it('matches the recording without Unicode', async () => {
    const text = shown(80, ASCII_THEME);
    await expect(text).toMatchFileSnapshot('./golden/ascii.txt');
  });
});
