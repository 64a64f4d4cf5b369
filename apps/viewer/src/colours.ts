// Colours for colour-blind users, too: cividis for order and height, blue and orange for sides.

const CIVIDIS = [
  [0, 34, 78], [18, 53, 112], [59, 73, 108], [87, 93, 109], [112, 113, 115], [138, 134, 120],
  [165, 156, 116], [195, 179, 105], [225, 204, 85], [254, 232, 56],
];
const ORANGE = [
  [127, 39, 4], [166, 54, 3], [204, 76, 2], [236, 112, 20], [254, 153, 41], [254, 196, 79],
];

function between(table: number[][], share: number): [number, number, number] {
  const at = Math.max(0, Math.min(1, share)) * (table.length - 1);
  const i = Math.min(table.length - 2, Math.floor(at)), t = at - i;
  return [0, 1, 2].map((k) => Math.round(table[i][k] * (1 - t) + table[i + 1][k] * t)) as [number, number, number];
}

// As one 32-bit number in the order of ImageData.
function packed([r, g, b]: [number, number, number]): number {
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

function table(source: number[][], from: number, to: number): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, i) => packed(between(source, from + (to - from) * (i / 255))));
}

export const forwardColours = table(CIVIDIS, 0.15, 1);
export const backwardColours = table(ORANGE, 0, 1);
export const heightColours = table(CIVIDIS, 0, 1);

// Width and dash say it, too: not by colour alone.
export function trafficColour(factor: number, dark: boolean): string {
  if (factor < 1) return dark ? "#5ec8a8" : "#00795c";
  return factor < 4 ? (dark ? "#e8b06a" : "#b85c00") : dark ? "#b692e6" : "#6a3d9a";
}
