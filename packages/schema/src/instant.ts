import { fullFormats } from 'ajv-formats/dist/formats.js'

const isDateTime = fullFormats['date-time'] as { validate(text: string): boolean }

/** Times without an offset are UTC. Years outside 1 to 9999 are refused, because their formats differ. */
export function parseInstant(text: string): Date | undefined {
  const zoned = /(z|[+-]\d\d(:?\d\d)?)$/i.test(text) ? text : `${text}Z`
  if (!isDateTime.validate(zoned)) return undefined
  const instant = new Date(zoned.replace(' ', 'T'))
  const year = instant.getUTCFullYear()
  return year >= 1 && year <= 9999 ? instant : undefined
}
