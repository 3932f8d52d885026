import { describe, expect, it } from 'vitest';
import { tellingLines } from '../src/telling-lines.ts';

const TRACE = ['at a', 'at b', 'at c', 'at d'];

describe('the lines that tell why a program failed', () => {
  it('are the last ones', () => {
    expect(tellingLines(['1', '2', '3'], 2)).toEqual(['2', '3']);
  });

  it('begin with the error above a stack trace that is longer', () => {
    const said = ['starting', 'Error: Cannot find module x', ...TRACE];
    expect(tellingLines(said, 4)).toEqual(['Error: Cannot find module x', '…', 'at c', 'at d']);
  });

  it('contain the error once if it is among the last ones', () => {
    const said = ['starting', 'TypeError: x', 'at a'];
    expect(tellingLines(said, 2)).toEqual(['TypeError: x', 'at a']);
  });
});
