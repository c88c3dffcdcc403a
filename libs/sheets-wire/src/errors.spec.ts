import { parseQuotaError, parseRequestIndex, quotaErrorBody } from './index';

describe('error bodies', () => {
  it.each([
    ['read_requests', 'user', 'ReadRequestsPerMinutePerUser', 60],
    ['read_requests', 'project', 'ReadRequestsPerMinutePerProject', 300],
    ['write_requests', 'user', 'WriteRequestsPerMinutePerUser', 60],
    ['write_requests', 'project', 'WriteRequestsPerMinutePerProject', 300],
  ] as const)('a quota error tells its limit: %s per %s', (metric, scope, limitId, limitValue) => {
    expect(parseQuotaError(quotaErrorBody({ metric, scope, limitValue }))).toEqual({ metric, scope, limitId, limitValue });
  });

  it('reads the limit from the message where a body has no details', () => {
    const { error } = quotaErrorBody({ metric: 'write_requests', scope: 'user', limitValue: 60 });
    const bare = { error: { code: error.code, message: error.message, status: error.status } };
    expect(parseQuotaError(bare)).toEqual({ metric: 'write_requests', scope: 'user', limitId: 'WriteRequestsPerMinutePerUser' });
  });

  it.each([undefined, null, 'text', {}, { error: null }, { error: { message: 'Too many' } }])('finds no limit in %j', (body) => {
    expect(parseQuotaError(body)).toBeUndefined();
  });

  it('tells which request of a batch was refused', () => {
    expect(parseRequestIndex('Invalid requests[12].updateCells: No grid with id: 9')).toBe(12);
    expect(parseRequestIndex('Invalid data[0]: Unable to parse range: x')).toBe(0);
    expect(parseRequestIndex("Invalid value at 'requests[0]'")).toBeUndefined();
  });
});
