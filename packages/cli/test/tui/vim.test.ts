import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { compose, type Composer, editorWith, newComposer } from '../../src/tui/input/index.ts';
import { type Key, press } from '../../src/tui/keys/index.ts';

const ESCAPE = '␛';

/** `|` marks the cursor: the character after it. */
function composerAt(marked: string, mode: 'insert' | 'normal'): Composer {
  const composer = newComposer(['sent before'], 'vim');
  const { vim } = composer;
  if (vim === undefined) throw new Error('the keys of vi are not on');
  const cursor = marked.indexOf('|');
  const editor = { ...editorWith(marked.replace('|', '')), cursor };
  return { ...composer, editor, vim: { ...vim, mode } };
}

function keyOf(character: string): Key {
  return character === ESCAPE ? press('escape') : { kind: 'text', text: character };
}

function typed(composer: Composer, keys: string): Composer {
  return [...keys].reduce((now, character) => {
    const composed = compose(now, keyOf(character), 80);
    return composed.kind === 'changed' ? composed.composer : now;
  }, composer);
}

function shown({ editor: { text, cursor }, vim }: Composer): string {
  const pending = vim?.pending === '' ? '' : ` ${vim?.pending}`;
  return `${text.slice(0, cursor)}|${text.slice(cursor)} ${vim?.mode}${pending}`;
}

const N = 'normal';
const I = 'insert';

/** The text before, the keys, and the text after. */
const MOVES: readonly (readonly [string, string, string])[] = [
  ['one |two', 'h', `one| two ${N}`],
  ['|one', 'l', `o|ne ${N}`],
  ['on|e', 'l', `on|e ${N}`],
  ['|one two', '3l', `one| two ${N}`],
  ['|one, two', 'w', `one|, two ${N}`],
  ['|one, two', 'W', `one, |two ${N}`],
  ['|one two three', '2w', `one two |three ${N}`],
  ['one t|wo', 'b', `one |two ${N}`],
  ['one |two', 'b', `|one two ${N}`],
  ['|one two', 'e', `on|e two ${N}`],
  ['on|e two', 'e', `one tw|o ${N}`],
  ['  on|e', '0', `|  one ${N}`],
  ['  on|e', '^', `  |one ${N}`],
  ['|one\ntwo', '$', `on|e\ntwo ${N}`],
  ['|one two', 'fw', `one t|wo ${N}`],
  ['|one two', 'tw', `one |two ${N}`],
  ['one two f|f', 'Fo', `one tw|o ff ${N}`],
  ['|a b a b', 'fb;', `a b a |b ${N}`],
  ['|a b a b', '2fb,', `a |b a b ${N}`],
  ['|a ab ab', 'tb;', `a ab |ab ${N}`],
  ['|one', 'fx', `|one ${N}`],
  ['one\nt|wo\nthree', 'gg', `|one\ntwo\nthree ${N}`],
  ['o|ne\ntwo\n  three', 'G', `one\ntwo\n  |three ${N}`],
  ['|one\ntwo\nthree', '2G', `one\n|two\nthree ${N}`],
  ['o|ne\ntwo', 'j', `one\nt|wo ${N}`],
  ['one\nt|wo', 'k', `o|ne\ntwo ${N}`],
];

const EDITS: readonly (readonly [string, string, string])[] = [
  ['on|e', 'ix', `onx|e ${I}`],
  ['on|e', 'ax', `onex| ${I}`],
  ['  on|e', 'Ix', `  x|one ${I}`],
  ['|one', 'Ax', `onex| ${I}`],
  ['o|ne\ntwo', 'ox', `one\nx|\ntwo ${I}`],
  ['one\nt|wo', 'Ox', `one\nx|\ntwo ${I}`],
  ['o|ne', 'x', `o|e ${N}`],
  ['o|ne', '5x', `|o ${N}`],
  ['|one two', 'dw', `|two ${N}`],
  ['one |two\nthree', 'dw', `one| \nthree ${N}`],
  ['|one two three', '2dw', `|three ${N}`],
  ['|one two three', 'd2w', `|three ${N}`],
  ['one |two', 'd$', `one|  ${N}`],
  ['one |two', 'D', `one|  ${N}`],
  ['one |two', 'Cx', `one x| ${I}`],
  ['one\nt|wo\nthree', 'dd', `one\n|three ${N}`],
  ['one\nt|wo', 'dd', `|one ${N}`],
  ['o|ne', 'dd', `| ${N}`],
  ['|one\ntwo\nthree', '2dd', `|three ${N}`],
  ['|one\ntwo\nthree', 'dj', `|three ${N}`],
  ['o|ne\ntwo', 'ccx', `x|\ntwo ${I}`],
  ['|one two', 'cwx', `x| two ${I}`],
  ['|a b', 'cwx', `x| b ${I}`],
  ['|one two', 'cex', `x| two ${I}`],
  ['one |two', 'dtw', `one |wo ${N}`],
  ['one |two', 'dfo', `one|  ${N}`],
  ['o|ne', 'rx', `o|xe ${N}`],
  ['|one', '2rx', `x|xe ${N}`],
  ['|one', '9rx', `|one ${N}`],
  ['|one two', 'dwu', `|one two ${N}`],
  ['|one two', 'xxu', `|ne two ${N}`],
  ['|one two', 'yw$p', `one twoone|  ${N}`],
  ['|one', 'yl3p', `ooo|one ${N}`],
  ['|one\ntwo', 'yyjp', `one\ntwo\n|one ${N}`],
  ['one\n|two', 'yyP', `one\n|two\ntwo ${N}`],
  ['|one\ntwo', 'ddp', `two\n|one ${N}`],
  ['|one', 'p', `|one ${N}`],
  ['|one', 'z', `|one ${N}`],
  ['|one', '2d', `|one ${N} 2d`],
  ['|one', `2d${ESCAPE}x`, `|ne ${N}`],
];

describe('the keys of vi', () => {
  it.each(MOVES)('move in %j by %j to %j', (marked, keys, after) => {
    verifies('AGT-26');
    expect(shown(typed(composerAt(marked, 'normal'), keys))).toBe(after);
  });

  it.each(EDITS)('edit %j by %j to %j', (marked, keys, after) => {
    verifies('AGT-26');
    expect(shown(typed(composerAt(marked, 'normal'), keys))).toBe(after);
  });

  it('insert text until Escape, which steps onto the last character', () => {
    verifies('AGT-26');
    expect(shown(typed(composerAt('one| two', 'insert'), `s jk${ESCAPE}`))).toBe(
      `ones j|k two ${N}`,
    );
  });

  it('are handled one by one if they arrive together', () => {
    verifies('AGT-26');
    const composed = compose(composerAt('|one two', 'normal'), { kind: 'text', text: 'dwix' }, 80);
    expect(composed.kind === 'changed' && shown(composed.composer)).toBe(`x|two ${I}`);
  });

  it('leave Enter and the history unchanged, and start in insert mode', () => {
    verifies('AGT-26');
    const sent = compose(composerAt('|one', 'normal'), press('enter'), 80);
    expect(sent).toMatchObject({
      kind: 'submit',
      text: 'one',
      composer: { vim: { mode: 'insert' } },
    });
    expect(shown(typed(composerAt('|one', 'normal'), 'k'))).toContain('sent before');
  });

  it('treat a label as one character', () => {
    verifies('AGT-26');
    const at = composerAt('|[picture 1] is', 'normal');
    const label = '[picture 1]';
    const withChip = { ...at, editor: { ...at.editor, chips: [{ label, text: label }] } };
    expect(shown(typed(withChip, 'x'))).toBe(`| is ${N}`);
    expect(shown(typed(withChip, 'dw'))).not.toContain('picture');
  });

  it('never leave the cursor outside the text, whatever is typed', () => {
    verifies('AGT-26');
    const keys = 'hjklwbeWBE0^$iaIAoOxXDCsSruUpPydcfFtTgG;,12 é\n';
    let seed = 7;
    let composer = composerAt('one two\n\n  thrée [x]\nlast|', 'normal');
    for (let count = 0; count < 3000; count += 1) {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      const key = seed % 11 === 0 ? ESCAPE : (keys[seed % keys.length] ?? 'h');
      composer = typed(composer, key === '\n' ? 'o' : key);
      const { text, cursor } = composer.editor;
      expect(cursor >= 0 && cursor <= text.length).toBe(true);
      if (text.length > 400) composer = composerAt('one two\n|three', 'normal');
    }
  });
});
