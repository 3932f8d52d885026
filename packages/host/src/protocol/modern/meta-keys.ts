// The `_meta` keys of modern requests, copied from the SDK so that using them does not load it. A test compares them.

export const LOG_LEVEL_META_KEY = 'io.modelcontextprotocol/logLevel';
export const CLIENT_CAPABILITIES_META_KEY = 'io.modelcontextprotocol/clientCapabilities';
export const PROTOCOL_VERSION_META_KEY = 'io.modelcontextprotocol/protocolVersion';
export const CLIENT_INFO_META_KEY = 'io.modelcontextprotocol/clientInfo';

export const MODERN_REVISION = '2026-07-28';
