export { assignNames, type CatalogTool, fitsTemplate, type NameForm } from './catalog/index.ts';
export type {
  HostRelay,
  ListedByServer,
  PrimitiveList,
  RelayClient,
  RelayedRequest,
  RelayOptions,
  RelayResult,
} from './host/index.ts';
export type { Era, RelayReply, RelaySession } from './protocol/index.ts';
