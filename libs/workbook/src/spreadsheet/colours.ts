/**
 * Colours as the service keeps them: eight bits a channel, written as the shortest single-precision fraction, a channel of
 * 0 left out. A colour that is set is also answered as the `...Style` field of its name.
 */
type Json = Record<string, unknown>;

const CHANNELS = ['red', 'green', 'blue', 'alpha'] as const;

export function storedColour(colour: unknown): Json {
  const stored: Json = {};
  for (const channel of CHANNELS) {
    const value = (colour as Json | undefined)?.[channel];
    if (typeof value === 'number' && value > 0) stored[channel] = eightBit(value);
  }
  return stored;
}

function eightBit(value: number): number {
  const exact = Math.fround(Math.trunc(Math.min(1, value) * 255) / 255);
  for (let digits = 1; digits < 10; digits += 1) {
    const short = Number(exact.toPrecision(digits));
    if (Math.fround(short) === exact) return short;
  }
  return exact;
}

/** `name` and `nameStyle` brought into line, whichever of them was set. */
export function withColourPair<T extends Json>(source: T, name: string): T {
  const style = source[`${name}Style`] as { rgbColor?: unknown; themeColor?: unknown } | undefined;
  if (style?.themeColor !== undefined) return source;
  const rgb = style === undefined ? source[name] : style.rgbColor;
  const { [name]: _colour, [`${name}Style`]: _style, ...rest } = source;
  if (rgb === undefined || rgb === null) return rest as T;
  const stored = storedColour(rgb);
  return { ...rest, [name]: stored, [`${name}Style`]: { rgbColor: stored } } as unknown as T;
}

/** The order in which the service writes the fields of a format. */
const FORMAT_ORDER = [
  'numberFormat', 'backgroundColor', 'borders', 'padding', 'horizontalAlignment', 'verticalAlignment', 'wrapStrategy', 'textDirection',
  'textFormat', 'hyperlinkDisplayType', 'textRotation', 'backgroundColorStyle',
]; // prettier-ignore

export function storedFormat(format: Json): Json {
  const paired = withColourPair(format, 'backgroundColor');
  const textFormat = paired['textFormat'] as Json | undefined;
  const whole: Json = textFormat ? { ...paired, textFormat: withColourPair(textFormat, 'foregroundColor') } : paired;
  const place = (name: string) => (FORMAT_ORDER.includes(name) ? FORMAT_ORDER.indexOf(name) : FORMAT_ORDER.length);
  return Object.fromEntries(Object.entries(whole).sort(([a], [b]) => place(a) - place(b)));
}
