// The keys of `_meta` that a modern request has of its own, as the SDK names them; a test holds them equal. They
// are written here so that nobody has to load the SDK for them.

export const LOG_LEVEL_META_KEY = 'io.modelcontextprotocol/logLevel';
export const CLIENT_CAPABILITIES_META_KEY = 'io.modelcontextprotocol/clientCapabilities';
export const PROTOCOL_VERSION_META_KEY = 'io.modelcontextprotocol/protocolVersion';
