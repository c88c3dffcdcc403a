/** Who the operators are, and what each may do. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Configuration, Credentials } from '../configuration';

export interface Operator {
  readonly name: string;
  readonly role: 'full' | 'read-only';
}

export interface Operators {
  /** @param authorization the header of that name. @returns undefined: nobody whom we know */
  identify(authorization: string | undefined): Operator | undefined;
  /** What is told to somebody unknown. */
  readonly expectation: string;
}

/** Without credentials and without API keys the gateway listens on loopback only (`configuration.ts`): whoever is there may act. */
const ON_THIS_MACHINE: Operator = { name: 'anybody on this machine', role: 'full' };

export function operatorsOf({
  apiKeys,
  operator,
  operatorReadOnly,
}: Pick<Configuration, 'apiKeys' | 'operator' | 'operatorReadOnly'>): Operators {
  const known: { digest: Buffer; operator: Operator }[] = [];
  const add = (credentials: Credentials | undefined, role: Operator['role']): void => {
    if (credentials === undefined) return;
    const { user, password } = credentials;
    known.push({ digest: digest(`${user}:${password}`), operator: { name: user, role } });
  };
  add(operator, 'full');
  add(operatorReadOnly, 'read-only');
  const open = known.length === 0 && apiKeys.length === 0;
  return {
    expectation:
      known.length === 0
        ? 'the operator pages are closed until OPERATOR_USER and OPERATOR_PASSWORD are configured'
        : 'Authorization: expected an operator’s user name and password (Basic)',
    identify: (authorization) => {
      if (open) return ON_THIS_MACHINE;
      const presented = digest(basicCredentials(authorization));
      // Every one is compared, so that the time taken does not tell which one came close.
      return known.filter((candidate) => timingSafeEqual(candidate.digest, presented))[0]?.operator;
    },
  };
}

/** Whether a method only looks. */
export function isLook(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

function basicCredentials(authorization = ''): string {
  const encoded = /^Basic (.+)$/i.exec(authorization)?.[1] ?? '';
  return Buffer.from(encoded, 'base64').toString('utf8');
}

/** Equal lengths for the comparison, and no password in memory longer than needed. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
