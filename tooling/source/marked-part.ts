// The generated part of a page, between two marks. The text around it is kept.

export interface MarkedPage {
  readonly before: string;
  readonly after: string;
}

/** `name` is the name of the marks: `<!-- name:begin -->` and `<!-- name:end -->`. */
export function splitAtMarks(page: string, name: string): MarkedPage {
  const { begin, end } = marksOf(name);
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`the page lacks ${begin} and ${end}`);
  return { before: page.slice(0, from), after: page.slice(to + end.length) };
}

/** The page with an updated generated part. */
export function writeMarkedPart(page: string, name: string, text: string): string {
  const { before, after } = splitAtMarks(page, name);
  const { begin, end } = marksOf(name);
  return `${before}${begin}\n\n${text}\n\n${end}${after}`;
}

function marksOf(name: string): { readonly begin: string; readonly end: string } {
  return { begin: `<!-- ${name}:begin -->`, end: `<!-- ${name}:end -->` };
}
