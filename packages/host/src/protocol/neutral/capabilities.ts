// What a host says that servers may ask of it.

export const ELICITATION = { elicitation: { form: {}, url: {} } } as const;
/** With tools, and without anything of what else goes on in the conversation. */
export const SAMPLING_CAPABILITY = { sampling: { tools: {} } };
export const ROOTS_CAPABILITY = { roots: { listChanged: true } };
