export {
  assignNames,
  type CatalogTool,
  fitsTemplate,
  type HostTool,
  type NameForm,
  toHostTool,
} from './catalog/index.ts';
export { requestText } from './host/index.ts';
export type {
  HostRelay,
  ListedByServer,
  PrimitiveList,
  RelayClient,
  RelayedRequest,
  RelayOptions,
  RelayResult,
} from './host/index.ts';
export {
  type Era,
  parameterHeaders,
  type RelayReply,
  type RelaySession,
  resultText,
} from './protocol/index.ts';
