import type { enConvergence } from './en-convergence.ts'

const computers = (count: number) => (count === 1 ? '1 Computer' : `${count} Computer`)
const computersDative = (count: number) => (count === 1 ? '1 Computer' : `${count} Computern`)
const waves = (count: number) => (count === 1 ? '1 Welle' : `${count} Wellen`)

export const deConvergence: typeof enConvergence = {
  title: 'Konvergenz',
  on: 'Ein: Zuweisungen werden von selbst verteilt, Ring für Ring.',
  off: 'Aus: Zuweisungen werden verteilt, wenn jemand die Verteilung startet.',
  inheritedFrom: 'Von',
  rings: 'Ringe',
  ring: { percent: (size) => `${size} %`, group: 'eine Gruppe', rest: 'alle übrigen' },
  expected: 'Ohne eine Person',
  expectedText: (count) => `höchstens ${computers(count)} am Tag; eine größere Welle wartet nach ihrem ersten Ring`,
  removals: 'Entfernungen',
  removalsText: (count) => `von mehr als ${computersDative(count)} am Tag brauchen eine Genehmigung`,
  openWaves: 'Offene Wellen',
  wavesLink: (count) => `${waves(count)} anzeigen`,
  waiting: 'Änderungen warten',
  waits: {
    Comparing: 'Die Mitglieder werden innerhalb von zwei Minuten verglichen.',
    Frozen: 'Sie beginnen, wenn die Sperre endet.',
    WaveNeedsPerson:
      'Eine Welle dieser Gruppe ist angehalten. Prüfen Sie sie und setzen Sie sie fort oder brechen Sie sie ab.',
    Refused: 'Die nächste Welle wurde abgelehnt. Ändern Sie die Ringe oder die Grenzen.',
  },
  openWave: 'Welle öffnen',
  change: 'Ändern',
  panelTitle: (group) => `Konvergenz von ${group}`,
  label: 'Übernehmen',
  choice: 'Mitglieder',
  choices: {
    On: 'Konvergent halten',
    Off: 'Nicht konvergent halten',
    Inherit: 'Wie in den Gruppen darüber',
  },
  fields: {
    expectedComputers: 'Computer am Tag ohne eine Person',
    expectedPercent: 'Dasselbe als Anteil der Mitglieder',
    maxRemovals: 'Computer am Tag, die ohne Genehmigung Software verlieren',
    maxRepairsPerDay: 'Reparaturen eines Computers am Tag',
  },
  repairsHint: 'Software, die von Hand entfernt oder ersetzt wurde, wird wieder installiert.',
  advanced: 'Erweitert: Wartungsfenster, Kriterien',
  noLimit: 'Keine Grenze',
  windowsPerRing: 'Die Ringe haben verschiedene Wartungsfenster. Sie bleiben, wie sie sind.',
  replaceWindows: 'Für alle Ringe dieselben festlegen',
  effects: {
    On: 'Neue Mitglieder, Zuweisungen und Optionen werden innerhalb von zwei Minuten verteilt, Ring für Ring.',
    Off: 'Offene Wellen der Gruppe werden abgebrochen. Zuweisungen warten auf eine Verteilung.',
    Inherit: 'Die Gruppe hat die Einstellung der Gruppen darüber. Ihre eigenen Wellen werden abgebrochen.',
  },
  isSet: 'Die Einstellung wurde geändert.',
}
