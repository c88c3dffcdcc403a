/**
 * Field masks: `sheets(properties(title),data.rowData)`, `a/b`, `*`. A mask is read into a tree, checked against the
 * description of the message, and cuts an answer down to what it names; lists are passed through element by element.
 */
import { badRequest, type ApiError } from './api-error';
import { camelCase, type FieldType, type MessageType } from './schema';

/** Children by name; an empty node means everything below. */
export interface MaskNode {
  readonly children: Map<string, MaskNode>;
}

export function parseMask(text: string): MaskNode {
  const reader = new MaskReader(text);
  return reader.read();
}

class MaskReader {
  private at = 0;
  constructor(private readonly text: string) {}

  read(): MaskNode {
    const root: MaskNode = { children: new Map() };
    this.group(root, '');
    return root;
  }

  private group(node: MaskNode, prefix: string): void {
    while (this.at < this.text.length && this.text[this.at] !== ')') {
      if (this.text[this.at] === ',') this.at += 1;
      else this.path(node, prefix);
    }
    if (prefix === '' && this.at < this.text.length) throw badMask(this.text);
  }

  private path(node: MaskNode, prefix: string): void {
    let current = node;
    let path = prefix;
    for (;;) {
      const match = /[^,./()]+/y;
      match.lastIndex = this.at;
      const word = match.exec(this.text)?.[0].trim();
      if (!word) throw badMask(this.text);
      this.at = match.lastIndex;
      path = path === '' ? word : `${path}.${word}`;
      const known = current.children.get(word);
      const child: MaskNode = known ?? { children: new Map() };
      current.children.set(word, child);
      const next = this.text[this.at];
      if (next === '.' || next === '/') this.at += 1;
      else if (next === '(') {
        this.at += 1;
        this.group(child, path);
        if (this.text[this.at] !== ')') throw badMask(this.text);
        this.at += 1;
        return;
      } else {
        // A bare name takes all below it, whatever was named there before.
        child.children.clear();
        return;
      }
      current = child;
    }
  }
}

/** Refuses a path that the message does not have. */
export function checkMask(mask: MaskNode, type: MessageType, path: readonly string[] = []): void {
  for (const [name, child] of mask.children) {
    if (name === '*') continue;
    const field = fieldOf(type, name);
    const here = [...path, name];
    if (field === undefined) throw badMask(here.join('.'));
    const inner = elementOf(field);
    if (inner.kind === 'message') checkMask(child, inner, here);
    else if (child.children.size > 0 && inner.kind !== 'any') throw badMask([...here, ...child.children.keys()].join('.'));
  }
}

/** Whether an answer under this mask contains the path. */
export function maskNames(mask: MaskNode, ...path: readonly string[]): boolean {
  let node = mask;
  for (const name of path) {
    if (node.children.size === 0 || node.children.has('*')) return true;
    const next = node.children.get(name);
    if (!next) return false;
    node = next;
  }
  return true;
}

export function applyMask(mask: MaskNode, value: unknown): unknown {
  if (mask.children.size === 0 || mask.children.has('*')) return value;
  if (Array.isArray(value)) return value.map((item) => applyMask(mask, item));
  if (value === null || typeof value !== 'object') return value;
  const source = value as Record<string, unknown>;
  const kept: Record<string, unknown> = {};
  for (const key in source) {
    const child = mask.children.get(key);
    if (child && source[key] !== undefined) kept[key] = applyMask(child, source[key]);
  }
  return kept;
}

function fieldOf(type: MessageType, name: string): FieldType | undefined {
  return type.fields[name] ?? (name.includes('_') ? type.fields[camelCase(name)] : undefined);
}

function elementOf(field: FieldType): FieldType {
  return field.kind === 'list' ? elementOf(field.of) : field;
}

function badMask(path: string): ApiError {
  const description = `Error expanding 'fields' parameter. Cannot find matching fields for path '${path}'.`;
  return badRequest([{ field: path, description }], 'Request contains an invalid argument.');
}
