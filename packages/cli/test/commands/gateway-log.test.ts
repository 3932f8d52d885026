import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { ManualClock, tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { gatewayLog } from '../../src/commands/serve-http.ts';

describe('the log of a gateway in the background', () => {
  verifies('GWY-03');

  it('contains the same message once a minute, with its count', async () => {
    await using folder = await tempFolder();
    const { path } = folder;
    const clock = new ManualClock();
    const lines: string[] = [];
    const write = (text: string): void => void lines.push(text);
    const paths = { home: path, config: path, state: path, cache: path };
    const log = gatewayLog({ terminal: { err: { write } } }, { paths }, clock);
    for (let call = 0; call < 3; call += 1) log.log('warn', 'kept back', { server: 'one' });
    log.log('warn', 'kept back', { server: 'two' });
    await clock.advance(60_000);
    log.log('warn', 'kept back', { server: 'one' });
    expect(lines.map((line) => line.replace(/^\S+ /, ''))).toEqual([
      'warn kept back server="one"\n',
      'warn kept back server="two"\n',
      'warn kept back server="one" count=3\n',
    ]);
  });

  it('starts a new line after one that a full disk cut off', async () => {
    await using folder = await tempFolder();
    const { path } = folder;
    await folder.write('gateway/log', 'whole\ncut o');
    const write = (text: string): void => appendFileSync(join(path, 'gateway/log'), text);
    const paths = { home: path, config: path, state: path, cache: path };
    const log = gatewayLog({ terminal: { err: { write } } }, { paths }, new ManualClock());
    log.log('warn', 'one');
    log.log('warn', 'two');
    expect((await folder.read('gateway/log')).replaceAll(/^\S+Z /gm, '')).toBe(
      'whole\ncut o\nwarn one\nwarn two\n',
    );
  });
});
