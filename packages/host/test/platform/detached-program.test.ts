import { describe, expect, it } from 'vitest';
import { nodeProgram } from '../../src/platform/detached-program.ts';

describe('the program that runs JavaScript', () => {
  it('is the one that runs this process', () => {
    expect(nodeProgram()).toBe(process.execPath);
  });

  it.each(['/usr/bin/node', '/usr/bin/nodejs', '/opt/node20', '/opt/node-22.1'])(
    'is Node: %s',
    (path) => {
      expect(nodeProgram(path)).toBe(path);
    },
  );

  it.each([
    '/opt/Editor/editor',
    '/usr/bin/electron',
    '/usr/bin/bun',
    '/opt/node-red',
    '/opt/plugboard',
  ])('is undefined if Node is part of another program, which would start again: %s', (path) => {
    expect(nodeProgram(path)).toBeUndefined();
  });
});
