import { useMemo } from 'react'
import { type Language, useTranslation } from './texts.tsx'

/** The region of the browser if it matches the language of the console: dates differ between en-US and en-GB. */
function localeOf(language: Language): string {
  return navigator.languages.find((tag) => tag.toLowerCase().startsWith(language)) ?? language
}

export const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone

export function useFormat() {
  const { language } = useTranslation()
  return useMemo(() => {
    const locale = localeOf(language)
    const long = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' })
    const short = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
    const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' })
    const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
    const number = new Intl.NumberFormat(locale)
    const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 })
    const zone = new Intl.DateTimeFormat(locale, { timeZoneName: 'longOffset' })
    return {
      dateTime: (instant: string) => short.format(new Date(instant)),
      exactDateTime: (instant: string) => long.format(new Date(instant)),
      day: (instant: number) => day.format(instant),
      time: (instant: number) => time.format(instant),
      number: (value: number) => number.format(value),
      /** A dash for what was not recorded. */
      optionalNumber: (value: unknown) => (typeof value === 'number' ? number.format(value) : '–'),
      percent: (share: number) => percent.format(share),
      /** The time zone with its offset at that time, which depends on daylight saving. */
      zoneAt(instant: Date) {
        const offset = zone.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value
        return offset ? `${timeZone} (${offset})` : timeZone
      },
      compare: new Intl.Collator(locale, { numeric: true, sensitivity: 'base' }).compare,
    }
  }, [language])
}
