export type { Answer, Question } from './bundle/question.ts';
export type { ConfigureProblem, PluginSecrets } from './configure-plugin.ts';
export { pluginFiles, pluginFolders } from './locate-plugins.ts';
export {
  bundleQuestions,
  configurePlugin,
  installPlugin,
  removePlugin,
  stagePlugin,
} from './plugin-actions.ts';
export type { PluginServer } from './plugin-server.ts';
export type { PluginSource, ReadPlugin } from './plugin-source.ts';
export { pluginSources, readPlugins } from './plugin-sources.ts';
export type {
  InstalledPlugin,
  InstallProblem,
  StagedPlugin,
  StageProblem,
} from './stage-plugin.ts';
