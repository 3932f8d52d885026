// Lowers the weight of words that sound like an attack if their context makes it likely that they are only
// mentioned: a verb of detection, a label, a subject such as tests. Never lowers it to zero, since an attacker can write
// such a context too. Pure.

interface ContextDiscount {
  readonly factor: number;
  readonly pattern: RegExp;
}

/** Context in the same sentence, before the words. */
const BEFORE: readonly ContextDiscount[] = [
  {
    factor: 0.5,
    pattern:
      /\b(?:detect|analy[sz]|check|flag|block|explain|identif|scan|guard|prevent|classif|recogni[sz]|report|search|test|evaluat|filter|warn|protect|document|descri|audit|assess|defend|mitigat|simulat|sanitiz|catch)\w*\b.{0,80}\b(?:that|which|when|whether|if|asks?|tr(?:ies|ying|y) to|attempts?|such as|like|against|as|contain(?:s|ing)?|phrases?|strings?|patterns?)\b.{0,40}$/,
  },
  {
    factor: 0.95,
    pattern:
      /\b(?:expected|sample|mock|example|canned|test|illustrative|training|simulated|fixture)s?\s?(?:output|response|reply|replie|text|input|prompt|string|data|payload)?s?\s?[:=].{0,160}$/,
  },
];

/** Context anywhere near the words. */
const AROUND: readonly ContextDiscount[] = [
  {
    factor: 0.5,
    pattern: /\b(?:fixtures?|documentation snippets|canned|for tests|unit tests?|test suite)\b/,
  },
  {
    factor: 0.3,
    pattern: /\b(?:illustrative|not an instruction|not instructions|for demonstration)\b/,
  },
  // Sending data back to the caller is legitimate.
  {
    factor: 0.55,
    pattern:
      /\b(?:sends?|returns?|shows?|gives?) (?:it|them) (?:back )?to (?:the )?(?:caller|requester)\b/,
  },
];

const NEAR = 200;

export function contextOf(
  plain: string,
  { start, at }: { readonly start: number; readonly at: number },
): number {
  const before = plain.slice(Math.max(start, at - NEAR), at);
  const around = plain.slice(Math.max(0, start - NEAR), at + NEAR);
  let factor = 1;
  for (const lowering of BEFORE) if (lowering.pattern.test(before)) factor *= lowering.factor;
  for (const lowering of AROUND) if (lowering.pattern.test(around)) factor *= lowering.factor;
  return factor;
}
