// The shape of the setting `hooks`: commands that run before and after calls.

import {
  exactFields,
  listOf,
  milliseconds,
  notBlank,
  notEmpty,
  type ShapeValue,
  text,
} from '../text/index.ts';
import { toolPattern } from './permission-shape.ts';

export const hookShape = exactFields({
  tool: toolPattern,
  server: notBlank,
  command: listOf(text(), { words: 'must be a list of texts that is not empty', least: 1 }),
  shell: notBlank,
  cwd: notEmpty,
  timeout: milliseconds,
});

const hooks = listOf(hookShape, { words: 'must be a list of hooks' });

export const hookSettingsShape = exactFields({
  beforeCall: hooks,
  afterCall: hooks,
  elicitationResult: hooks,
});

export type WrittenHooks = ShapeValue<typeof hookSettingsShape>;
