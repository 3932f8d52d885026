// The door of `language-server`: asks the language servers that the user has named.

export { type LanguageServerSettings, parseLanguageServers } from './language-server-settings.ts';
export { type FoundPlace, LanguageServers } from './language-servers.ts';
