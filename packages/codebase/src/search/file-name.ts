// Boosts files whose name or folder matches the question, since authors name them after their subject.

import type { Boost } from './rule.ts';

export const fileName: Boost = ({ subjects, fit }) => subjects.map(({ path }) => fit(path.name));

export const folderName: Boost = ({ subjects, fit }) =>
  subjects.map(({ path }) => fit(path.folder));
