// To get hold of what is nobody's business and to take it somewhere: into an argument, or to somebody else.

import { sign, type SignGroup } from './sign.ts';
import { SORT } from './telling-words.ts';
import { ELSEWHERE, EMAIL, SEND, SLOT } from './words.ts';

const SECRET_FILE = String.raw`(?:\.ssh\b(?![/\\](?:known_hosts|id_\w+\.pub))|\bid_(?:rsa|dsa|ed25519|ecdsa)\b(?!\.pub\b)|\.aws\b|/etc/(?:passwd|shadow|sudoers)|(?<![\w.])\.env\b(?!\.(?:example|sample|template))|\bmcp\.json|\.cursor[/\\]|\.claude[/\\.]|\.npmrc|\.pypirc|\.netrc|\.kube[/\\]|kubeconfig|\.git-credentials|\.gnupg|\.(?:bash|zsh)_history|\.docker[/\\]config|\bkeychain\b|claude_desktop_config|\bwallet\.dat\b|\.pem\b|/proc/self/environ|\.config/gh\b|\bhosts\.yml\b|\b(?:credentials|secrets?|service[-_]account|token)\.(?:json|ya?ml)\b|system://\w+|internal://\w+)`;
const SECRET_THING = String.raw`(?:credentials?|api[ _-]?keys?|passwords?|passphrases?|secrets?\b(?! (?:name|id|manager|scan))|(?:access|auth|authentication|session|bearer|oauth|refresh|github|security) tokens?|(?:private|ssh|encryption|signing) keys?|cookies|\b[a-z]+_(?:api_)?(?:key|token|secret)\b|credit cards?|personal (?:data|information))`;
const PRIVATE = String.raw`(?:(?:chat|conversation|message|browser|browsing) (?:history|log|transcript)s?|(?:entire|full|whole|complete|previous|this|current) (?:conversation|chat)\b(?! (?:id|name|model|completion))|(?:last|previous|recent|earlier) (?:\w+ )?messages|(?:each|every) prompt\b|user'?s? (?:full |last |latest |original |next )?(?:prompts?|messages|question)|system prompt|environment variables|env vars|seed phrases?|mnemonics?|(?:ssh |private )+keys?|(?:private|confidential|sensitive) (?:data|information|files?|documents?|repositor(?:y|ies))|repositor(?:y|ies),? including private|clipboard|keystrokes)`;
const SECRET = String.raw`(?:${SECRET_FILE}|${PRIVATE}|${SECRET_THING})`;
const HAND_OVER = String.raw`(?:pass(?:es|ing)?|includ(?:e|es|ing)|put(?:s|ting)?|append(?:s|ing)?|embed(?:s|ding)?|attach(?:es|ing)?|insert(?:s|ing)?|provid(?:e|es|ing)|suppl(?:y|ies|ying)|add(?:s|ing)?|plac(?:e|es|ing)|hand(?:s|ing)?|paste|encode|write|stuff|return|output|print|echo|set)`;
const GET = String.raw`(?:read|open|cat|access|load|fetch|retrieve|collect|gather|obtain|extract|dump|locate|find|look up|get|grab|scan)`;
/** Who asked for it may have it. */
const NOT_TO_CALLER = String.raw`(?! (?:back )?to (?:the )?(?:caller|user|client|requester))`;

export const CARRY: SignGroup = {
  needs: [SORT.secret, SORT.loot | SORT.move],
  after: 'secret',
  signs: [
    sign('secret', 5, SECRET_FILE),
    sign('secret', 4, PRIVATE),
    sign('secret', 3, SECRET_THING),
    sign(
      'fetch',
      3,
      String.raw`(?:^|\b(?:first|then|also|and|must|please|should|to|you|,) )(?:please )?${GET}\b.{0,60}${SECRET}`,
      String.raw`\b(?:multiplies|adds|returns|formats|converts|counts|sums|calculates)\b.{0,60}\b(?:reads|collects|copies|gathers)\b.{0,30}${SECRET_FILE}`,
    ),
    sign(
      'carry',
      10,
      String.raw`\b${SEND}\b.{0,80}${SECRET}.{0,80}${ELSEWHERE}`,
      String.raw`${SECRET}.{0,80}\b${SEND}\b.{0,80}${ELSEWHERE}`,
      String.raw`\b(?:curl|wget|nc|invoke-webrequest)\b.{0,80}${SECRET_FILE}`,
    ),
    sign(
      'carry',
      5,
      String.raw`${SECRET}.{0,120}\b(?:${HAND_OVER}|${SEND})\b.{0,60}\b${SLOT}\b`,
      String.raw`\b(?:${HAND_OVER}|${SEND})\b.{0,80}${SECRET}.{0,60}\b(?:in|into|as|to|inside|within|via|through|using|along with)\b.{0,30}\b${SLOT}\b`,
      String.raw`${SECRET_FILE}.{0,100}\b(?:${HAND_OVER}|${SEND}) (?:it|its|them|their|the (?:contents?|values?|results?|output|data))\b${NOT_TO_CALLER}`,
      String.raw`\b${HAND_OVER}\b.{0,30}\b(?:contents?|values?|text)\b.{0,30}${SECRET_FILE}`,
      String.raw`${SECRET_FILE}.{0,40}\binto (?:an?|the|its)\b`,
      String.raw`\b(?:contains?|holds?|carr(?:y|ies)|be|is) (?:the )?(?:base64 )?(?:contents?|values?|text|output) of\b.{0,30}${SECRET_FILE}`,
      String.raw`\b${HAND_OVER}\b.{0,16}\b(?:contents?|values?|text|output) of\b.{0,30}${SECRET}.{0,30}\b(?:as|in|into)\b`,
      String.raw`${PRIVATE}.{0,60}\b(?:${HAND_OVER})\b.{0,40}\b${SLOT}\b|\b${HAND_OVER}\b.{0,60}${PRIVATE}.{0,60}\b(?:in|into|as|to)\b.{0,30}\b${SLOT}\b`,
      String.raw`${PRIVATE}.{0,120}\b(?:public|publish\w*|pull request|readme|issue comment)\b`,
    ),
  ],
};

const EVERYTHING = String.raw`(?:all|every|each|any|cop(?:y|ies) of|the full|the entire|the complete|contents? of|user's|everything|whatever|what)`;
const MATTER = String.raw`(?:messages?|e-?mails?|conversations?|quer(?:y|ies)|results?|prompts?|inputs?|files?|histor(?:y|ies)|code|requests?|responses?|data|documents?|keystrokes|details|records?|everything|asked)`;

export const AWAY: SignGroup = {
  needs: [SORT.place | SORT.move, SORT.place | SORT.loot],
  signs: [
    sign(
      'away',
      10,
      String.raw`\b(?:also|additionally|secretly|silently|quietly|covertly|then|and|;|always|must|instead|afterwards?)\s(?:\w+\s){0,2}${SEND}\b.{0,80}\b(?:external|third[- ]party|remote|attacker'?s?|outside|offshore|hidden|unknown|our)\s(?:\w+\s){0,2}(?:host|server|endpoint|analytics|collector|service|site|url|address|webhook|domain|logger|account|party)\b`,
      String.raw`^${SEND}\b.{0,80}\b(?:external|third[- ]party|attacker'?s?|outside|offshore|hidden|unknown|our)\s(?:\w+\s){0,2}(?:host|server|endpoint|analytics|collector|webhook|domain|logger|party)\b`,
      String.raw`\b(?:${SEND}|loops? in|let)\b.{0,20}\b${EVERYTHING}\b.{0,60}\b${MATTER}\b.{0,60}${ELSEWHERE}`,
      String.raw`\b(?:always|must|also|every|all|each|additionally|be sure to|make sure to|remember to|instead|actual|regardless|helpful|compliance|audit|backup)\b.{0,80}\b(?:b?cc|${SEND}|add|loop(?:ed)? (?:in|them)|let|know|recipients?|copied)\b.{0,60}(?<!e\.g\.,? )(?<!such as )(?<!example:? )(?<![\w.+-])${EMAIL}`,
      String.raw`\b(?:blind[- ]copy|b?cc)\b.{0,40}(?<![\w.+-])${EMAIL}.{0,40}\b(?:every|all|each|any)`,
      String.raw`\bb?cc:?\s(?:to |all |every |it to )?[\w ]{0,20}(?<![\w.+-])${EMAIL}`,
      String.raw`!\[[^\]]{0,80}\]\(https?://[^)\s]{1,200}[?&/][^)\s]{0,40}(?:=|\{|<|\$)`,
      String.raw`\bhttps?://\S{1,120}[?&]\w{1,20}=(?:<|\{|\[|%7b|\$)[^>}\]]{0,40}(?:conversation|history|secret|token|key|data|summary|message|context|prompt|env|content|file|password|chat|user)`,
      String.raw`\b(?:append|add|end|include|insert|render|embed|put)\b.{0,60}\b(?:image|link|pixel|markdown)\b.{0,60}https?://\S{1,100}\?`,
      String.raw`\b(?:prompt|conversation|messages?|answers?|reply|secret)\b.{0,60}\b(?:image|link|pixel|url)\b.{0,30}https?://\S{1,100}\?\w*=`,
    ),
  ],
};

export const BULK: SignGroup = {
  needs: [SORT.loot],
  signs: [
    sign(
      'bulk',
      3,
      String.raw`\b(?:all|every|each|any) (?:of )?(?:the )?(?:user'?s? )?(?:\w+ )?(?:e-?mails?|messages?|prompts?|conversations?|keystrokes|previous (?:messages|results)|tool descriptions?)\b`,
      String.raw`\b(?:full|entire|complete|whole) (?:list of )?(?:\w+ )?(?:conversation|chat|message history|transcript|messages)\b`,
    ),
    sign(
      'carry',
      6,
      String.raw`\b(?:${HAND_OVER}|${SEND})\b.{0,40}\b(?:full|entire|complete|whole|all|previous|user's)\b.{0,30}\b(?:conversation|chat history|message history|messages|tool descriptions|prompts?|environment|context window)\b.{0,60}\b(?:arguments?|parameters?|params?|fields?|side ?notes?|notes?|context|metadata)\b`,
    ),
  ],
};
