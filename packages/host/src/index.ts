export {
  type Browser,
  type BrowserProblem,
  type BrowserVisit,
  type BrowserWish,
  type CredentialStore,
  memoryCredentials,
} from './auth/index.ts';
export type { HostTool } from './catalog/index.ts';
export type { ConfiguredServer, Diagnostic, Origin, Scope } from './config/index.ts';
export type { ConnectionFailure, HelperFault, NextStep, SecretReader } from './connection/index.ts';
export {
  allowAll,
  type Approval,
  type ApprovalRequest,
  type Approver,
  type ArgumentIssue,
  type AuthorizationOptions,
  type CallOutcome,
  type CallSettings,
  type ConfigurationChange,
  createHost,
  denyAll,
  type Host,
  type HostEvent,
  type HostOptions,
  type ListOrigin,
  type LoginOutcome,
  type LogoutOutcome,
  type NoLogin,
  type ServerState,
  type ServerStatus,
  type ServerTransport,
  type ToolReference,
  type ToolsOptions,
  type ToolsReport,
  type Unavailable,
} from './host/index.ts';
export { type Part, toText } from './output/index.ts';
export type {
  Answer,
  AuthorizationProblem,
  FrameRecord,
  InProcessServer,
  ProcessEvidence,
  Progress,
  ProtocolFailure,
  Question,
  ServerIdentity,
  ServerLog,
  ToolAnnotations,
} from './protocol/index.ts';
