import type { enGroupObjects } from './en-group-objects.ts'

const computers = (n: number) => `${n.toLocaleString('de')} Computer`

export const deGroupObjects: typeof enGroupObjects = {
  assign: 'Etwas anderes zuweisen',
  assignTitle: (name) => `${name} etwas zuweisen`,
  submit: 'Zuweisen',
  type: 'Was',
  object: 'Welches',
  none: 'Davon gibt es nichts.',
  edition: (name, edition) => `${name}: ${edition}`,
  assigns: (what, group, n) => `Weist ${what} der Gruppe ${group} zu. Sie hat ${computers(n)}.`,
  replaces: (what) => `Es tritt an die Stelle von ${what}: Eine Gruppe hat höchstens eines.`,
  alreadyAssigned: (what) => `${what} ist dieser Gruppe schon zugewiesen.`,
  assigned: (what) => `${what} ist zugewiesen`,

  kind: 'Art ändern',
  kindTitle: (name) => `Art von ${name}`,
  kindField: 'Art',
  kinds: { Ordinary: 'Gewöhnlich', EOL: 'Am Lebensende', Restore: 'Wird wiederhergestellt' },
  kindHints: {
    Ordinary: 'Mitglieder, Zuweisungen und Untergruppen lassen sich ändern.',
    EOL: 'Die Gruppe ist eingefroren: Name, Mitglieder und Zuweisungen lassen sich nicht ändern. Was zugewiesen ist, gilt weiter.',
    Restore:
      'Die Gruppe ist eingefroren, während ihre Computer wiederhergestellt werden. Was zugewiesen ist, gilt weiter.',
  },
  hasSubgroups: 'Nur eine Gruppe ohne Untergruppen lässt sich einfrieren.',
  freezes: (name, n) => `Friert ${name} mit ${computers(n)} ein. Es wird nichts installiert oder entfernt.`,
  releases: (name, n) => `${name} mit ${computers(n)} lässt sich wieder ändern.`,

  depots: 'Depots wählen',
  depotsTitle: (name) => `Depots von ${name}`,
  depotsField: 'Depots in der Reihenfolge, in der sie versucht werden',
  depotsHint:
    'Um die Reihenfolge zu ändern, entfernen Sie ein Depot und wählen es neu. Ohne Depots gelten die der Gruppen darüber.',
  depotsOrder: (names, n) => `Für ${computers(n)} kommen die Dateien von: ${names}.`,
  noDepots: (n) => `Für ${computers(n)} gelten die Depots der Gruppen darüber.`,
}
