export {
  allowAll,
  type Approval,
  type ApprovalRequest,
  type Approver,
  denyAll,
} from './approver.ts';
export type { ArgumentIssue } from './argument-issue.ts';
export type { CallOutcome, Unavailable } from './call-outcome.ts';
export type { ToolReference } from './call.ts';
export { type AuthorizationOptions, createHost, type HostOptions } from './create-host.ts';
export type { CallSettings, Host, ToolsOptions, ToolsReport } from './host.ts';
export type { ConfigurationChange, HostEvent } from './host-event.ts';
export type { LoginOptions, LoginOutcome, LogoutOptions, LogoutOutcome, NoLogin } from './login.ts';
export type { ListOrigin } from './offers.ts';
export type { ServerState, ServerStatus, ServerTransport } from './server-status.ts';
