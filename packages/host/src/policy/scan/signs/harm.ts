// It says itself that it does harm.

import { sign, type SignGroup } from './sign.ts';
import { SORT } from './telling-words.ts';

export const HARM: SignGroup = {
  needs: [SORT.harm],
  signs: [
    sign('harm', 10, String.raw`\bexfiltrat(?:e|es|ing|ed)\b`),
    sign(
      'harm',
      9,
      String.raw`\bexfiltration (?:logic|payload|channel|endpoint|of)\b|\b(?:upload|hide|hidden|encode|embed|send|covert)\w*\b.{0,60}\bexfiltration\b`,
      String.raw`\bstolen (?:data|credentials?|files?|tokens?|passwords?|cookies)\b`,
      String.raw`\b(?:attacker|adversary)[- ](?:controlled|owned|server)\b`,
    ),
    sign(
      'harm',
      4,
      String.raw`\b(?:run|execute|start with)\b.{0,30}\b(?:curl|wget)\b.{0,80}\|\s?(?:ba|z)?sh\b`,
    ),
    sign(
      'harm',
      7,
      String.raw`\b(?:steal|harvest)(?:s|ing)?\b.{0,30}\b(?:credentials?|tokens?|cookies?|passwords?|(?:api |private )?keys?|sessions?|secrets?)\b`,
      String.raw`\b(?:arbitrary|malicious) (?:shell )?(?:commands?|code|payloads?)\b.{0,40}\b(?:passed|supplied|hidden|silently|when|on the host)\b`,
    ),
  ],
};
