import { type ApiError, invalid } from '@app/workbook';

/** The refusal of a write because of a text in its cells, in the place where the service would name the fault. */
export function refusalOfText(body: unknown, text: string): ApiError {
  const refusal = invalid(`The text "${text}" is refused by the fault plan of the mock.`);
  const { requests, data } = (body ?? {}) as { requests?: object[]; data?: object[] };
  if (Array.isArray(requests)) {
    const index = requests.findIndex((request) => holdsText(request, text));
    if (index >= 0) return refusal.in(`Invalid requests[${index}].${Object.keys(requests[index] ?? {})[0] ?? ''}`);
  }
  const index = Array.isArray(data) ? data.findIndex((part) => holdsText(part, text)) : 0;
  return refusal.in(`Invalid data[${Math.max(0, index)}]`);
}

function holdsText(value: unknown, text: string): boolean {
  if (typeof value === 'string') return value.includes(text);
  return value !== null && typeof value === 'object' && Object.values(value).some((item) => holdsText(item, text));
}
