/**
 * Reads a JSON body the way the service does: by the description of its message. Names may be lower camel or snake case,
 * numbers may come as text, `null` means unset, an unknown name is refused. All refusals are collected for one answer.
 */
import { badRequest, type ApiError, type Violation } from './api-error';
import { camelCase, snakeCase, type EnumType, type FieldType, type MessageType } from './schema';

const INT32_MIN = -2_147_483_648;
const INT32_MAX = 2_147_483_647;

export function parseMessage(type: MessageType, json: unknown, root = ''): Record<string, unknown> {
  if (json === null || typeof json !== 'object' || Array.isArray(json)) {
    throw badRequest([{ description: 'Invalid JSON payload received. Unknown name "": Root element must be a message.' }]);
  }
  const reader = new MessageReader();
  const parsed = reader.message(type, json as Record<string, unknown>, root);
  reader.throwIfRefused();
  return parsed;
}

export function syntaxError(detail: string): ApiError {
  const text = `Invalid JSON payload received. ${detail}`;
  return badRequest([{ description: text }]);
}

class MessageReader {
  private readonly violations: Violation[] = [];

  throwIfRefused(): void {
    if (this.violations.length > 0) throw badRequest(this.violations);
  }

  message(type: MessageType, json: Record<string, unknown>, path: string): Record<string, unknown> {
    const parsed: Record<string, unknown> = {};
    let member: string | undefined;
    for (const key in json) {
      const name = key in type.fields ? key : camelCase(key);
      const field = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined;
      if (field === undefined) {
        this.refuseUnknown(key, path);
        continue;
      }
      const value = json[key];
      if (value === null) continue;
      if (type.oneof?.members.includes(name)) {
        if (member !== undefined)
          this.refuse(
            path,
            `Invalid value at '${path}' (oneof), oneof field '${type.oneof.name}' is already set. Cannot set '${name}'`,
          );
        member = name;
      }
      parsed[name] = this.value(field, value, path === '' ? snakeCase(name) : `${path}.${snakeCase(name)}`, name);
    }
    return parsed;
  }

  private value(type: FieldType, value: unknown, path: string, name: string): unknown {
    if (type.kind === 'list') return this.list(type.of, value, path, name);
    if (type.kind === 'any') return value;
    if (type.kind === 'listValue') return this.listValue(value, path);
    if (Array.isArray(value))
      return this.refuse(
        path,
        `Invalid JSON payload received. Unknown name "${name}" at '${parentOf(path)}': Proto field is not repeating, cannot start list.`,
      );
    if (type.kind === 'message') {
      if (typeof value === 'object') return this.message(type, value as Record<string, unknown>, path);
      return this.refuse(path, `Invalid value at '${path}' (${type.typeName}), ${quoted(value)}`);
    }
    return this.scalar(type, value, path, name);
  }

  private list(of: FieldType, value: unknown, path: string, name: string): unknown[] {
    if (!Array.isArray(value)) {
      // One element stands for a list of one, except where each element is itself a list.
      if (of.kind === 'listValue') return [this.refuse(path, `Invalid value at '${path}' (${LIST_VALUE}), ${quoted(value)}`)];
      return [this.value(of, value, `${path}[0]`, name)];
    }
    if (of.kind === 'listValue')
      return value.filter((item) => item !== null).map((item, index) => this.listValue(item, `${path}[${index}]`));
    const parsed: unknown[] = [];
    for (const item of value.flat(Infinity) as unknown[]) {
      if (item !== null) parsed.push(this.value(of, item, `${path}[${parsed.length}]`, name));
    }
    return parsed;
  }

  private listValue(value: unknown, path: string): unknown {
    return Array.isArray(value) ? value : this.refuse(path, `Invalid value at '${path}' (${LIST_VALUE}), ${quoted(value)}`);
  }

  private scalar(type: Exclude<FieldType, { kind: 'list' | 'message' }>, value: unknown, path: string, name: string): unknown {
    if (typeof value === 'object' && value !== null) {
      const wrapped = (value as { value?: unknown }).value;
      const isWrapper = type.kind === 'int32' && Object.keys(value).every((key) => key === 'value');
      if (!isWrapper)
        return this.refuse(path, `Invalid value at '${parentOf(path)}' (${name}), Starting an object on a scalar field`);
      return wrapped === undefined ? 0 : this.scalar(type, wrapped, `${path}.value`, name);
    }
    const parsed = parseScalar(type, value);
    if (parsed === undefined && 'wrapped' in type && !path.endsWith('.value')) path = `${path}.value`;
    return parsed === undefined
      ? this.refuse(path, `Invalid value at '${path}' (${typeNameOf(type)}), ${quoted(value)}`)
      : parsed;
  }

  private refuseUnknown(name: string, path: string): void {
    const place = path === '' ? '' : ` at '${path}'`;
    this.refuse(path, `Invalid JSON payload received. Unknown name "${name}"${place}: Cannot find field.`);
  }

  private refuse(field: string, description: string): undefined {
    this.violations.push({ field, description });
    return undefined;
  }
}

const LIST_VALUE = 'type.googleapis.com/google.protobuf.ListValue';

function parseScalar(type: Exclude<FieldType, { kind: 'list' | 'message' }>, value: unknown): unknown {
  switch (type.kind) {
    case 'string':
      return typeof value === 'string' ? value : undefined;
    case 'bool':
      if (typeof value === 'boolean') return value;
      return value === 1 || value === 0 ? value === 1 : undefined;
    case 'double': {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
    }
    case 'int32':
      return parseInt32(value);
    case 'enum':
      return parseEnum(type, value);
    default:
      return value;
  }
}

function parseInt32(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\t*[+-]?\d+$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number)) return undefined;
  return number >= INT32_MIN && number <= INT32_MAX ? number : undefined;
}

export function parseEnum(type: EnumType, value: unknown): string | undefined {
  if (typeof value === 'number') return type.names[value];
  return typeof value === 'string' ? type.names.find((name) => name === value.toUpperCase()) : undefined;
}

export function typeNameOf(type: FieldType): string {
  switch (type.kind) {
    case 'enum':
    case 'message':
      return type.typeName;
    case 'bool':
      return 'TYPE_BOOL';
    case 'int32':
      return 'TYPE_INT32';
    case 'double':
      return 'TYPE_DOUBLE';
    default:
      return 'TYPE_STRING';
  }
}

function quoted(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : String(value);
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('.')));
}
