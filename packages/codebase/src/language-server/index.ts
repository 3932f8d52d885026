export { type LanguageServerSettings, parseLanguageServers } from './language-server-settings.ts';
export { type FoundPlace, LanguageServers } from './language-servers.ts';
