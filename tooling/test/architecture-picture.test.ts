// Compares the picture of the rooms in docs with rooms.json.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { architecturePicture } from '../../scripts/pictures/architecture.ts';
import { repositoryRoot } from '../source/files.ts';
import { rooms } from '../source/rooms.ts';

describe('the picture of the rooms', () => {
  it('matches rooms.json; fix: npm run pictures', () => {
    const path = join(repositoryRoot, 'docs/pictures/architecture.svg');
    expect(readFileSync(path, 'utf8')).toBe(architecturePicture(rooms));
  });

  it('shows every package but the testkit', () => {
    const svg = architecturePicture(rooms);
    const names = Object.values(rooms.packages).map(({ name }) => name);
    const missing = names.filter((name) => !svg.includes(`>${name}</text>`));
    expect(missing).toEqual(['@plugboard/testkit']);
  });

  it('shows no room above one that imports it', () => {
    const upside = {
      base: { name: 'base' },
      cli: { name: 'cli', rooms: { low: [], high: ['low'] } },
    };
    const svg = architecturePicture({ packages: upside });
    const yOf = (room: string): number =>
      Number(new RegExp(`y="([\\d.]+)" text-anchor="middle">${room}<`, 'u').exec(svg)?.[1]);
    expect(yOf('high')).toBeLessThan(yOf('low'));
  });
});
