import type { enDeadlines } from './en-deadlines.ts'

const minutes = (n: number) => `${n.toLocaleString('de')} ${n === 1 ? 'Minute' : 'Minuten'}`
const hours = (n: number) => `${n.toLocaleString('de')} ${n === 1 ? 'Stunde' : 'Stunden'}`

export const deDeadlines: typeof enDeadlines = {
  legend: 'Frist für den Menschen am Computer',
  has: 'Den Benutzer fragen, mit einer Frist',
  hasHint: 'Bis zur Frist kann der Benutzer verschieben. Danach beginnt die Arbeit auf jeden Fall.',
  afterHours: 'Stunden, nachdem der Computer den Auftrag bekommen hat',
  afterHoursHint: 'Leer: Nur der späteste Zeitpunkt zählt.',
  latestUtc: 'Spätester Zeitpunkt',
  needsEnd: 'Geben Sie Stunden oder einen spätesten Zeitpunkt an.',
  maxPostponements: 'Wie oft der Benutzer „Später“ wählen kann',
  quietFrom: 'Ruhezeit von',
  quietUntil: 'Ruhezeit bis',
  quietHint: 'Nach der Uhr des Computers. Vor der Frist beginnt in dieser Zeit nichts.',
  closePrograms: 'Zu schließende Programme',
  closeProgramsHint: 'Genaue Namen der Prozesse, durch Kommas getrennt. Vor der Frist wird nichts geschlossen.',
  noticeMinutes: 'Minuten Vorwarnung, bevor Programme geschlossen werden oder der Computer neu startet',
  ends: 'Frist',
  inHours: (n) => `${hours(n)}, nachdem der Computer den Auftrag bekommen hat`,
  latest: (at) => `spätestens ${at}`,
  postponements: 'Verschiebungen',
  quietHours: 'Ruhezeit',
  programs: 'Werden zur Frist geschlossen',
  notice: (n) => `mit ${minutes(n)} Vorwarnung`,
  choices: {
    Later: (work) => `${work}: Der Benutzer hat verschoben`,
    Now: (work) => `${work}: Der Benutzer wollte gleich beginnen`,
    NoAnswer: (work) => `${work}: Der Benutzer wurde gefragt und hat nicht geantwortet`,
    QuietHours: (work) => `${work} wartet auf das Ende der Ruhezeit`,
    Presentation: (work) => `${work} wartet auf das Ende einer Präsentation`,
    ProgramsOpen: (work) => `${work} wartet, bis Programme geschlossen sind`,
    ProgramsClosed: (work) => `${work}: Nach der Frist wurden Programme geschlossen`,
  },
  power: { Reboot: 'Neustart', Shutdown: 'Herunterfahren', LogOff: 'Abmeldung' },
  after: 'Wenn alles erledigt ist',
  nothing: 'Nichts',
}
