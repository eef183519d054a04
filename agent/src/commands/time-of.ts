import { ExpectedError } from '../expected-error.ts'

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** What --until says: a moment, or a time from now such as 90m, 2h or 1d. */
export function timeOf(text: string): string {
  const [, amount, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? []
  const moment = unit ? new Date(Date.now() + Number(amount) * unitMs[unit as 'm' | 'h' | 'd']) : new Date(text)
  if (Number.isNaN(moment.getTime())) throw new ExpectedError(`--until must be a time such as 2h or ${exampleTime()}.`)
  if (moment <= new Date()) throw new ExpectedError('--until must lie in the future.')
  return moment.toISOString()
}

function exampleTime(): string {
  return new Date(Date.now() + unitMs.d).toISOString()
}
