// A file is called after what it is about, and so is its folder. Whoever named them has summed them up.

import type { Boost } from './rule.ts';

export const fileName: Boost = ({ subjects, fit }) => subjects.map(({ path }) => fit(path.name));

export const folderName: Boost = ({ subjects, fit }) =>
  subjects.map(({ path }) => fit(path.folder));
