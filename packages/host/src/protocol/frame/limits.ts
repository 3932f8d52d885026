// How much one message may be, on every transport.

export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** No sound message nests this deep; code that walks a deeper one could overflow the stack. */
export const MAX_DEPTH = 512;
