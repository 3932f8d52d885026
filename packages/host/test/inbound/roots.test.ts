import { describe, expect, it } from 'vitest';
import { Roots } from '../../src/inbound/roots.ts';
import type { RootFolder } from '../../src/inbound/index.ts';

function rootsOf(...folders: readonly RootFolder[]): Roots {
  return new Roots(folders, {
    cwd: '/work/here',
    onListenerError: (thrown) => {
      throw thrown;
    },
  });
}

describe('the roots of a host', () => {
  it('are file URLs, with all special characters encoded', () => {
    expect(rootsOf('/a b/ü%20#x?', 'sub', { path: '..', name: 'All of it' }, '/').list()).toEqual([
      { uri: 'file:///a%20b/%C3%BC%2520%23x%3F', name: 'ü%20#x?' },
      { uri: 'file:///work/here/sub', name: 'sub' },
      { uri: 'file:///work', name: 'All of it' },
      { uri: 'file:///', name: '/' },
    ]);
  });

  it('contain each folder once, in whatever spelling', () => {
    expect(rootsOf('/a', '/a/', '/b/../a').list()).toEqual([{ uri: 'file:///a', name: 'a' }]);
  });

  it('are reported as changed only when they differ', () => {
    const roots = rootsOf('/a');
    const heard: (readonly string[])[] = [];
    const watch = roots.watch(() => heard.push(roots.list().map(({ uri }) => uri)));
    roots.set(['/a']);
    roots.add('/a');
    roots.remove('/b');
    expect(heard).toEqual([]);
    roots.add('/b');
    roots.add({ path: '/b', name: 'other' });
    roots.remove('/a');
    roots.set(['/c', '/d']);
    watch[Symbol.dispose]();
    roots.set([]);
    expect(heard).toEqual([
      ['file:///a', 'file:///b'],
      ['file:///a', 'file:///b'],
      ['file:///b'],
      ['file:///c', 'file:///d'],
    ]);
    expect(roots.list()).toEqual([]);
  });
});
