export { hasDuplicateKeys } from './duplicate-keys.ts';
export {
  failed,
  HEADER_MISMATCH,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  MISSING_CAPABILITY,
  PARSE_ERROR,
  readMessage,
  type RequestId,
  type RpcFailure,
  type RpcMessage,
  type RpcNotification,
  type RpcReply,
  type RpcRequest,
  textOr,
  UNSUPPORTED_VERSION,
} from './message.ts';
export { messageText } from './message-text.ts';
export {
  CLIENT_CAPABILITIES,
  CLIENT_INFO,
  LEGACY_REVISIONS,
  LOG_LEVEL,
  metaOf,
  MODERN_REVISION,
  PROTOCOL_VERSION,
  SERVER_INFO,
  SUBSCRIPTION_ID,
  withoutReserved,
} from './meta.ts';
