// To drop what the model was told, by its maker or by the user, or to give it away.

import { sign, type SignGroup } from './sign.ts';
import { SORT } from './telling-words.ts';
import { SLOT } from './words.ts';

const DROP = String.raw`(?:ignor(?:e|es|ing)|disregard(?:s|ing)?|forget(?:s|ting)?|pay no attention to|do not (?:follow|obey|adhere to|comply with)|don't (?:follow|obey)|stop (?:following|obeying)|abandon|set aside|discard)`;
const EVADE = String.raw`(?:overrid(?:e|es|ing)|overrul(?:e|es|ing)|bypass(?:es|ing)?|circumvent(?:s|ing)?|disabl(?:e|es|ing)|skip(?:s|ping)?|suspend(?:s|ing)?|lift(?:s|ing)?|turn(?:s|ing)? off)`;
const GUARD = String.raw`(?:(?:safety|ethical|content|moderation) (?:guidelines?|guardrails?|restrictions?|constraints?|filters?|filtering|rules|polic(?:y|ies)|checks|protocols?|measures|instructions|validation)|guardrails?|safeguards?|(?:usage|security|system) (?:restrictions|instructions|guidelines))`;
const ORDERS = String.raw`(?:instructions?|directions?|directives?|guidelines?|guardrails?|rules?|prompts?|context|polic(?:y|ies)|restrictions?|constraints?|commands?|orders|training|filters?|safeguards?|programming)`;
const EARLIER = String.raw`(?:previous|prior|above|earlier|preceding|existing|original|former|initial|safety|security|ethical|system|developer|operator|core|your|any other|all other|(?:user|proxy|host|operator|developer)'s)`;

export const OVERRIDE: SignGroup = {
  needs: [SORT.drop],
  signs: [
    sign(
      'override',
      10,
      String.raw`\b${DROP}\b(?:\s(?:all|any|everything|every|each|of|the|your|about|from|in|that|and|its|these|those|other)){0,6}\s${EARLIER}(?:\s[\w'-]+){0,3}?\s${ORDERS}\b`,
      String.raw`\b(?:ignore|disregard|forget)\b(?:\s(?:all|any|everything|anything|of|the|that came|said|written|stated)){0,4}\s(?:above|previous|prior|preceding|earlier|before(?: this| now)?)\b(?!\s*\d)(?!\s(?:values?|versions?|results?|errors?|runs?|entries|rows?|lines?|pages?|commits?))`,
      String.raw`\b(?:ignore|disregard|forget)\b(?:\s(?:all|any|everything|of|the|your|my|these|those)){0,4}\s(?:instructions|directions|directives|guidelines|guardrails|safety)\b`,
      String.raw`\bforget\s(?:everything|all|what)\b.{0,30}\b(?:told|learned|know|said|taught|instructed)\b`,
      String.raw`\b${DROP}\b.{0,24}\b(?:guidance|what (?:the|your) (?:system|developer|operator|user))\b`,
      String.raw`\b(?:guidelines|guardrails|instructions|restrictions|safety rules|system (?:message|prompt))\b.{0,24}\b(?:no longer (?:apply|applies|bind)|(?:are|is) (?:now )?(?:void|lifted|suspended|obsolete)|(?:do|does) not apply|can be (?:skipped|ignored|bypassed))`,
      String.raw`\b(?:user|person|human) (?:asked|said|wants?|requested)\b.{0,24}\b(?:is|are) void\b|\btake (?:your )?orders (?:only )?from\b|\boverrides what the (?:user|person|human)\b`,
      String.raw`\b${DROP}\b.{0,20}\buser'?s? (?:actual |original |real )?(?:request|intent|instructions?|wish(?:es)?|question|goal)\b`,
    ),
  ],
};

export const UNLOCK: SignGroup = {
  needs: [SORT.unlock, SORT.drop],
  signs: [
    sign(
      'override',
      10,
      String.raw`\boverride\b(?:\s(?:all|any|the|your|my|these|those)){0,3}\s(?:instructions|directions|directives|guidelines|guardrails|safety)\b`,
      String.raw`\byou are (?:now|no longer)\b.{0,40}\b(?:mode|unrestricted|jailbroken|dan\b|admin(?:istrator)?|root\b|free (?:of|from)|bound by|an? (?:evil|different|new|shell))`,
      String.raw`\byou (?:have been|are) (?:freed|liberated|jailbroken|reprogrammed)\b`,
    ),
    sign('override', 6, String.raw`\b${EVADE}\b.{0,20}\b${GUARD}\b`),
    sign(
      'override',
      7,
      String.raw`\b(?:your|the) (?:new|real|actual|true|updated|only) (?:instructions?|task|goal|objective|role|orders?|mission|purpose)(?: (?:is|are|will be|now)|\s?:)`,
      String.raw`(?:^|[^\w])(?:new|updated|revised) (?:instructions?|orders?|system prompt)\s?:`,
      String.raw`\b(?:enter|enable|activate|switch (?:in)?to|in|engage)\s(?:developer|debug|god|admin|jailbreak|maintenance|unrestricted|dan|root|sudo) mode\b.{0,60}\b(?:you|instructions|rules|restrictions|guidelines|answering|before|safety)\b`,
      String.raw`\b(?:disabl|lift|suspend|remov)\w{0,4}\b.{0,12}\b(?:all|any|your) (?:\w+ )?(?:restrictions|safeguards|limits|guardrails)\b`,
      String.raw`\bjailbreak(?:ing)? mode\b|\bact as(?: an?)?:? (?:unrestricted|system administrator|root\b|database administrator|emergency|dan\b|an? ai without)`,
      String.raw`\bpretend (?:that )?(?:you (?:are|have)|there are) (?:no |not )?(?:unrestricted|bound|restrictions|rules|limits|an? (?:admin|root|unrestricted))`,
    ),
    sign(
      'override',
      4,
      String.raw`\b${EVADE}\b.{0,12}\b(?:all |any )(?:\w+ ){0,2}(?:validation|sanitization|security|access controls?|authentication|checks|confirmations?)\b`,
      String.raw`\bbypass(?:es|ing)? (?:all |any |the )?(?:security|safety|access|content) (?:checks?|controls?|filters?|restrictions?|validation)\b`,
    ),
  ],
};

export const PROMPT_LEAK: SignGroup = {
  needs: [SORT.prompt],
  signs: [
    sign(
      'prompt-leak',
      10,
      String.raw`\b(?:reveal|show|print|output|leak|repeat|disclose|display|expose|share|send|return|include|give|dump|recite|write out)\b.{0,40}\b(?:your|hidden|full|entire|the (?:model|assistant|agent)'s) (?:\w+ )?(?:system (?:prompt|message|instructions)|hidden (?:prompt|instructions)|initial (?:prompt|instructions)|internal (?:prompt|instructions)|instructions verbatim|developer message)\b`,
      String.raw`\b(?:reveal|leak|disclose|expose) the system prompt\b`,
    ),
    sign(
      'prompt-leak',
      9,
      String.raw`\b(?:pass|include|put|append|embed|attach|insert|provide|supply|place|paste|copy)\b.{0,30}\byour (?:system prompt|system instructions|hidden instructions|developer message)\b.{0,60}\b${SLOT}\b`,
    ),
  ],
};
