import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccessGate, SignInError, type IssuedToken } from './access-gate';

/**
 * Stands in for Google's token endpoint, so that a service-account file whose `token_uri` points here signs in. The issuer of
 * the assertion becomes the user whose quota counts; its signature is looked at where the control route named the public key.
 */
@Controller()
export class TokenController {
  constructor(private readonly access: AccessGate) {}

  @Post(['token', 'oauth2/v4/token'])
  async issue(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '');
    const assertion = form.get('assertion');
    try {
      const { accessToken, seconds }: IssuedToken = assertion
        ? this.access.signIn(assertion)
        : this.access.issue(form.get('refresh_token') ?? 'somebody');
      await reply.status(200).send({ access_token: accessToken, expires_in: seconds, token_type: 'Bearer' });
    } catch (error) {
      if (!(error instanceof SignInError)) throw error;
      await reply.status(400).send({ error: error.error, error_description: error.message });
    }
  }
}
