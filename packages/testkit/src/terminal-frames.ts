// Draws box-drawing characters as lines, since fonts leave gaps between rows. Pure.

export interface CellPlace {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The sides of the cell that a character reaches: up, down, left, right. `o` marks a rounded corner. */
const SIDES: Readonly<Record<string, string>> = {
  '─': 'lr',
  '━': 'lr',
  '│': 'ud',
  '┃': 'ud',
  '┌': 'dr',
  '┐': 'dl',
  '└': 'ur',
  '┘': 'ul',
  '╭': 'dro',
  '╮': 'dlo',
  '╰': 'uro',
  '╯': 'ulo',
  '├': 'udr',
  '┤': 'udl',
  '┬': 'dlr',
  '┴': 'ulr',
  '┼': 'udlr',
};

/** The path of a character in its cell; `undefined` for other characters. */
export function frameLines(character: string): ((place: CellPlace) => string) | undefined {
  const sides = SIDES[character];
  if (sides === undefined) return undefined;
  return ({ x, y, width, height }) => {
    const [middleX, middleY] = [round(x + width / 2), round(y + height / 2)];
    const ends = {
      u: `${middleX} ${y}`,
      d: `${middleX} ${round(y + height)}`,
      l: `${x} ${middleY}`,
      r: `${round(x + width)} ${middleY}`,
    };
    const reached = (['u', 'd', 'l', 'r'] as const).filter((side) => sides.includes(side));
    const [first, second] = reached;
    if (sides.includes('o') && first !== undefined && second !== undefined) {
      return `M${ends[first]}Q${middleX} ${middleY} ${ends[second]}`;
    }
    return reached.map((side) => `M${middleX} ${middleY}L${ends[side]}`).join('');
  };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
