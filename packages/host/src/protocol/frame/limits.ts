// How much one message may be, on every transport.

export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** Requests of ours are never sent together, so no sound answer to several of them is long. */
export const MAX_BATCH = 1000;

/** No sound message nests this deep; code that walks a deeper one could overflow the stack. */
export const MAX_DEPTH = 512;

/** What a server may ask for in one result; a person answers one at a time. */
export const MAX_QUESTIONS = 1000;
