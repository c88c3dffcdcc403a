/** The least that reads from Redis: bare Fastify, one GET, the bytes as they are. */
import { connectRedis } from '@app/platform';
import fastify from 'fastify';

const redis = connectRedis(process.env.REDIS_URL as string, 'request');
const server = fastify();
server.get('/body', async (_request, reply) => {
  void reply.header('content-type', 'application/json; charset=utf-8');
  return await redis.get('bench:body');
});
server.get('/ready', () => 'ready');
void server.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
