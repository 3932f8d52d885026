import { silentLogger } from '@plugboard/base';
import { ManualClock } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { HotReload, type LoadedConfiguration } from '../../src/host/hot-reload.ts';

const FILE = '/home/me/.config/plugboard/settings.json';

/** The parts of a read configuration that hot reload uses. */
function loaded(state: 'read' | 'invalid', code = ''): LoadedConfiguration {
  const diagnostics = code === '' ? [] : [{ code, file: FILE }];
  const files = [{ path: FILE, state, scope: 'user' }];
  const configuration = { files, diagnostics, watched: [] };
  return { configuration, servers: [], calls: {} } as unknown as LoadedConfiguration;
}

function following(clock: ManualClock, next: () => LoadedConfiguration) {
  const heard: string[] = [];
  const reload = new HotReload(loaded('read'), {
    load: () => Promise.resolve(next()),
    carry: ({ before, now, keeps }) => Promise.resolve(keeps === 'all' ? before : now),
    watch: 'none',
    onLoaded: () => void heard.push('loaded'),
    onKept: () => void heard.push('kept'),
    clock,
    logger: silentLogger,
  });
  return { reload, heard };
}

describe('a configuration that is followed', () => {
  it('is read again by itself if a file could not be opened', async () => {
    const clock = new ManualClock();
    let now = loaded('invalid', 'file-unreadable');
    const { reload, heard } = following(clock, () => now);
    await reload.again();
    await clock.advance(5000);
    // Reported once, however often it is retried.
    expect([...heard]).toEqual(['kept', 'loaded', 'loaded']);
    now = loaded('read');
    await clock.advance(5000);
    expect([heard.length, clock.pending]).toEqual([4, 0]);
    await reload[Symbol.asyncDispose]();
  });

  it('is not read again by itself if it is broken, since a fix changes the file', async () => {
    const clock = new ManualClock();
    const { reload, heard } = following(clock, () => loaded('invalid', 'json-invalid'));
    await reload.again();
    expect([heard, clock.pending]).toEqual([['kept', 'loaded'], 0]);
    await reload[Symbol.asyncDispose]();
  });

  it('is not read again once the host is closed', async () => {
    const clock = new ManualClock();
    const { reload } = following(clock, () => loaded('invalid', 'file-unreadable'));
    await reload.again();
    await reload[Symbol.asyncDispose]();
    expect(clock.pending).toBe(0);
  });
});
