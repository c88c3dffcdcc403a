import { BadRequestException, Controller, HttpCode, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** How long a token is said to last. Source: "Using OAuth 2.0 for Server to Server Applications", access token response. */
const TOKEN_SECONDS = 3_599;

/**
 * Stands in for Google's token endpoint, so that a service-account file whose `token_uri` points here signs in. The
 * assertion is not verified; its issuer becomes the user whose quota counts.
 */
@Controller()
export class TokenController {
  @Post(['token', 'oauth2/v4/token'])
  @HttpCode(200)
  issue(@Req() request: FastifyRequest): Record<string, unknown> {
    const form = new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '');
    const user = issuerOf(form.get('assertion')) ?? form.get('refresh_token') ?? 'somebody';
    return { access_token: `mock.${user}`, expires_in: TOKEN_SECONDS, token_type: 'Bearer' };
  }
}

function issuerOf(assertion: string | null): string | undefined {
  if (!assertion) return undefined;
  try {
    const claims = JSON.parse(Buffer.from(assertion.split('.')[1] ?? '', 'base64url').toString()) as { iss?: unknown };
    return typeof claims.iss === 'string' ? claims.iss : undefined;
  } catch {
    throw new BadRequestException('Invalid JWT: the assertion cannot be read.');
  }
}
