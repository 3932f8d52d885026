// Words that attacks cannot do without, sorted by what they are needed for. A group of signs is searched
// for only where a word of its sorts is. Pure.

/** Sorts of words, as bits. */
export const SORT = {
  /** To drop what was said. */
  drop: 1,
  /** To be somebody else, without limits. */
  unlock: 1 << 1,
  /** What a model was told. */
  prompt: 1 << 2,
  /** To tell, or not to. */
  tell: 1 << 3,
  /** Unseen, unasked. */
  covert: 1 << 4,
  /** Who is made to speak. */
  role: 1 << 5,
  /** What is nobody's business, by its own name. */
  secret: 1 << 6,
  /** What can be worth taking. */
  loot: 1 << 7,
  /** To take or put it. */
  move: 1 << 8,
  /** Where to. */
  place: 1 << 9,
  /** Where to put it in a call. */
  slot: 1 << 10,
  /** That it has to be. */
  press: 1 << 11,
  /** Other tools and servers, and who uses them. */
  others: 1 << 12,
  /** Whom something goes to, and how much of it. */
  target: 1 << 13,
  /** Not now. */
  later: 1 << 14,
  /** Harm by its name. */
  harm: 1 << 15,
  /** To do as somebody else says. */
  obey: 1 << 16,
  /** Words of other languages, as far as they are written in plain letters. */
  foreign: 1 << 17,
} as const;

export const ALL_SORTS = 0x3_ffff;

/** One of these is reason enough to look closer. */
const STRONG =
  SORT.drop |
  SORT.unlock |
  SORT.prompt |
  SORT.tell |
  SORT.covert |
  SORT.role |
  SORT.secret |
  SORT.later |
  SORT.harm |
  SORT.obey |
  SORT.foreign;

const WORDS: readonly (readonly [number, string])[] = [
  [
    SORT.drop,
    'ignore ignores ignoring disregard disregards disregarding forget forgets forgetting attention abandon aside discard void guidance guideline guidelines guardrails restrictions longer lifted suspended obsolete orders overrides ngore vtaber vafgehpgvbaf cerivbhf erongi snoitcurtsni suoiverp',
  ],
  [
    SORT.unlock,
    'override overrides overriding overrule bypass bypasses bypassing circumvent circumvents disable disables disabling skip skips skipping suspend suspends lift lifts safeguard safeguards guardrail jailbreak jailbroken unrestricted pretend reprogrammed freed liberated mode act objective mission real actual',
  ],
  [SORT.prompt, 'system verbatim initial internal developer'],
  [
    SORT.tell,
    'tell telling mention mentioning mentions inform informing reveal revealing reveals notify notifying disclose disclosing alert alerting warn warning let letting admit confess conceal conceals hide hides keep keeps unaware silent quiet dark oblivious know knowing knowledge notice noticing aware awareness realize realise learn discuss acknowledge expose though upset alarm worry scare asked asks questioned consented agreed detail',
  ],
  [
    SORT.covert,
    'secretly silently covertly covert quietly quiet silent discreetly stealthily stealth stealthy surreptitiously invisibly behind hidden confirmation consent permission validation verification approval',
  ],
  [
    SORT.role,
    'system assistant inst sys sudo admin developer hidden secret emergency priority directive directives claude chatgpt gpt copilot gemini llm ai important critical mandatory urgent trust treat instructions',
  ],
  [
    SORT.secret,
    'ssh rsa dsa ecdsa etc passwd shadow sudoers env npmrc pypirc netrc kube kubeconfig gnupg keychain pem environ credential credentials password passwords passphrase secret secrets mnemonic mnemonics seed clipboard keystrokes transcript confidential sensitive claude zsh bash gh cookies',
  ],
  [
    SORT.loot,
    'token tokens key keys cookie history conversation conversations chat message prompt prompts question messages variables vars mails emails email private personal wallet dat aws cursor docker mcp json yml yaml internal system file files contents content data results result query queries everything card cards code requests responses documents details records input inputs repositories',
  ],
  [
    SORT.move,
    'send sends sending sent post posts posting upload uploads uploading transmit transmits forward forwards forwarding leak leaks copy copies mirror report submit publish publishes pipe ship relay deliver sync syncs stream beacon pass passes passing include includes including put append appends embed embeds attach insert provide supply place paste encode write stuff hand save saves read open cat fetch collect gather extract dump grab access add loop let return contain prepend bcc cc blind',
  ],
  [
    SORT.place,
    'external remote third outside attacker attackers offshore unknown our my vendor author maintainer collector webhook http https ftp curl wget address endpoint analytics link image public domain host',
  ],
  [
    SORT.slot,
    'argument arguments parameter parameters param params field sidenote note notes header metadata context body payload value as',
  ],
  [
    SORT.press,
    'must always never instead whenever every each all any before first otherwise mandatory required critical urgent important priority crash lost should shall once now also over unless',
  ],
  [
    SORT.others,
    'other others another user person human model agent reply answer answers tool tools server servers function functions operation operations they instruction rules',
  ],
  [
    SORT.target,
    'destination recipient recipients beneficiary payee iban account phone number payment payments transfer transfers amount funds transaction transactions invoice swap switch reroute redirect rewrite change modify forward append alter substitute replace replacing side multiplied increased doubled call calls invoke execute send divert route',
  ],
  [
    SORT.later,
    'approved approving approval review swap reviewed whitelisted recorded benign benignly calls uses invocations inspection supersedes supersede precedence compromised',
  ],
  [
    SORT.harm,
    'exfil exfiltrate exfiltrates exfiltrating exfiltrated exfiltration steal steals stealing stolen harvest harvests harvesting attacker attackers adversary malicious arbitrary curl wget',
  ],
  [SORT.obey, 'instruction carry obey obeying comply complies says whatever typed treat'],
  [
    SORT.foreign,
    'vergiss ignoriere ignorieren ignoriert missachte negeer ignora ignoran ignore ignorez ignorer olvida olvide descarta desconsidere dimentica trascura oublie oubliez zignoruj ignoruj zapomnij abaikan lupakan nutzer benutzer anwender usuario utente utilisateur',
  ],
];

/** By the hash that `hashWord` makes of a word. */
export const SORTS_OF_WORDS: ReadonlyMap<number, number> = table();

function table(): ReadonlyMap<number, number> {
  const sorts = new Map<number, number>();
  for (const [sort, words] of WORDS) {
    for (const word of words.split(' ')) {
      let hash = 0;
      for (let at = 0; at < word.length; at += 1) hash = hashLetter(hash, word.charCodeAt(at));
      sorts.set(hash, (sorts.get(hash) ?? 0) | sort);
    }
  }
  return sorts;
}

/** Two words with one hash cost a look that was not needed, and nothing else. */
export function hashLetter(hash: number, letter: number): number {
  return (Math.imul(hash, 31) + letter) | 0;
}

/** One strong word, or three sorts of the others. */
export function isSuspect(sorts: number): boolean {
  if ((sorts & STRONG) !== 0) return true;
  let count = 0;
  for (let rest = sorts; rest !== 0; rest &= rest - 1) count += 1;
  return count >= 3;
}
