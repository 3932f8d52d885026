export { inProcessServer, serveInProcess } from './in-process-server.ts';
export { checkLeaks, type Leak, type LeakCheck } from './leak-check.ts';
export { ManualClock } from './manual-clock.ts';
export { allProcesses, descendants, isAlive, type ProcessInfo, processTree } from './processes.ts';
export {
  dbhub,
  everything,
  filesystem,
  type HttpPeerProcess,
  memory,
  startEverythingHttp,
} from './real-servers.ts';
export {
  type RecordedRequest,
  type ScriptedHttpServer,
  startScriptedHttp,
} from './scripted-http-server.ts';
export type {
  CommonScript,
  Crash,
  Era,
  HttpFaults,
  HttpScript,
  Pages,
  Script,
  ScriptedTool,
} from './scripted-server/script.ts';
export { scriptedServer } from './scripted-server.ts';
export type { StdioEntry } from './stdio-entry.ts';
export { type TempFolder, tempFolder } from './temp-folder.ts';
export { verifies } from './verifies.ts';
export { type WaitOptions, waitUntil } from './wait-until.ts';
export { readTap, tapped } from './wire-tap.ts';
export type { TapFrame } from './wire-tap/tap-frame.ts';
