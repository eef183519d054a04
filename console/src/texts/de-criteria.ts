import type { enCriteria } from './en-criteria.ts'

export const deCriteria: typeof enCriteria = {
  soakMinutes: 'Ergebnisse müssen gut bleiben für',
  awayHours: 'Abwesende zählen nicht mehr nach',
  silentAfterMinutes: 'Ein Agent gilt als stumm ohne Kontakt für',
  bootTimeoutMinutes: 'Ein Neustart darf dauern',
}
