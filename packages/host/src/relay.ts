export {
  assignNames,
  type CatalogTool,
  fitsTemplate,
  type HostTool,
  type NameForm,
  toHostTool,
} from './catalog/index.ts';
export {
  configurationOf,
  decisionReason,
  failureText,
  isCacheable,
  requestText,
  shortageOf,
} from './host/index.ts';
export { type AskedQuestion, readQuestion } from './inbound/index.ts';
export type {
  HostRelay,
  ListedByServer,
  PrimitiveList,
  HookNote,
  RelayClient,
  RelayedRequest,
  RelayObserver,
  RelayOptions,
  RelayResult,
} from './host/index.ts';
export {
  type Era,
  INBOUND_REQUESTS,
  isAskable,
  LIST_CHANGES,
  LIST_KINDS,
  listChanged,
  type ListKind,
  neededCapability,
  parameterHeaders,
  redact,
  type RelayReply,
  type RelaySession,
  resultText,
  sizeOf,
} from './protocol/index.ts';
