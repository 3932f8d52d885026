// The built page, as a gateway serves it.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';

const BUNDLE = fileURLToPath(new URL('../bundle', import.meta.url));
const page = readFileSync(join(BUNDLE, 'index.html'), 'utf8');
const assets = readdirSync(join(BUNDLE, 'assets'));
const read = (name: string): string => readFileSync(join(BUNDLE, 'assets', name), 'utf8');

describe('the built page', () => {
  it('needs at most 150 kB, compressed, for its first view', () => {
    verifies('CON-UI');
    const named = assets.filter((name) => page.includes(name));
    const sizes = [page, ...named.map(read)].map((text) => gzipSync(text).length);
    expect(sizes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(150_000);
  });

  it('loads its first view with one script besides its entry', () => {
    verifies('CON-UI');
    const scripts = assets.filter((name) => name.endsWith('.js') && page.includes(name));
    expect(scripts.map((name) => name.replace(/-[\w-]{8}\.js$/, ''))).toEqual([
      'first-view',
      'index',
    ]);
    const imported = scripts.flatMap((name) =>
      [...read(name).matchAll(/(?:from|import)\s*["']\.\/([\w.-]+)["']/g)].map(([, at]) => at),
    );
    expect(imported.filter((name) => !page.includes(name ?? ''))).toEqual([]);
  });

  it('has no script or style in the document, and names no other origin in it', () => {
    verifies('CON-UI');
    expect(page).not.toMatch(/<style|<script(?![^>]*\ssrc=)|\sstyle=|\son\w+=|https?:/);
  });

  it('has a hash in the name of every file, so that browsers can cache it', () => {
    expect(assets.filter((name) => !/-[\w-]{8}\.(?:js|css|svg)$/.test(name))).toEqual([]);
  });

  it('includes the licences of its bundled dependencies', () => {
    const licences = readFileSync(join(BUNDLE, 'THIRD-PARTY-LICENSES.md'), 'utf8');
    expect(licences).toContain('preact');
    expect(licences).toContain('@preact/signals');
  });
});
