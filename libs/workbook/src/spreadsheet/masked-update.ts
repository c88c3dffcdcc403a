/** `fields` of a request: what it names is taken from the given object, and cleared where that does not have it. */
import { invalid } from '../wire/api-error';
import { parseMask, type MaskNode } from '../wire/field-mask';

type Json = Record<string, unknown>;

export function requiredMask(fields: string | undefined, root?: string): MaskNode {
  if (fields === undefined || fields.trim() === '')
    throw invalid("At least one field must be listed in 'fields'. (Use '*' to indicate all fields.)");
  const mask = parseMask(fields);
  // The root is implied, but may be written.
  const inner = root === undefined ? undefined : mask.children.get(root);
  return inner && mask.children.size === 1 ? (inner.children.size === 0 ? EVERYTHING : inner) : mask;
}

const EVERYTHING: MaskNode = { children: new Map([['*', { children: new Map() }]]) };

export function namesAll(mask: MaskNode): boolean {
  return mask.children.has('*');
}

/** `target` with the named fields as in `source`. */
export function maskedUpdate(target: Json, source: Json, mask: MaskNode): Json {
  if (namesAll(mask)) return source;
  const result: Json = { ...target };
  for (const [name, child] of mask.children) {
    const given = source[name];
    const value = child.children.size === 0 ? given : maskedUpdate(asObject(result[name]), asObject(given), child);
    if (value === undefined || value === null || (child.children.size > 0 && Object.keys(value).length === 0))
      delete result[name];
    else result[name] = value;
  }
  return result;
}

function asObject(value: unknown): Json {
  return value !== null && typeof value === 'object' ? (value as Json) : {};
}
