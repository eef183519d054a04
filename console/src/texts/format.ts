import { type Language, useTranslation } from './texts.tsx'

/** The region of the browser if it matches the language of the console: dates differ between en-US and en-GB. */
function localeOf(language: Language): string {
  return navigator.languages.find((tag) => tag.toLowerCase().startsWith(language)) ?? language
}

export const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone

const ageUnits = [
  { unit: 'day', length: 86_400 },
  { unit: 'hour', length: 3_600 },
  { unit: 'minute', length: 60 },
] as const

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']

type Format = ReturnType<typeof makeFormat>

/** Making them takes far longer than using them, and every row of a table does that. */
const formats = new Map<string, Format>()

export function useFormat(): Format {
  const { language } = useTranslation()
  const locale = localeOf(language)
  const format = formats.get(locale) ?? makeFormat(locale)
  formats.set(locale, format)
  return format
}

function makeFormat(locale: string) {
  const long = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' })
  const short = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' })
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
  const timeWithSeconds = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' })
  const zone = new Intl.DateTimeFormat(locale, { timeZoneName: 'longOffset' })
  const plain = new Intl.NumberFormat(locale)
  const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  return {
    dateTime: (instant: string) => short.format(new Date(instant)),
    exactDateTime: (instant: string) => long.format(new Date(instant)),
    /** A day without a time, such as 2026-03-11. */
    date: (day: string) => date.format(new Date(`${day}T00:00:00Z`)),
    day: (instant: number) => day.format(instant),
    time: (instant: number) => time.format(instant),
    timeWithSeconds: (instant: number) => timeWithSeconds.format(instant),
    /** A dash for what was not recorded. */
    optionalNumber: (value: unknown) => (typeof value === 'number' ? plain.format(value) : '–'),
    /** The time zone with its offset at that time, which depends on daylight saving. */
    zoneAt(instant: Date) {
      const offset = zone.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value
      return offset ? `${timeZone} (${offset})` : timeZone
    },
    number: (value: number) => plain.format(value),
    /** A size in the largest unit in which it is at least one. */
    bytes(size: number) {
      const at = Math.min(Math.floor(Math.log(Math.max(size, 1)) / Math.log(1_000)), byteUnits.length - 1)
      const options = { style: 'unit', unit: byteUnits[at], maximumFractionDigits: at === 0 ? 0 : 1 } as const
      return (size / 1_000 ** at).toLocaleString(locale, options as Intl.NumberFormatOptions)
    },
    /** The memory of a computer, which is sold in powers of 1,024: 16,384 MiB are 16 GB. */
    memory: (mebibytes: number) => `${(mebibytes / 1_024).toLocaleString(locale, { maximumFractionDigits: 1 })} GB`,
    /** A share of 1 as a percentage. */
    percent: (value: number) => share.format(value),
    /** How long ago: "3 minutes ago". */
    age(instant: string, now = Date.now()) {
      const seconds = Math.max(0, Math.round((now - Date.parse(instant)) / 1_000))
      const { unit, length } = ageUnits.find((unit) => seconds >= unit.length) ?? { unit: 'second', length: 1 }
      return relative.format(-Math.floor(seconds / length), unit)
    },
    compare: new Intl.Collator(locale, { numeric: true, sensitivity: 'base' }).compare,
  }
}
