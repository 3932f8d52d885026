// The door of `server`: serves a codebase over MCP, in process, over stdio and over HTTP.

export {
  type Codebase,
  type CodebaseOptions,
  type ConnectableCodebase,
  createCodebase,
  type StdioEntrance,
} from './codebase.ts';
export type { CodebaseSettings } from './open-parts.ts';
export { parseHosts, parseRoots } from './root-settings.ts';
export type { HttpAddress, HttpEntrance } from './http/http-entrance.ts';
