import { ACCEPTS_STOP_RATIO, CodedError } from '@app/platform';
import type { NoRoom } from '@app/write-log';

/** The drain needs some seconds to make room in Redis. */
const RETRY_AFTER_MS = 5_000;

/** Why a write was not accepted: nothing of it is anywhere. */
export function noRoomError(room: NoRoom): CodedError {
  if (room.kind === 'redis-full') {
    return new CodedError({
      code: 'redis-memory',
      status: 503,
      message:
        `Redis uses ${room.usedBytes} of its ${room.maxBytes} bytes (maxmemory), and from ${100 * ACCEPTS_STOP_RATIO} % on no write is accepted; ` +
        'nothing of this one was: send it again later',
      retryAfterMs: RETRY_AFTER_MS,
    });
  }
  const { cells, needed, cellsMax } = room;
  return new CodedError({
    code: 'workbook-full',
    status: 422,
    message:
      `the workbook has ${cells} cells, accepted writes included, and would need ${needed} more; a workbook can have ${cellsMax}: ` +
      'delete rows, columns or tabs that nobody needs, or write to another spreadsheet',
    details: { cells, needed, cellsMax },
  });
}
