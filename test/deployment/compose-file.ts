/** Reads a Compose file as `docker compose` does: variables first, then YAML with its merge keys. */
import { parse } from 'yaml';

export interface Service {
  image?: string;
  build?: { context: string; target?: string };
  profiles?: string[];
  command?: string[];
  user?: string;
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  networks?: string[];
  ports?: string[];
  volumes?: string[];
  read_only?: boolean;
  privileged?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
}
export interface ComposeFile {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean }>;
  volumes: Record<string, unknown>;
}

/** What a person may set: `${NAME}`, `${NAME:-default}`, `${NAME-default}`, `${NAME:?message}`, `${NAME?message}`; `$$` is a `$`. */
const VARIABLE = /\$\$|\$\{([A-Za-z_]\w*)(?:(:?[-?])([^}]*))?\}/g;

export class MissingVariable extends Error {}

function interpolate(text: string, environment: Partial<Record<string, string>>): string {
  return text.replace(VARIABLE, (whole, name?: string, operator: string = '', argument: string = '') => {
    if (name === undefined) return '$';
    const value = environment[name];
    const isSet = value !== undefined && !(operator.startsWith(':') && value === '');
    if (isSet) return value;
    if (operator.endsWith('?')) throw new MissingVariable(`${name}: ${argument}`);
    if (operator.endsWith('-')) return argument;
    throw new MissingVariable(`${whole} has neither a default nor a message`);
  });
}

/** Every text of the document, keys aside, goes through `change`. */
function mapTexts(node: unknown, change: (text: string) => string): unknown {
  if (typeof node === 'string') return change(node);
  if (Array.isArray(node)) return node.map((item) => mapTexts(item, change));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, mapTexts(value, change)]));
}

export const parseUnresolved = (source: string): ComposeFile => parse(source, { merge: true }) as ComposeFile;

export const parseCompose = (source: string, environment: Partial<Record<string, string>>): ComposeFile =>
  mapTexts(parseUnresolved(source), (text) => interpolate(text, environment)) as ComposeFile;
