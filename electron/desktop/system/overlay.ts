import type { Dock } from './dock-model.ts';

const side = 32;
/** The colours in BGRA order, which `nativeImage.createFromBitmap` requires. */
const colours = { normal: [0xd4, 0x78, 0x00, 0xff], error: [0x38, 0x34, 0xd1, 0xff] } as const;

/** Returns a bitmap of a disc for the corner of the taskbar button, where Windows cannot show a number. */
export function overlayBitmap(mode: Dock['mode']): { readonly bitmap: Buffer; readonly side: number } {
  const bitmap = Buffer.alloc(side * side * 4);
  const middle = (side - 1) / 2;
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1)
      if (Math.hypot(x - middle, y - middle) <= side / 2 - 3) bitmap.set(colours[mode], (y * side + x) * 4);
  return { bitmap, side };
}
