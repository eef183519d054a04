import type { enRolloutPlan } from './en-rollout-plan.ts'

export const deRolloutPlan: typeof enRolloutPlan = {
  advanced: 'Erweitert: Wartungsfenster, Frist, Kriterien',
  windows: 'Wartungsfenster',
  anyTime: 'Arbeit beginnt jederzeit.',
  windowsHint: 'Arbeit beginnt nur, wenn ihre Zeitgrenze, meist eine Stunde, noch hineinpasst.',
  window: (n) => `Fenster ${n}`,
  addWindow: 'Fenster hinzufügen',
  removeWindow: (n) => `Fenster ${n} entfernen`,
  start: 'Öffnet um',
  hours: 'Geöffnet für (Stunden)',
  timeZone: 'Zeitzone',
  ofEachComputer: 'Die des jeweiligen Computers',
  emergency: 'Alle Wartungsfenster ignorieren',
  emergencyHint: 'Für Notfälle, etwa eine Korrektur gegen einen Angriff.',
  deadline: 'Frist',
  deadlineHint: 'Danach verzögern weder Fenster noch schrittweise Freigabe den Rollout.',
  catchUpDays: 'Tage, in denen Computer dazukommen können',
  catchUpHint: 'Nach dem letzten Ring, für Computer, die abwesend waren oder neu in der Gruppe sind.',
  criteria: 'Kriterien',
  lastOfSite: 'Alle geschützten Computer eines Standorts zugleich erlauben',
  lastOfSiteHint: 'Sonst wird etwa ein Ring mit allen Domänencontrollern eines Standorts abgelehnt.',
}
