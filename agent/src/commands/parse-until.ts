import { ExpectedError } from '../expected-error.ts'

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Parses --until: a time, or a duration from now such as 90m, 2h or 1d. */
export function parseUntil(text: string): string {
  const [, amount, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? []
  const moment = unit ? new Date(Date.now() + Number(amount) * unitMs[unit as 'm' | 'h' | 'd']) : new Date(text)
  if (Number.isNaN(moment.getTime()))
    throw new ExpectedError(`--until must be a duration such as 2h or a time such as ${exampleTime()}.`)
  if (moment <= new Date()) throw new ExpectedError('--until must be in the future.')
  return moment.toISOString()
}

function exampleTime(): string {
  return new Date(Date.now() + unitMs.d).toISOString()
}
