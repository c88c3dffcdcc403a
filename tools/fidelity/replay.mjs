/** Sends recorded calls to a server and holds its answers against the recorded ones. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kindOf } from './call-kind.mjs';
import { ChosenIds } from './chosen-ids.mjs';
import { comparable, differences } from './compare.mjs';

/** A call that takes longer counts as a mismatch. */
const CALL_TIMEOUT_MS = 30_000;

/** Something that the caller has to put right. */
export class RecordingsError extends Error {}

/** Files of `{name, recordings: [{title, spreadsheetId, interactions: [{method, path, body?, status, response}]}]}`. */
export function readRecordings(folder) {
  let names;
  try {
    names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch (error) {
    throw new RecordingsError(`${folder} cannot be read (${error.code})`);
  }
  const files = names.sort().map((name) => {
    const path = join(folder, name);
    let file;
    try {
      file = JSON.parse(readFileSync(path, 'utf8'));
    } catch (error) {
      throw new RecordingsError(`${path} is not JSON: ${error.message}`);
    }
    if (!Array.isArray(file?.recordings)) throw new RecordingsError(`${path} has no list "recordings"`);
    return { name: file.name ?? name, recordings: file.recordings };
  });
  if (files.length === 0) throw new RecordingsError(`${folder} holds no recordings (*.json)`);
  return files;
}

/** @yields {{file, recording, call, kind, verdict: 'matched'|'mismatched'|'not-implemented', differences, request}} */
export async function* replay(baseUrl, files) {
  for (const { name, recordings } of files) {
    for (const [recording, { title, spreadsheetId, interactions }] of recordings.entries()) {
      const ids = new ChosenIds(spreadsheetId, await newSpreadsheet(baseUrl, title));
      const settled = new Set();
      for (const [call, recorded] of interactions.entries()) {
        const request = { method: recorded.method, path: ids.translatePath(recorded.path), body: ids.translate(recorded.body) };
        const answer = await send(baseUrl, request);
        if (recorded.status === 200) {
          ids.learn(recorded, answer.body);
          for (const one of recorded.body?.requests ?? [])
            for (const field of Object.keys(one.updateSpreadsheetProperties?.properties ?? {})) settled.add(field);
        }
        yield { file: name, recording, call, kind: kindOf(recorded), request, ...judge(recorded, answer, ids, settled) };
      }
    }
  }
}

function judge(recorded, answer, ids, settled) {
  if (answer.status === 501) return { verdict: 'not-implemented', differences: [] };
  const expected = comparable(ids.translate(recorded.response), settled);
  const found = [
    ...differences(recorded.status, answer.status, 'status'),
    ...differences(expected, comparable(answer.body, settled)),
  ];
  return { verdict: found.length === 0 ? 'matched' : 'mismatched', differences: found };
}

/** As the service makes one: a single sheet of the usual size. */
async function newSpreadsheet(baseUrl, title) {
  const properties = {
    sheetId: 0,
    title: 'Sheet1',
    index: 0,
    sheetType: 'GRID',
    gridProperties: { rowCount: 1000, columnCount: 26 },
  };
  const body = { properties: { title }, sheets: [{ properties }] };
  const { status, body: made } = await send(baseUrl, { method: 'POST', path: '/v4/spreadsheets', body });
  if (status !== 200) throw new RecordingsError(`${baseUrl} makes no spreadsheet: POST /v4/spreadsheets gave ${status}`);
  return made.spreadsheetId;
}

async function send(baseUrl, { method, path, body }) {
  let response;
  try {
    response = await fetch(baseUrl + path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    });
  } catch (error) {
    if (error.name === 'TimeoutError') return { status: 0, body: `no answer within ${CALL_TIMEOUT_MS} ms` };
    throw new RecordingsError(`${baseUrl} cannot be reached: ${error.cause?.code ?? error.message}`);
  }
  const text = await response.text();
  try {
    return { status: response.status, body: JSON.parse(text) };
  } catch {
    return { status: response.status, body: text };
  }
}
