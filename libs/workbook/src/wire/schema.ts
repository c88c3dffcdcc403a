/** Descriptions of messages: what a body may contain, and which paths a field mask may name. */

export interface EnumType {
  readonly kind: 'enum';
  readonly typeName: string;
  readonly names: readonly string[];
}

export interface MessageType {
  readonly kind: 'message';
  readonly typeName: string;
  readonly fields: Readonly<Record<string, FieldType>>;
  /** Members of which only one may be set. */
  readonly oneof?: { readonly name: string; readonly members: readonly string[] };
}

export interface ListType {
  readonly kind: 'list';
  readonly of: FieldType;
}

export interface ScalarType {
  readonly kind: 'string' | 'int32' | 'double' | 'bool' | 'any' | 'listValue';
  /** Tells unset from 0; refusals name its inner field. */
  readonly wrapped?: boolean;
}

export type FieldType = EnumType | MessageType | ListType | ScalarType;

const SHEETS_TYPES = 'type.googleapis.com/google.apps.sheets.v4.';

export const string: ScalarType = { kind: 'string' };
export const int32: ScalarType = { kind: 'int32' };
export const int32Value: ScalarType = { kind: 'int32', wrapped: true };
export const double: ScalarType = { kind: 'double' };
export const bool: ScalarType = { kind: 'bool' };
/** Kept as it comes, unchecked: formats, rules and the like, of which the mock stores what it is given. */
export const any: ScalarType = { kind: 'any' };
/** One row (or column) of a ValueRange. */
export const listValue: ScalarType = { kind: 'listValue' };

export function list(of: FieldType): ListType {
  return { kind: 'list', of };
}

export function enumeration(typeName: string, ...names: string[]): EnumType {
  return { kind: 'enum', typeName: SHEETS_TYPES + typeName, names };
}

export function message(typeName: string, fields: Record<string, FieldType>, oneof?: MessageType['oneof']): MessageType {
  return { kind: 'message', typeName: SHEETS_TYPES + typeName, fields, oneof };
}

export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
