// The actions on plugins. Each loads its code when it is called: most commands only read what is configured.

import type * as configuring from './configure-plugin.ts';
import type * as installing from './install-plugin.ts';
import type * as staging from './stage-plugin.ts';

/** Copies a plugin into a staging folder, to be shown and then installed or dropped. Dispose of it either way. */
export const stagePlugin: typeof staging.stagePlugin = async (options) =>
  (await import('./stage-plugin.ts')).stagePlugin(options);

export const installPlugin: typeof installing.installPlugin = async (options) =>
  (await import('./install-plugin.ts')).installPlugin(options);

export const bundleQuestions: typeof installing.bundleQuestions = async (options) =>
  (await import('./install-plugin.ts')).bundleQuestions(options);

export const configurePlugin: typeof configuring.configurePlugin = async (options) =>
  (await import('./configure-plugin.ts')).configurePlugin(options);

export const removePlugin: typeof installing.removePlugin = async (options) =>
  (await import('./install-plugin.ts')).removePlugin(options);
