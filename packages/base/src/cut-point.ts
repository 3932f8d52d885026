/** The position, or the one before it if a cut there would split a character in two. */
export function cutPoint(text: string, at: number): number {
  const unit = text.charCodeAt(at - 1);
  return unit >= 0xd800 && unit <= 0xdbff ? at - 1 : at;
}
