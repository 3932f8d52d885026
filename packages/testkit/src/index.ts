export {
  type AccessToken,
  type AuthorizationServer,
  type AuthorizationServerOptions,
  type ClientAuthentication,
  type ClientDocument,
  createSigner,
  type DiscoveryPlace,
  type Endpoint,
  type Fault,
  type Grant,
  GRANT_TYPES,
  HOSTILE_ADDRESSES,
  type KnownClient,
  type LoggedRequest,
  type MetadataPlace,
  type Misbehaviour,
  type ProtectedServer,
  type ProtectedServerMisbehaviour,
  type ProtectedServerOptions,
  readJwt,
  type RefreshToken,
  type RequestFilter,
  type RequiredScopes,
  type ResourceMetadata,
  resourceMetadataOf,
  type Secret,
  type SecretKind,
  type Signer,
  startAuthorizationServer,
  startProtectedServer,
  type TokenMisbehaviour,
  type TrustedIssuer,
} from './authorization-server/index.ts';
export { type BrowserTab, missingBrowser, startBrowser, type TestBrowser } from './browser.ts';
export { type ConnectProxy, startConnectProxy } from './connect-proxy.ts';
export { freePort } from './free-port.ts';
export {
  inProcessServer,
  serveInProcess,
  type TextTool,
  textToolServer,
} from './in-process-server.ts';
export { checkLeaks, type Leak, type LeakCheck } from './leak-check.ts';
export { isLong, times } from './long-form.ts';
export { ManualClock } from './manual-clock.ts';
export { isMissing } from './missing-program.ts';
export { overTime } from './over-time.ts';
export { processorMs } from './processor-time.ts';
export { allProcesses, descendants, isAlive, type ProcessInfo, processTree } from './processes.ts';
export {
  KEYS,
  type PseudoTerminal,
  type PseudoTerminalExit,
  type PseudoTerminalStart,
  type PseudoTerminalWait,
  startOnTerminal,
  TerminalText,
} from './pseudo-terminal.ts';
export { type QdrantCluster, type QdrantNode, startQdrantCluster } from './qdrant-cluster.ts';
export {
  context7,
  dbhub,
  everything,
  filesystem,
  git,
  github,
  type HttpPeerProcess,
  memory,
  playwright,
  startContext7Http,
  startDbhubHttp,
  startEverythingHttp,
  startEverythingSse,
  startPlaywright,
} from './real-servers.ts';
export {
  type RecordedRequest,
  type ScriptedHttpServer,
  startScriptedHttp,
} from './scripted-http-server.ts';
export {
  type LiveTurn,
  type ModelRequestSeen,
  type ScriptedModel,
  startScriptedModel,
} from './scripted-model/model-server.ts';
export { startScriptedModelProcess } from './scripted-model.ts';
export type {
  AnswerTurn,
  ModelScript,
  ModelStep,
  ModelTurn,
  ScriptedCall,
  ScriptedFailure,
  ScriptedUsage,
} from './scripted-model/script.ts';
export { visibleTools } from './scripted-model/tool-loading.ts';
export type { WireName } from './scripted-model/wire.ts';
export type {
  CommonScript,
  Crash,
  Era,
  HttpFaults,
  HttpScript,
  Library,
  Pages,
  Script,
  ScriptedTool,
} from './scripted-server/script.ts';
export { scriptedServer } from './scripted-server.ts';
export { type ScriptedSseServer, type SseScript, startScriptedSse } from './scripted-sse-server.ts';
export { type ScriptedWsServer, startScriptedWs, type WsScript } from './scripted-ws-server.ts';
export {
  missingForSecretService,
  type SecretService,
  startSecretService,
} from './secret-service.ts';
export {
  filesUnder,
  type FoundSecret,
  type Places,
  searchForSecrets,
  type SoughtSecret,
} from './secret-search.ts';
export { atSomePace } from './some-pace.ts';
export type { StdioEntry } from './stdio-entry.ts';
export { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';
export type { ProxyAnswer } from './tcp-proxy/proxy-answer.ts';
export { type TempFolder, tempFolder } from './temp-folder.ts';
export { type PictureOptions, toSvg } from './terminal-picture.ts';
export {
  type CellColour,
  type ScreenCell,
  type ScreenProgram,
  type ScreenWait,
  TerminalScreen,
  type TerminalScreenStart,
} from './terminal-screen.ts';
export { verifies } from './verifies.ts';
export { TEST_MS, WAIT_MS } from './bounds.ts';
export { type WaitOptions, waitUntil } from './wait-until.ts';
export { readTap, tapped } from './wire-tap.ts';
export type { TapFrame } from './wire-tap/tap-frame.ts';
export { type ZipEntry, zipOf } from './zip.ts';
