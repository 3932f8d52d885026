import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { toSvg } from '../src/terminal-picture.ts';
import { TerminalScreen } from '../src/terminal-screen.ts';

function shell(script: string, size: { readonly columns?: number; readonly rows?: number } = {}) {
  const env = { PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color' };
  return TerminalScreen.start({ command: 'sh', args: ['-c', script], cwd: tmpdir(), env, ...size });
}

describe('a terminal screen', () => {
  it('shows what a person would see, not everything that was written', async () => {
    await using screen = await shell(
      String.raw`printf 'gone\033[2J\033[2;3Hhere  \n\n'; read line`,
    );
    expect(await screen.shows('here')).toBe('\n  here');
    expect(screen.cursor()).toEqual({ row: 3, column: 0 });
  });

  it('accepts typing, and reports the end', async () => {
    await using screen = await shell('stty -echo; echo ready; read line; echo "got $line"; exit 3');
    await screen.shows('ready');
    screen.type('hello');
    screen.press('enter');
    expect(await screen.ended).toEqual({ code: 3, signal: undefined });
    expect(screen.text()).toBe('ready\ngot hello');
    await expect(screen.shows('more')).rejects.toMatchObject({
      code: 'not-on-screen',
      message: expect.stringContaining('the program ended before "more" appears') as unknown,
    });
  });

  it('sends keys by their names, in the mode that the program requested', async () => {
    const script = String.raw`stty raw -echo; printf '\033[?1h\033[?2004hready\r\n'; dd bs=1 count=28 2>/dev/null | od -An -c -w28; stty sane`;
    await using screen = await shell(script, { columns: 130 });
    await screen.shows('ready');
    screen.press('up');
    screen.press('ctrl+c');
    screen.press('alt+x');
    screen.press('escape');
    screen.press('shift+tab');
    screen.press('backspace');
    screen.paste('pasted');
    await screen.ended;
    expect(screen.text().replaceAll(/ +/g, ' ')).toContain(
      String.raw`033 O A 003 033 x 033 033 [ Z 177 033 [ 2 0 0 ~ p a s t e d 033 [ 2 0`,
    );
    expect(() => screen.press('no-such-key')).toThrow(RangeError);
  });

  it('answers terminal queries of programs', async () => {
    const script = String.raw`stty raw -echo; printf '\033[6n'; dd bs=1 count=6 2>/dev/null | od -An -c; stty sane`;
    await using screen = await shell(script);
    await screen.ended;
    expect(screen.text().replaceAll(/ +/g, ' ')).toContain('033 [ 1 ; 1 R');
  });

  it('changes its size, and keeps the scrolled-out lines', async () => {
    const script = "trap 'stty size' WINCH; seq 10; echo ready; while :; do read line; done";
    await using screen = await shell(script, { columns: 20, rows: 4 });
    await screen.shows('ready');
    expect(screen.text()).toBe('9\n10\nready');
    expect(screen.everything()).toBe('1\n2\n3\n4\n5\n6\n7\n8\n9\n10\nready');
    screen.resize(30, 6);
    screen.press('enter');
    await screen.shows('6 30');
    expect(screen.cells().map((row) => row.length)).toEqual([30, 30, 30, 30, 30, 30]);
  });

  it('has the style of every cell', async () => {
    const script = String.raw`printf '\033[1;31mA\033[0;2;48;5;208mB\033[0;7mC\033[0;4;38;2;1;2;3mD\033[0m漢'; read line`;
    await using screen = await shell(script, { columns: 8, rows: 2 });
    await screen.shows('漢');
    const plain = {
      width: 1,
      foreground: undefined,
      background: undefined,
      isBold: false,
      isDim: false,
      isItalic: false,
      isUnderlined: false,
      isStruck: false,
      isInverse: false,
    };
    expect(screen.cells()[0]).toEqual([
      { ...plain, text: 'A', foreground: 1, isBold: true },
      { ...plain, text: 'B', background: 208, isDim: true },
      { ...plain, text: 'C', isInverse: true },
      { ...plain, text: 'D', foreground: '#010203', isUnderlined: true },
      { ...plain, text: '漢', width: 2 },
      { ...plain, text: '', width: 0 },
      { ...plain, text: '' },
      { ...plain, text: '' },
    ]);
  });
});

describe('a picture of a terminal', () => {
  it('has a window, colours, weights, and frames as lines', async () => {
    const script = String.raw`printf '╭─╮ \033[1;32m<a & b>\033[0m\r\n\033[7mx\033[0m'; read line`;
    await using screen = await shell(script, { columns: 12, rows: 2 });
    await screen.shows('x');
    const svg = toSvg(screen.cells(), { title: 'plugboard "chat"' });
    expect(svg.split('\n')).toEqual([
      '<svg xmlns="http://www.w3.org/2000/svg" width="128.8" height="98" viewBox="0 0 128.8 98" role="img" aria-label="plugboard &quot;chat&quot;">',
      '<rect width="128.8" height="98" rx="9" fill="#16181d"/>',
      '<circle cx="20" cy="17" r="6" fill="#ff5f57"/>',
      '<circle cx="40" cy="17" r="6" fill="#febc2e"/>',
      '<circle cx="60" cy="17" r="6" fill="#28c840"/>',
      '<text x="64.4" y="21" text-anchor="middle" font-family="system-ui, sans-serif" font-size="13" fill="#8b919d">plugboard &quot;chat&quot;</text>',
      `<g font-family="ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" xml:space="preserve">`,
      '<path d="M18.2 66Q18.2 57 22.4 57" fill="none" stroke="#d7dae0"/>',
      '<path d="M26.6 57L22.4 57M26.6 57L30.8 57" fill="none" stroke="#d7dae0"/>',
      '<path d="M35 66Q35 57 30.8 57" fill="none" stroke="#d7dae0"/>',
      '<text x="47.6" y="61.5" textLength="58.8" lengthAdjust="spacingAndGlyphs" fill="#8fc379" font-weight="700">&lt;a &amp; b&gt;</text>',
      '<rect x="14" y="66" width="8.4" height="18" fill="#d7dae0"/>',
      '<text x="14" y="79.5" textLength="8.4" lengthAdjust="spacingAndGlyphs" fill="#16181d">x</text>',
      '</g>',
      '</svg>',
      '',
    ]);
  });
});
