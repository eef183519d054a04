import type { Texts } from './en.ts'

export const deLive: Texts['live'] = {
  away: 'Änderungen kommen gerade nicht von selbst an. Die Seite fragt alle 15 Sekunden nach.',
}
