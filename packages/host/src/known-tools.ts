// The tools that are known from earlier runs, as an entrance of its own: a program that only shows
// them need not load what talks to servers.

export { type HostTool, type KnownTools, knownTools } from './catalog/index.ts';
