// Words that several signs are made of, as parts of patterns.

export const MODEL = String.raw`(?:ai|assistant|model|llm|agent|chatbot|claude|gpt|chatgpt|copilot|cursor|gemini|language model)`;

export const SEND = String.raw`(?:sends?|sending|sent|posts?|posting|posted|uploads?|uploading|transmits?|transmitting|forwards?|forwarding|leaks?|leaking|e-?mails?|copies|copy|mirrors?|reports?|submits?|publish(?:es)?|pipes?|ships?|relays?|delivers?|b?cc|blind[- ]cop(?:y|ies)|saves?|syncs?|streams?|beacons?|exfiltrates?)`;

export const EMAIL = String.raw`[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{2,63}`;

/** Somewhere that is neither here nor where the user wants it. */
export const ELSEWHERE = String.raw`(?:(?:external|remote|third[- ]party|outside|attacker(?:'s|-controlled)?|malicious|offshore|hidden|unknown|our|my|(?:vendor|developer|author|maintainer|publisher)'s)\s(?:[\w-]+\s){0,2}(?:host|server|database|endpoint|analytics|collector|service|site|url|address|webhook|domain|logger|account|bucket|channel|inbox|e-?mail|number|party|recipient|location)|\battackers?\b|\bcollector\b|\bweb-?hook\b|https?://(?!localhost|127\.)|\b\d{1,3}(?:\.\d{1,3}){3}\b|\+\d{7,}|${EMAIL})`;

/** Where something can be put into a call. */
export const SLOT = String.raw`(?:arguments?|parameters?|params?|fields?|side ?notes?|notes?|header|metadata|query string|context|body|payload|input)`;
