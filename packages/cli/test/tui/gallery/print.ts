// Prints the gallery: `npx tsx --tsconfig tsconfig.test.json packages/cli/test/tui/gallery/print.ts 80 plain`.

import { DEFAULT_THEME, PLAIN_THEME } from '../../../src/tui/view/theme.ts';
import { gallery } from './gallery.ts';

const [columns = '80', look = 'colour'] = process.argv.slice(2);
for (const { name, text } of gallery(
  Number(columns),
  look === 'plain' ? PLAIN_THEME : DEFAULT_THEME,
)) {
  console.log(
    `\n--- ${name} ${'-'.repeat(Math.max(0, Number(columns) - name.length - 5))}\n${text}`,
  );
}
