// The keys that a modern request has in `_meta`, as the SDK names them; a test keeps them equal. Written out
// here so that reading them does not load the SDK.

export const LOG_LEVEL_META_KEY = 'io.modelcontextprotocol/logLevel';
export const CLIENT_CAPABILITIES_META_KEY = 'io.modelcontextprotocol/clientCapabilities';
export const PROTOCOL_VERSION_META_KEY = 'io.modelcontextprotocol/protocolVersion';
export const CLIENT_INFO_META_KEY = 'io.modelcontextprotocol/clientInfo';

export const MODERN_REVISION = '2026-07-28';
