export { type ConnectStep, connectSteps, type TakenStep } from './connect-steps.ts';
export {
  allowAll,
  type Approval,
  type ApprovalRequest,
  type Approver,
  type CallScript,
  denyAll,
  type ReadApprover,
  type ReadRequest,
  type Remember,
} from './approver.ts';
export type { ArgumentIssue } from './argument-issue.ts';
export type { CompleteOutcome } from './completion.ts';
export type { CallOutcome, Denial, NeededRule, ToolOutcome, Unavailable } from './call-outcome.ts';
export type { ToolReference } from '../catalog/index.ts';
export {
  type AuthorizationOptions,
  configurationOf,
  createHost,
  type HostOptions,
} from './create-host.ts';
export type { Host } from './host.ts';
export type { ListedByServer, PrimitiveList } from './primitives.ts';
export { isCacheable } from './reading-methods.ts';
export type { HostRelay, RelayObserver, RelayOptions, RelayResult } from './relay.ts';
export type { RelayClient, RelayedRequest } from './relay-sessions.ts';
export { decisionReason } from './decision-reason.ts';
export type { HookNote } from './hooks.ts';
export type {
  CallSettings,
  ConfigurationChange,
  HostEvent,
  ToolsOptions,
  ToolsReport,
} from './host-surface.ts';
export type {
  ImportOptions,
  ImportOutcome,
  LoginOptions,
  LoginOutcome,
  LogoutOptions,
  LogoutOutcome,
  NoLogin,
} from './sign-in-desk.ts';
export { failureText, shortageOf } from './failure-text.ts';
export { issuesText, requestText, takesWords, toModelText } from './model-text.ts';
export type { HookFailure } from './hook-run.ts';
export type { NotifyOutcome } from './notify.ts';
export type { HostConversation } from './host-conversation.ts';
export type { ListOrigin } from './host-surface.ts';
export type { ProgramServer, RefusedServer, ServersOutcome } from './program-servers.ts';
export type { ServerState, ServerStatus, ServerTransport } from './server-status.ts';
export type { ListOptions, ListProblems } from './list-servers.ts';
export type { Located } from './located.ts';
export type {
  HostPrompt,
  HostPromptMessage,
  PromptCompletion,
  PromptOutcome,
  PromptReference,
  Prompts,
  PromptsReport,
} from './prompts.ts';
export type { DeniedReading } from './call-permission.ts';
export type {
  HostResource,
  HostTemplate,
  ReadOutcome,
  Resources,
  ResourcesReport,
  SubscribeOutcome,
  TemplateCompletion,
  TemplatesReport,
} from './resources.ts';
export type {
  HostSkill,
  SkillOutcome,
  SkillReadOutcome,
  SkillReference,
  Skills,
  SkillsReport,
} from './skills.ts';
export type { ResourceReference } from './subscriptions.ts';
export type { Unanswered } from './unanswered.ts';
export { readSignIns, type SignInState, type SignInStatus } from './sign-ins.ts';
