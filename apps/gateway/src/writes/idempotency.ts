/** The Idempotency-Key of a request: the same key and body again gets the first answer. */
import { createHash } from 'node:crypto';
import { badInput } from '@app/platform';
import type { FastifyRequest } from 'fastify';
import { credentialOf } from '../http/access';

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

export interface Idempotency {
  /** As the client gave it. */
  readonly key: string;
  /** Credential, method and path: the same key elsewhere is another key. */
  readonly scope: string;
  readonly body: unknown;
}

export function idempotencyOf(request: FastifyRequest, body: unknown): Idempotency | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key)) {
    throw badInput(
      'invalid-idempotency-key',
      'Idempotency-Key',
      `Idempotency-Key: found ${key.length} characters, expected 1 to 255 printable ones without spaces`,
    );
  }
  return { key, scope: `${credentialOf(request)} ${request.method} ${request.url.split('?')[0]}`, body };
}

/** What is kept of it, so that neither key nor body stand in Redis. */
export function digestsOf(idempotency: Idempotency): { key: string; bodyDigest: string } {
  const hash = (text: string): string => createHash('sha256').update(text).digest('base64url');
  return { key: hash(`${idempotency.scope}\n${idempotency.key}`), bodyDigest: hash(JSON.stringify(idempotency.body) ?? '') };
}
