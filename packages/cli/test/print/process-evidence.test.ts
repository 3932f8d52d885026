import { describe, expect, it } from 'vitest';
import { missingVariable } from '../../src/print/process-evidence.ts';

describe('the missing variable of a server', () => {
  it.each([
    ['EVERART_API_KEY environment variable is not set', 'EVERART_API_KEY'],
    ['Error: Please set SLACK_BOT_TOKEN and SLACK_TEAM_ID: both are required', 'SLACK_BOT_TOKEN'],
    ['missing env: DB2_URL', 'DB2_URL'],
  ])('is the one that its output names: %s', (line, name) => {
    expect(missingVariable(['starting', line])).toBe(name);
  });

  it.each([
    "code: 'ERR_MODULE_NOT_FOUND', a module is missing",
    "Error: Cannot find module 'x', code: 'MODULE_NOT_FOUND', required by y",
    'EVERART_API_KEY is invalid',
    'the API key is not set',
    `${'A_'.repeat(60)}A is not set`,
  ])('is undefined if the output names none: %s', (line) => {
    expect(missingVariable([line])).toBeUndefined();
  });
});
