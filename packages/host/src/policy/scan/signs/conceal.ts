// To keep something from the user.

import { sign, type SignGroup } from './sign.ts';
import { SORT } from './telling-words.ts';

const TELL = String.raw`(?:tell|mention|inform|reveal|notify|disclose|alert|warn|let|admit to|confess to)`;
const TELLING = String.raw`(?:telling|mentioning|informing|revealing|notifying|disclosing|alerting|warning|letting)`;
const USER = String.raw`(?:users?|humans?|persons?|people|them|anyone|anybody|operators?|customers?|owner|end[- ]user|victim)`;
const NOT = String.raw`(?:do not|don't|never|must not|mustn't|should not|shouldn't|cannot|can't|need not|no need to|under no circumstances)`;
const COVERTLY = String.raw`(?:silently|secretly|covertly|quietly|discreetly|stealthily|surreptitiously|invisibly|behind the scenes)`;
const DEED = String.raw`(?:send|post|upload|transmit|forward|read|collect|store|record|append|insert|includ|add|call|invoke|run|execut|copy|copies|log|bcc|harvest|monitor|capture|attach|exfil|sav|track|leak|shar)\w{0,4}`;

export const CONCEAL: SignGroup = {
  needs: [SORT.tell],
  signs: [
    sign(
      'conceal',
      10,
      String.raw`\b${NOT}\s(?:ever\s|explicitly\s|directly\s)?${TELL}\b.{0,60}\b${USER}\b(?!'s (?:name|id|password))`,
      String.raw`\b(?:without|avoid|refrain from)\s(?:ever\s)?${TELLING}\b.{0,40}\b${USER}\b`,
      String.raw`\b(?:keep|hide|conceal)s?\b.{0,40}\bfrom (?:the )?${USER}\b`,
      String.raw`\buser (?:must|should|need|may|can|does|will)(?: not|n't) (?:ever )?(?:know|see this|be told|be informed|be aware|find out|notice|learn|reali[sz]e|be shown)\b`,
      String.raw`\b(?:keep|leave)s? (?:the )?${USER} (?:unaware|in the dark|uninformed|oblivious)\b|\b${NOT} let\b.{0,40}\b(?:find out|know|notice|see this)\b`,
      String.raw`\bif (?:the )?(?:user )?(?:asks?|asked|questioned|they ask)\b.{0,40}\b(?:say|tell (?:them|the user)|answer|claim|deny|pretend|respond|reply)\b.{0,30}\b(?:only|just|that nothing|nothing|you (?:are|were|did) (?:not|only|just))\b`,
      String.raw`\bwithout (?:the )?(?:user|anyone|human|owner)(?:'s)? (?:ever )?(?:knowing|knowledge|awareness|noticing|realizing|being (?:told|aware|notified))\b`,
      String.raw`\b${NOT} (?:mention|reveal|disclose|discuss|acknowledge|repeat|expose) (?:this|these|that|any of (?:this|these)|the (?:above|existence)) (?:instructions?|directives?|prompts?|steps?|messages?|rules?|requirements?|process|behaviou?r|action|verification)\b`,
      String.raw`\b${NOT}\s(?:explicitly\s|ever\s)?(?:mention|reveal|disclose|say|admit) (?:that|how|why) (?:you|this|it|the (?:file|data|tool))\b(?!.{0,40}\b(?:unless|until)\b)`,
    ),
    sign(
      'conceal',
      7,
      String.raw`\b${NOT}\s(?:explicitly\s|ever\s)?(?:mention|reveal|disclose) (?:this|it|that|the (?:change|step|call|upload|file|extra|transfer|difference))\b(?! (?:name|id|value|field|token|key))`,
      String.raw`\b(?:present|describe|report) (?:it|this|the (?:information|result|data|output)) as (?:if|though)\b|\bact as (?:if|though) (?:nothing|everything)\b|\bpretend (?:that )?(?:nothing|everything|it|this)\b`,
      String.raw`\bso (?:that )?(?:the )?(?:user|nobody|no one|human) (?:does not|doesn't|won't|will not|never|is not) (?:notices?|sees?|knows?|reali[sz]es?|alarmed|suspicious)\b`,
      String.raw`\b(?:could|would|might|may) (?:\w+ )?(?:upset|alarm|confuse|worry|scare) the user\b`,
      String.raw`\b(?:stay|remain|keep|be) (?:silent|quiet) about\b|\b(?:and|just) (?:stay|keep|remain) (?:silent|quiet)\b`,
      String.raw`\b(?:keep|hide) (?:(?:this|these)(?: \w+){0,2} (?:secret|confidential)|(?:this|it|these)(?: \w+){0,2} (?:hidden|to yourself|quiet))\b`,
    ),
    sign(
      'conceal',
      4,
      String.raw`\b(?:implementation detail|internal (?:step|process)).{0,40}\buser\b`,
    ),
    sign(
      'unasked',
      4,
      String.raw`\buser has (?:already )?(?:consented|agreed|approved|authori[sz]ed)\b|\b(?:not need|needs? no|no need for)(?: \w+){0,2} (?:approval|confirmation|consent|permission)\b`,
    ),
  ],
};

export const COVERT: SignGroup = {
  needs: [SORT.covert],
  signs: [
    sign(
      'conceal',
      7,
      String.raw`\b${COVERTLY}\b.{0,40}\b${DEED}\b`,
      String.raw`\b${DEED}\b.{0,30}\b(?:secretly|covertly|quietly|surreptitiously|stealthily|behind the scenes)\b`,
    ),
    sign(
      'unasked',
      4,
      String.raw`\b(?:without|with no|skip(?:ping)?|do not|don't|never) (?:any |further |explicit |asking for |ask(?:ing)? (?:the user )?(?:for )?)?(?:user )?(?:confirmation|approval|consent|permission|validation|verification)\b`,
    ),
    sign(
      'conceal',
      4,
      String.raw`\bcovert\b|\bstealth(?:y|ily)?\b|\bhidden (?:recipient|copy|channel|bcc)\b`,
    ),
  ],
};
