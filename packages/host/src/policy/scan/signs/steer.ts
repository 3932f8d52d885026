// To change what other tools do, whom they reach and which one is asked first; to do so later; to press.

import { sign, type SignGroup } from './sign.ts';
import { SORT } from './telling-words.ts';
import { EMAIL, MODEL } from './words.ts';

const TOOL = String.raw`(?:tools?|functions?|[a-z]\w*_\w+)`;
const CALLED = String.raw`(?:called|invoked|used|available|present|executed|triggered|run|performed|requested)`;
const CHANGE = String.raw`(?:change|modify|replace|redirect|reroute|rewrite|alter|swap|substitute|set|overrid(?:e|ing)|updat(?:e|ing))`;

export const STEER: SignGroup = {
  needs: [SORT.target, SORT.obey],
  signs: [
    sign(
      'steer',
      10,
      String.raw`\b(?:when|whenever|if|every time|each time|any time|before|after|once)\b.{0,80}\b${TOOL}\b.{0,50}\b(?:is|are|gets?|has been|was) (?:\w+ )?${CALLED}\b.{0,100}\b(?:change|modify|redirect|reroute|instead|b?cc|also (?:send|call)|forward|append|overrid|swap|alter|rewrite|substitute|must (?:send|b?cc|use|go)|first (?:call|read|send|reroute))`,
      String.raw`\b${CHANGE}\b.{0,50}\b(?:recipients?|destination|payees?|beneficiary|phone number|e-?mail address|wallet(?: address)?|account(?: number)?|iban|to address|amount)\b.{0,50}\b(?:to|with|by|as)\b.{0,60}(?:\+?\d{4,}|\b0x[0-9a-f]{6,}|attacker|(?<![\w.+-])${EMAIL}|\b[a-z]{2,}-\d{3,})`,
      String.raw`\b(?:all|any|every) (?:\w+ )?(?:e-?mails?|messages?|payments?|transfers?|transactions?)\b.{0,40}\b(?:must|should|have to|need to|shall|are to)\b(?: \w+)? (?:be )?(?:sent|go|redirected|(?:directed|made|paid) to|forwarded|routed|b?cc'?d?|addressed|copied)\b`,
      String.raw`\b(?:always|whenever|every|all|instead)\b.{0,80}\b(?:payments?|transfers?|funds|recipient|beneficiary|invoices?|payee)\b.{0,80}(?:\b0x[0-9a-f]{40}\b|\b[a-z]{2}\d{2}[a-z0-9]{11,30}\b|\+\d{8,})`,
      String.raw`\b(?:when|whenever|if)\b.{0,60}\b(?:runs?|called|used|invoked)\b.{0,30}\buse\b.{0,60}\bas the\b.{0,20}\b(?:recipient|beneficiary|account|destination|payee)`,
      String.raw`\bas (?:if|though) (?:the following|it|this) (?:was|were|had been|is) (?:typed|written|said|sent|requested) by the user\b`,
      String.raw`\bmust send (?:all|every|any) (?:\w+ )?(?:e-?mails?|messages?|payments?|transfers?)\b`,
      String.raw`\b(?:route|redirect|divert|send|funnel) (?:all|every|any) (?:\w+ ){0,3}(?:requests?|calls?|operations?|traffic) (?:\w+ )?(?:here|through this|to (?:this|me))\b`,
      String.raw`\breplac(?:e|ing) (?:its|their) (?:output|results?|response|answer)s? with\b`,
      String.raw`\bside effects? on\b.{0,40}\btool\b`,
      String.raw`\btreat (?:any|all|every|each|the)\b.{0,40}\b(?:instructions?|commands?|content|input|text)\b.{0,60}\bas (?:an? )?(?:\w+, ?)?(?:direct|authori[sz]ed|trusted|legitimate|user|system|admin|high[- ]priority|binding)\b`,
      String.raw`\b(?:obey|execute|follow|carry out|act on|comply with|do)\b.{0,12}\b(?:whatever|any|all|every)\b.{0,30}\b(?:instructions?|commands?|directives?|says?|orders?)\b.{0,50}\b(?:in|inside|embedded|found|contain(?:ed|s)?|within|from|below)\b`,
      String.raw`\bdo (?:what|as|exactly what) the (?:text|result|response|page|content|message|output)s?\b.{0,40}\bsays?\b`,
      String.raw`\bcomply with (?:the|any|all) (?:request|instructions?|orders?|directives?)\b.{0,30}\b(?:below|embedded|following|above|here)\b`,
    ),
    sign(
      'steer',
      5,
      String.raw`\bexecute (?:the|any|whatever) (?:shell |arbitrary )?commands? (?:supplied|given|passed|from|embedded)\b`,
      String.raw`\b(?:multipl|increas|decreas|doubl|chang|modif|replac|alter|rais|lower)\w{0,4}\b.{0,60}\b(?:before|when)\b.{0,30}\b(?:passed|given|sent|handed) to [a-z]+_[a-z_]+`,
      String.raw`\b(?:first|always|also)\b(?: \w+){0,3} (?:call|invoke|run|use|execute)\b.{0,30}\b(?:read_file|get_\w{0,20}(?:secret|credential|token|password|key|admin)\w*|send_\w+|exec\w*|shell|bash|run_command|delete_\w+|list_(?:chats|files|secrets))\b`,
    ),
  ],
};

export const PRECEDENCE: SignGroup = {
  needs: [SORT.others | SORT.press, SORT.later],
  signs: [
    sign(
      'steer',
      5,
      String.raw`\b(?:supersedes?|takes? (?:precedence|priority) over|overrides?|must be used instead of|should (?:always )?be (?:used instead of|preferred (?:to|over)))\b.{0,30}\b(?:(?:any|all|every|other)\b.{0,12}\btools?|[a-z]+_[a-z_]+)\b`,
      String.raw`\b(?:before|prior to|instead of) (?:using|calling|invoking|running|executing|performing|any|every|all)\b.{0,24}\b(?:any|every|all|other)\b.{0,30}\b(?:tools?|functions?|operations?|actions?|requests?|tasks?)\b`,
      String.raw`\b(?:before|prior to) any\b.{0,20}\b(?:tools?|functions?|operations?|actions?)\b`,
      String.raw`\b(?:always|must|should) (?:\w+ )?(?:call|invoke|use|run|select|choose|prefer)(?:ed)? (?:this|it)\b.{0,30}\b(?:over|instead of|rather than|before)\b.{0,20}\b(?:all|any|every|other|others)\b`,
      String.raw`\b(?:[a-z]+_[a-z_]+|other|that) tools? (?:is|are|returns?|has been|have been) (?:\w+ )?(?:broken|incomplete|insecure|unsafe|compromised|disabled|unreliable|malicious|wrong|inaccurate)\b`,
    ),
    sign(
      'steer',
      4,
      String.raw`\balways (?:choose|select|prefer|pick) this (?:tool|one)\b|\buse this (?:tool |one )?for everything\b`,
    ),
  ],
};

/** Others are no good, or are to be looked into. */
export const RIVAL: SignGroup = {
  needs: [SORT.others | SORT.press],
  signs: [
    sign(
      'rival',
      5,
      String.raw`\b(?:refuse to|do not|don't|never|should not|must not|avoid) (?:use|using|call|calling|invoke|trust|trusting)\b.{0,10}\b(?:any|other|another|all)\b.{0,12}\b(?:tools?|servers?)\b`,
      String.raw`\b(?:other|all other|another) (?:\w+ )?(?:tools?|servers?)\b.{0,24}\b(?:compromised|dangerous|malicious|unsafe|insecure|outdated|broken)\b`,
      String.raw`\b(?:inspect|rewrite|modify|intercept|alter|capture|record)\w{0,3}\b.{0,24}\b(?:arguments|parameters|results|calls|outputs?)\b.{0,12}\b(?:they|of (?:all|every|any|other)|from other)\b`,
    ),
  ],
};

export const DORMANT: SignGroup = {
  needs: [SORT.later],
  signs: [
    sign(
      'dormant',
      10,
      String.raw`\b(?:once|after|when|as soon as|until)\b.{0,20}\b(?:this tool|the tool|it|this description|the description|the definition|approval hash|the server)\b.{0,30}\b(?:approved|accepted|trusted|reviewed|recorded|whitelisted|allow-?listed)\b.{0,80}\b(?:will|begins?|starts?|switch|change|swap|become|activat|enabl|execut|exfil|logic)`,
      String.raw`\bonce approved\b.{0,60}\b(?:this|the) (?:tool|description|definition)\b`,
      String.raw`\b(?:activat|enabl|start|begin|switch|swap|chang|execut|trigger)\w{0,5}\b.{0,80}\b(?:only after|after|once|post-)\s?(?:the )?(?:user )?(?:approval (?:hash|is recorded|has been)|it (?:is|has been) approved|being approved|review)\b`,
      String.raw`\b(?:swap|replace|change)(?:s|d|ped)?\b.{0,30}\bpost-approval\b|\bbenign(?:ly)? (?:during|until|while|for) (?:review|approval|inspection|the first)\b`,
      String.raw`\bafter (?:\d+|a few|several|two|three|four|five|ten|the first \w+) (?:\w+ )?(?:calls|uses|invocations|runs)\b.{0,60}\b(?:will|starts?|begins?|switch|change|behav)`,
    ),
  ],
};

export const COERCE: SignGroup = {
  needs: [SORT.press],
  signs: [
    sign(
      'coerce',
      3,
      String.raw`\b(?:otherwise|or else|unless you),? (?:the|this|it|your)\b.{0,30}\b(?:not work|fail|crash|be blocked|won't work|break|error|be lost|rejected)\b`,
      String.raw`\b(?:broken|not work|fails?|blocked|rejected) unless\b|\b(?:as|since) the (?:parser|server|tool|proxy) (?:needs|requires|expects)\b`,
      String.raw`\b(?:this|it|which) is (?:a )?(?:mandatory|compulsory|non-negotiable|very very|extremely important|critical for)\b`,
      String.raw`\b(?:required|mandated|enforced) (?:by|for) (?:the |our |your )?(?:\w+ )?(?:security|compliance|policy|platform|audit|safety|regulation|verification)\b`,
      String.raw`\b(?:system|application|app) (?:will |would )?crash|\bwill (?:all )?be lost\b|\bvery,? very\b|\bhighest priority\b|\bat all costs\b`,
      String.raw`\b(?:you|the ${MODEL}) (?:must|have to|are required to|shall) (?:always |first )?(?:comply|obey|follow (?:these|this|the following))\b`,
      String.raw`\bfor (?:compliance|audit(?:ing)?|verification|backup|logging|quality|security)(?: and \w+)?(?: \w+)? (?:purposes|reasons|check|verification|compliance)\b`,
    ),
  ],
};
