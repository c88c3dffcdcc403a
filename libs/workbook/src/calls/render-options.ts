/** The options of reads and writes of values, with the defaults of the service. */
import type { Dimension, DateTimeRenderOption, ValueInputOption, ValueRenderOption } from '@app/sheets-wire';
import type { ReadOptions } from '../spreadsheet/values-read';
import { invalid } from '../wire/api-error';

type Options = Readonly<Record<string, unknown>>;

export function majorDimensionOf(value: unknown): Dimension {
  return value === 'COLUMNS' ? 'COLUMNS' : 'ROWS';
}

export function readOptions(options: Options): ReadOptions {
  return {
    majorDimension: majorDimensionOf(options['majorDimension']),
    value: (options['valueRenderOption'] as ValueRenderOption | undefined) ?? 'FORMATTED_VALUE',
    dateTime: (options['dateTimeRenderOption'] as DateTimeRenderOption | undefined) ?? 'SERIAL_NUMBER',
  };
}

/** How the written values are read back, where the call asks for them. */
export function responseOptions(options: Options, majorDimension: Dimension): ReadOptions | undefined {
  if (options['includeValuesInResponse'] !== true) return undefined;
  return {
    majorDimension,
    value: (options['responseValueRenderOption'] as ValueRenderOption | undefined) ?? 'FORMATTED_VALUE',
    dateTime: (options['responseDateTimeRenderOption'] as DateTimeRenderOption | undefined) ?? 'SERIAL_NUMBER',
  };
}

export function inputOption(options: Options): ValueInputOption {
  const option = options['valueInputOption'];
  if (option !== 'RAW' && option !== 'USER_ENTERED') throw invalid("'valueInputOption' is required but not specified");
  return option;
}
