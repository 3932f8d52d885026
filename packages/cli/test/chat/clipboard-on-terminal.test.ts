// Pictures from the clipboard, on a real terminal, with programs on the PATH that imitate those of the operating systems.

import { chmod } from 'node:fs/promises';
import { startScriptedModel, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { clipboardPicture } from '../../src/commands/clipboard-picture.ts';
import { type Sandbox, sandbox } from '../sandbox.ts';
import { chatOn, leave, PROMPT, toldIn } from './chat-on-terminal.ts';

/** A minimal picture. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A PATH with these programs and no other clipboard programs. */
async function programs(
  box: Sandbox,
  scripts: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  for (const [name, script] of Object.entries(scripts)) {
    await box.write(`../home/bin/${name}`, `#!/bin/sh\n${script}\n`);
    await chmod(`${box.home}/bin/${name}`, 0o755);
  }
  return { PATH: `${box.home}/bin:${box.env['PATH'] ?? ''}` };
}

const GIVES = `[ "$1 $2" = "--no-newline --type" ] || exit 2
printf %s '${PNG}' | base64 -d`;

describe('a picture in the clipboard', () => {
  it('is added to the message by Ctrl-V, as a label that is deleted as one', async ({ expect }) => {
    verifies('AGT-25');
    await using box = await sandbox();
    const env = {
      ...(await programs(box, { 'wl-paste': GIVES, xclip: 'exit 1' })),
      WAYLAND_DISPLAY: 'wayland-0',
    };
    await using model = await startScriptedModel({ turns: ['A dot.', 'No picture.'] });
    await using screen = await chatOn(box, model, { env });
    await screen.shows(PROMPT);
    screen.type('what is ');
    await screen.shows('❯ what is');
    screen.press('ctrl+v');
    await screen.shows('❯ what is [picture 1]');
    screen.press('ctrl+v');
    await screen.shows('[picture 1] [picture 2]');
    screen.press('backspace');
    screen.press('backspace');
    await screen.hides('[picture 2]');
    screen.press('enter');
    await screen.shows('A dot.');
    const told = toldIn(model.requests[0]);
    expect(told).toContain('what is [picture 1]');
    expect(told.split(PNG)).toHaveLength(2);
    await screen.shows(PROMPT);
    screen.type('and now');
    await screen.shows('❯ and now');
    screen.press('enter');
    await screen.shows('No picture.');
    expect(toldIn(model.requests[1]).split(PNG)).toHaveLength(2);
    expect(await leave(screen)).toBe(0);
  });

  it('is reported as missing or too large', async ({ expect }) => {
    verifies('AGT-25');
    await using box = await sandbox();
    const env = await programs(box, {
      'wl-paste': 'echo "No selection" >&2; exit 1',
      xclip: `printf '\\211PNG\\r\\n\\032\\n'; head -c 4000000 /dev/zero`,
    });
    await using screen = await chatOn(box, undefined, { env: { ...env, WAYLAND_DISPLAY: 'w' } });
    await screen.shows(/Ask for something/u);
    screen.press('ctrl+v');
    await screen.shows('the picture in the clipboard is larger than 3.5 MB');
    await programs(box, { xclip: 'echo words' });
    screen.press('ctrl+v');
    await screen.shows('there is no picture in the clipboard');
    screen.press('ctrl+d');
    expect((await screen.ended).code).toBe(0);
  });

  it('is read by AppleScript on a Mac, and a missing program is reported', async ({ expect }) => {
    verifies('AGT-25');
    await using box = await sandbox();
    const hex = Buffer.from(PNG, 'base64').toString('hex').toUpperCase();
    const env = await programs(box, {
      osascript: `[ "$2" = "get the clipboard as «class PNGf»" ] || exit 2
echo "«data PNGf${hex}»"`,
    });
    const place = { env: { ...env }, home: box.home };
    expect(await clipboardPicture({ ...place, platform: 'darwin' })).toEqual({
      ok: true,
      value: { mediaType: 'image/png', data: PNG },
    });
    const nothing = { env: { PATH: `${box.home}/nothing` }, home: box.home };
    expect(await clipboardPicture({ ...nothing, platform: 'linux' })).toEqual({
      ok: false,
      error: {
        level: 'warning',
        text: 'there is no program here that reads pictures from the clipboard',
        fix: 'install wl-clipboard (Wayland) or xclip (X11), or name a file with @',
      },
    });
  });
});
