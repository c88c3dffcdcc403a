import { findRoute } from './route';
import { METHODS } from './method-table';

function routed(method: string, path: string) {
  const route = findRoute(method, path);
  const name = Object.keys(METHODS).find((key) => METHODS[key] === route?.method);
  return route && [name, route.spreadsheetId, route.last];
}

const base = '/v4/spreadsheets';

describe('the method of a path', () => {
  it.each([
    ['POST', base, ['POST spreadsheets', '', '']],
    ['GET', `${base}/ID`, ['GET ID', 'ID', '']],
    ['GET', `${base}/ID/`, ['GET ID', 'ID', '']],
    ['POST', `${base}/ID:batchUpdate`, ['POST ID:batchUpdate', 'ID', '']],
    ['POST', `${base}/ID/:batchUpdate`, ['POST ID:batchUpdate', 'ID', '']],
    ['POST', `${base}/ID/:getByDataFilter`, ['POST ID:getByDataFilter', 'ID', '']],
    ['GET', `${base}/ID/values/'Sheet1'!A1:Z1`, ['GET ID/values/*', 'ID', "'Sheet1'!A1:Z1"]],
    ['GET', `${base}/ID/values/%27It%27%27s%20a%2Fb%27%21A1%3AB2`, ['GET ID/values/*', 'ID', "'It''s a/b'!A1:B2"]],
    ['GET', `${base}/ID/values/a%2525`, ['GET ID/values/*', 'ID', 'a%25']],
    ['GET', `${base}/ID/values/a+b!A1`, ['GET ID/values/*', 'ID', 'a+b!A1']],
    ['POST', `${base}/ID/values/'18:21'!A1:B:append`, ['POST ID/values/*:append', 'ID', "'18:21'!A1:B"]],
    ['POST', `${base}/ID/values/'Sheet1':clear`, ['POST ID/values/*:clear', 'ID', "'Sheet1'"]],
    ['GET', `${base}/ID/values:batchGet`, ['GET ID/values:batchGet', 'ID', '']],
    ['POST', `${base}/ID/sheets/7:copyTo`, ['POST ID/sheets/*:copyTo', 'ID', '7']],
    ['GET', `${base}/ID/developerMetadata/12`, ['GET ID/developerMetadata/*', 'ID', '12']],
    ['DELETE', `${base}/ID`, undefined],
    ['GET', `${base}/ID/nope`, undefined],
    ['GET', '/v4/spreadsheetsandmore', undefined],
  ])('%s %s', (method, path, expected) => expect(routed(method, path)).toEqual(expected));
});
