// Somebody else is made to speak, or the text is made to look like more than a description.

import { sign, type SignGroup } from './sign.ts';
import { SORT } from './telling-words.ts';
import { MODEL } from './words.ts';

export const ROLE: SignGroup = {
  needs: [SORT.role],
  signs: [
    sign(
      'role',
      10,
      String.raw`<\|(?:im_start|im_end|system|user|assistant|endoftext|start_header|eot_id|begin_of_text)|\[/?inst\]|<</?sys>>|<\s?/?\s?(?:system|hidden|admin|sudo|override|jailbreak)(?:[ _-]?(?:prompt|message|instructions?|note|override|directive))?\s?>|<\s?/\s?(?:secret|internal|assistant|instructions?[ _-]for[ _-]\w+)\s?>`,
      String.raw`\{\{\s?(?:system|override|instruction)\b`,
    ),
    sign(
      'role',
      7,
      String.raw`[[(<{](?:[\w -]{0,20}\s)?(?:system|hidden|metadata|assistant|role|emergency|secret|internal|admin|ai)[ _-](?:\w{1,12} )?(?:directives?|instructions?|notes?|overrides?|prompts?|messages?|commands?)\b`,
      String.raw`\b(?:hidden|secret|covert|system|priority|emergency|security|safety|admin) (?:override )?(?:directives?|instructions?|override|bypass protocol)\s?[:\])]`,
      String.raw`\[(?:system|admin|developer|assistant)\]`,
      String.raw`#{2,}\s*(?:system|new instructions?|instructions? for (?:the )?${MODEL})\b`,
      String.raw`<!--.{0,200}\b(?:${MODEL}|you|ignore|must|system|instructions?)\b`,
    ),
    sign(
      'role',
      5,
      String.raw`(?:^|[\])}>.!?-]\s?)(?:important )?(?:system|assistant|developer|admin)(?: (?:note|message|override|prompt|notice|instruction|policy|update))?s?\s?:\s?(?=\S)(?!https?:).{0,80}\b(?:you|must|ignore|bypass|trust|always|never|before|when|requires?|execute|call|override|from now)\b`,
      String.raw`\b(?:note|message|instructions?|reminder|directive|memo|notice) (?:to|for) (?:the |any |all )?${MODEL}s?\b`,
      String.raw`\bassistant: .{0,200}\buser: |\buser: .{0,200}\bassistant: `,
      String.raw`\b(?:trust|treat) (?:all|any|every) (?:user |admin )?(?:input|commands?|quer(?:y|ies)|requests?|roles?)\b`,
    ),
    sign(
      'tag',
      5,
      String.raw`<\s?/?\s?(?:important|critical|priority|mandatory|urgent|instructions?|rules?|note[_-]to[_-]\w+)\s?>|\[(?:important|critical|mandatory|priority)\]`,
    ),
  ],
};

export const ADDRESS: SignGroup = {
  needs: [SORT.press, SORT.others],
  signs: [
    sign(
      'tag',
      3,
      String.raw`\b(?:important|critical|mandatory|priority|urgent|required)(?: (?:system|security|safety|compliance|protocol|setup))?(?: (?:note|notice|instruction|step|requirement|message|directive|check))s?\s?:`,
    ),
    sign(
      'address',
      3,
      String.raw`\bthe ${MODEL} (?:must|should|shall|has to|needs to|is required to|will)\b`,
      String.raw`\byou (?:must|are required to|have to|shall|need to|should) (?:also |always |first |then |now |immediately |secretly )?(?:read|send|call|forward|include|access|open|copy|fetch|obey|comply|execute|pass|append|upload|retrieve|collect|use)\b`,
      String.raw`\bfrom now on\b|\bfor (?:the rest|the remainder) of (?:this|the) (?:session|conversation)\b|\bin every (?:response|answer|reply)\b`,
    ),
  ],
};
