import { standIn } from './app.mjs';

standIn('gateway', process.env.PORT);
console.log(
  `given REDIS_URL=${process.env.REDIS_URL} UPSTREAM_BASE_URL=${process.env.UPSTREAM_BASE_URL} ROLE=${process.env.ROLE}`,
);
