type Unit = 'minute' | 'hour' | 'day'

const unitMinutes: Record<Unit, number> = { minute: 1, hour: 60, day: 1_440 }

/** Up to two days, hours are what people count in: 24 hours, and not one day. */
const minDays = 3

/** Splits a duration into the units in which people say it: 1,440 minutes are 24 hours, and 90 are 1 hour 30 minutes. */
function split(minutes: number): [unit: Unit, count: number][] {
  const largest: Unit = minutes >= minDays * unitMinutes.day ? 'day' : minutes >= unitMinutes.hour ? 'hour' : 'minute'
  let rest = minutes
  const parts = (['day', 'hour', 'minute'] as const)
    .filter((unit) => unitMinutes[unit] <= unitMinutes[largest])
    .map((unit): [Unit, number] => {
      const count = unit === 'minute' ? rest : Math.floor(rest / unitMinutes[unit])
      rest -= count * unitMinutes[unit]
      return [unit, count]
    })
  const shown = parts.filter(([, count]) => count > 0)
  return shown.length > 0 ? shown : [['minute', 0]]
}

type UnitNames = Record<Unit, readonly [one: string, many: string]>

const say = (locale: string, names: UnitNames) => (minutes: number) =>
  split(minutes)
    .map(([unit, count]) => `${count.toLocaleString(locale)} ${names[unit][count === 1 ? 0 : 1]}`)
    .join(' ')

export const enDuration = say('en', { minute: ['minute', 'minutes'], hour: ['hour', 'hours'], day: ['day', 'days'] })

const deUnits = { minute: ['Minute', 'Minuten'], hour: ['Stunde', 'Stunden'] } as const

export const deDuration = say('de', { ...deUnits, day: ['Tag', 'Tage'] })

/** After prepositions with the dative: nach 3 Tagen. */
export const deDurationDative = say('de', { ...deUnits, day: ['Tag', 'Tagen'] })
