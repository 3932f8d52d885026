export { ownNotification } from './own-notifications.ts';
export {
  askChallenge,
  type AuthorizationNetwork,
  authorizationNetwork,
  discoverAuthorization,
  discoverIdentityProvider,
  dpopKey,
  knownRefusal,
  type NetworkPorts,
} from './authorization-steps.ts';
export type {
  AnsweredRequest,
  AuthorizationPort,
  AuthorizationProblem,
  AuthorizationVerdict,
  AuthorizedRequest,
  Challenge,
  KnownRefusal,
  RemoteServer,
} from './neutral/authorization.ts';
export type {
  AuthorizationServer,
  DeviceCode,
  DpopKey,
  Fetch,
  OAuthClient,
  RegistrationRequest,
  Tokens,
} from './neutral/authorization-server.ts';
export {
  factsOf,
  isProtocolFailure,
  type ProcessEvidence,
  type ProtocolFailure,
  unexpectedFailure,
} from './neutral/failure.ts';
export type { Answer, Question, QuestionSignals } from './neutral/elicitation.ts';
export {
  type CompleteInboundPort,
  INBOUND_REQUESTS,
  type InboundGrants,
  type InboundPort,
  isAskable,
  neededCapability,
} from './neutral/inbound-requests.ts';
export type { InProcessServer } from './neutral/launch.ts';
export {
  httpUrl,
  type Launch,
  LAUNCH_TRANSPORTS,
  openingEra,
  type RemoteLaunch,
  type SharedServer,
} from './neutral/launch.ts';
export type {
  ContentBlock,
  Era,
  Freshness,
  Progress,
  RejectedItem,
  ServerIdentity,
  ToolAnnotations,
  ToolDefinition,
  ToolResult,
} from './neutral/model.ts';
export type {
  Completion,
  CompletionRequest,
  Page,
  Prompt,
  PromptArgument,
  Resource,
  ResourceTemplate,
  Skill,
  SkillFile,
  SkillMismatch,
  ResourceWatch,
} from './neutral/primitives.ts';
export type { Root, RootsPort } from './neutral/roots.ts';
export type {
  ModelWishes,
  SampledMessage,
  SamplingAnswer,
  SamplingContent,
  SamplingMessage,
  SamplingRequest,
} from './neutral/sampling.ts';
export { getText, type GetTextProblem, type TextAnswer } from './network/get-text.ts';
export {
  getPage,
  type GetPageOptions,
  type PageAnswer,
  type PageProblem,
} from './network/get-page.ts';
export { type FetchProblem, FetchRefused } from './network/fetch-refused.ts';
export { environmentNetwork, type Network } from './network/network.ts';
export { guardedFetch, type GuardedFetchOptions } from './network/guarded-fetch.ts';
export { isSameState } from './network/judge-redirect.ts';
export {
  type AwaitRedirectOptions,
  listenForRedirect,
  type ListenForRedirectOptions,
  type ListenProblem,
  type RedirectListener,
  type RedirectProblem,
} from './network/loopback-callback.ts';
export { clientSession, type Establish, open, type OpenPorts } from './open.ts';
export { resultText } from './frame/result-text.ts';
export { relaySession } from './open-relay.ts';
export type { RelaySession } from './relay-session.ts';
export type {
  MessageObserver,
  RelayPeer,
  RelayReply,
  RelayRequestOptions,
} from './neutral/relay.ts';
export {
  type CallOptions,
  LIST_CHANGES,
  LIST_KINDS,
  listChanged,
  type ListKind,
  type RequestOptions,
  type OwnNotification,
  type ServerLog,
  type Session,
  type SessionGuard,
} from './neutral/session.ts';
export { parameterHeaders } from './modern/parameter-headers.ts';
export { readToolResult } from './read-result.ts';
export { type RunningBroker, runningBrokers, stopBroker } from './shared/running-brokers.ts';
export type { FrameRecord, Recorder } from './trace/recorder.ts';
export { redact } from './trace/redact.ts';
export { sizeOf } from './trace/size-of.ts';
