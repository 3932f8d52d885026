import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { COLOURS, paint, themeFor } from '../../src/tui/view/theme.ts';

function theme(env: Record<string, string>, platform = 'linux'): ReturnType<typeof themeFor> {
  return themeFor({ hasColour: true, env, platform });
}

describe('the theme', () => {
  it('has as many colours as the terminal, none with NO_COLOR, and no sequences on a dumb terminal', () => {
    const depths = [
      { TERM: 'xterm' },
      { TERM: 'xterm-256color' },
      { TERM: 'xterm', COLORTERM: 'truecolor' },
      { TERM: 'xterm-256color', NO_COLOR: '1' },
      { TERM: 'dumb' },
    ].map((env) => theme(env).depth);
    expect(depths).toEqual(['16', '256', '256', 'mono', 'none']);
    expect(themeFor({ hasColour: false, env: {}, platform: 'linux' }).depth).toBe('none');
  });

  it('draws with ASCII if the locale is not UTF-8', () => {
    const prompts = [
      theme({ LANG: 'en_US.UTF-8' }),
      theme({ LANG: 'en_US.UTF-8', LC_ALL: 'C' }),
      theme({}),
      theme({}, 'darwin'),
      theme({ LANG: 'en_US.UTF-8', TERM: 'linux' }),
    ].map(({ symbols }) => symbols.prompt);
    expect(prompts).toEqual(['❯', '>', '>', '❯', '>']);
  });

  it('makes links only in terminals that are known to support them', () => {
    const links = [
      { TERM_PROGRAM: 'iTerm.app' },
      { VTE_VERSION: '6003' },
      { TERM: 'xterm-256color' },
      { TERM_PROGRAM: 'iTerm.app', TMUX: '/tmp/x' },
    ].map((env) => theme(env as Record<string, string>).hasLinks);
    expect(links).toEqual([true, true, false, false]);
  });

  it('keeps bold text without colour, and emits no sequence for an empty style', () => {
    const style = { role: 'bad', isBold: true } as const;
    expect(paint(theme({ TERM: 'xterm' }), style, 'x')).toBe('\u001B[1;31mx\u001B[0m');
    expect(paint(theme({ TERM: 'xterm', NO_COLOR: '1' }), style, 'x')).toBe('\u001B[1mx\u001B[0m');
    expect(paint(theme({ TERM: 'dumb' }), style, 'x')).toBe('x');
    expect(paint(theme({ TERM: 'xterm' }), {}, 'x')).toBe('x');
  });

  it('has colours that are readable on black and on white', () => {
    const weak = Object.entries(COLOURS.any).filter(([, colour]) => {
      const light = luminance(colour);
      return (light + 0.05) / 0.05 < 3.5 || 1.05 / (light + 0.05) < 3.5;
    });
    expect(weak).toEqual([]);
  });
});

describe('a theme for one background', () => {
  it('has colours of high contrast on it', () => {
    verifies('AGT-16');
    const onBlack = Object.values(COLOURS.dark).map((one) => (luminance(one) + 0.05) / 0.05);
    const onWhite = Object.values(COLOURS.light).map((one) => 1.05 / (luminance(one) + 0.05));
    expect([Math.min(...onBlack) >= 6, Math.min(...onWhite) >= 6]).toEqual([true, true]);
  });

  it('uses the colours of the terminal if its name is `terminal`', () => {
    const env = { TERM: 'xterm-256color' };
    const named = themeFor({ hasColour: true, env, platform: 'linux' }, 'terminal');
    expect(paint(named, { role: 'bad' }, 'x')).toBe('\u001B[31mx\u001B[0m');
  });
});

/** The relative luminance by WCAG, of one of the 256 colours above the first sixteen. */
function luminance(colour: number): number {
  const levels = [0, 95, 135, 175, 215, 255];
  const cube = colour - 16;
  const grey = 8 + (colour - 232) * 10;
  const channels =
    colour >= 232
      ? [grey, grey, grey]
      : [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((step) => levels[step]!);
  const [red, green, blue] = channels.map((channel) => {
    const part = channel / 255;
    return part <= 0.039_28 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
