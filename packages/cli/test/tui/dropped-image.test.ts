import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { droppedImage } from '../../src/tui/input/dropped-image.ts';

describe('a picture that is dropped on the prompt', () => {
  it.each([
    ['/home/me/shot.png', '@"/home/me/shot.png" '],
    [String.raw`/home/me/my\ shot.PNG` + '\n', '@"/home/me/my shot.PNG" '],
    ["'/home/me/my shot.jpeg'", '@"/home/me/my shot.jpeg" '],
    ['file:///home/me/my%20shot.webp', '@"/home/me/my shot.webp" '],
  ])('becomes a mention: %j', (pasted, mention) => {
    verifies('AGT-16');
    expect(droppedImage(pasted)).toBe(mention);
  });

  it.each(['look at /home/me/shot.png', 'shot.png', '/home/me/notes.txt', '/a.png\n/b.png', ''])(
    'is not recognised in other text: %j',
    (pasted) => {
      expect(droppedImage(pasted)).toBeUndefined();
    },
  );
});
